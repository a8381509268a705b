import type { Clock } from "../../provider/plain/clock";
import { firstFew } from "../../provider/plain/text";

/** Each update is a line in a pipeline's log, so a hundred machines that finish at about the same time share one line. */
const shortestPauseMs = 5_000;
const heartbeatMs = 2 * 60_000;

/** Shows a wave's progress on its row, soon after a change and otherwise at regular intervals. */
export class WaveProgress {
  readonly #done = new Set<string>();
  readonly #notComplete: string[] = [];
  /** The core's last message about each restore under way. */
  readonly #said = new Map<string, string>();
  #cancel: () => void = () => undefined;
  #shownAt = -Infinity;
  #isScheduled = false;
  #isOver = false;

  constructor(
    private readonly total: number,
    private readonly clock: Clock,
    private readonly show: (text: string) => void,
  ) {}

  begin(): void {
    this.#show();
  }

  said(name: string, text: string): void {
    const before = this.#openText();
    this.#said.set(name, text);
    const now = this.#openText();
    if (now !== "" && now !== before) this.#changed();
  }

  done(name: string, isGood: boolean): void {
    this.#done.add(name);
    this.#said.delete(name);
    if (!isGood) this.#notComplete.push(name);
    this.#changed();
  }

  end(): void {
    this.#isOver = true;
    this.#cancel();
    this.show(this.text());
  }

  /** `12 of 40 done, 1 not complete: db` */
  text(): string {
    const bad = this.#notComplete;
    const notComplete = bad.length === 0 ? "" : `, ${String(bad.length)} not complete: ${firstFew(bad, 3)}`;
    return `${String(this.#done.size)} of ${String(this.total)} done${notComplete}${this.#openText()}`;
  }

  /** What the restores under way are doing, if they are all doing the same thing, such as waiting after a failure. A single restore is always shown. */
  #openText(): string {
    if (this.#said.size < this.total - this.#done.size) return "";
    const [text] = this.#said.values();
    if (text === undefined || [...this.#said.values()].some((another) => another !== text)) return "";
    return `, ${firstFew([...this.#said.keys()], 3)}: ${text}`;
  }

  #changed(): void {
    if (this.#isScheduled || this.#isOver) return;
    const wait = this.#shownAt + shortestPauseMs - this.clock.now();
    if (wait <= 0) {
      this.#show();
      return;
    }
    this.#isScheduled = true;
    this.#after(wait);
  }

  #show(): void {
    this.#isScheduled = false;
    this.#shownAt = this.clock.now();
    this.show(this.text());
    this.#after(heartbeatMs);
  }

  #after(ms: number): void {
    this.#cancel();
    this.#cancel = this.clock.after(ms, () => {
      if (!this.#isOver) this.#show();
    });
  }
}
