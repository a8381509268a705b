import type { Clock } from "../../provider/plain/clock";
import { firstFew } from "../../provider/plain/text";

/** Each update adds a line to a pipeline's log, so machines that finish within this time share a line. */
const pauseMs = 5_000;
const heartbeatMs = 2 * 60_000;

/** Shows a wave's progress on its row, soon after a change and otherwise at regular intervals. */
export class WaveProgress {
  readonly #done = new Set<string>();
  readonly #notComplete: string[] = [];
  /** The restores under way, each with its last message; "" before the first message. */
  readonly #said = new Map<string, string>();
  #cancel: () => void = () => undefined;
  #shown = { text: "", at: 0 };

  constructor(
    private readonly total: number,
    private readonly clock: Clock,
    private readonly show: (text: string) => void,
  ) {}

  /** Shows the progress, and then checks every few seconds whether it has changed. */
  begin(): void {
    const [text, at] = [this.#text(), this.clock.now()];
    if (text !== this.#shown.text || at - this.#shown.at >= heartbeatMs) {
      this.#shown = { text, at };
      this.show(text);
    }
    this.#cancel = this.clock.after(pauseMs, () => {
      this.begin();
    });
  }

  said(name: string, text: string): void {
    this.#said.set(name, text);
  }

  /** Called when the restore has ended, even if its checks have yet to run. */
  ended(name: string): void {
    this.#said.delete(name);
  }

  done(name: string, isGood: boolean): void {
    this.#done.add(name);
    if (!isGood) this.#notComplete.push(name);
  }

  end(): void {
    this.#cancel();
    this.show(this.#text());
  }

  /** `12 of 40 done, 1 not complete: db` */
  #text(): string {
    const bad = this.#notComplete;
    const notComplete = bad.length === 0 ? "" : `, ${String(bad.length)} not complete: ${firstFew(bad, 3)}`;
    return `${String(this.#done.size)} of ${String(this.total)} done${notComplete}${this.#openText()}`;
  }

  /** What the restores under way are doing, if they are all doing the same thing, such as waiting after a failure. A single restore is always shown. */
  #openText(): string {
    const [text = ""] = this.#said.values();
    if (text === "" || [...this.#said.values()].some((another) => another !== text)) return "";
    return `, ${firstFew([...this.#said.keys()], 3)}: ${text}`;
  }
}
