import type { Clock } from "../plain/clock";

const firstRepeatMs = 30_000;
const longestRepeatMs = 5 * 60_000;
/** Each report is a line in a pipeline's log, so a hundred machines that end at about the same time share one. */
const shortestPauseMs = 5_000;

/** Reports a wave's progress on its row: soon after a change, and now and then without one. */
export class WaveReporter {
  readonly #clock: Clock;
  readonly #describe: () => string;
  readonly #say: (text: string) => void;
  #cancel: () => void = () => undefined;
  #repeatMs = firstRepeatMs;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #isScheduled = false;
  #isOver = false;

  constructor(clock: Clock, describe: () => string, say: (text: string) => void) {
    this.#clock = clock;
    this.#describe = describe;
    this.#say = say;
  }

  changed(): void {
    if (this.#isOver || this.#isScheduled) return;
    this.#repeatMs = firstRepeatMs;
    const wait = this.#reportedAt + shortestPauseMs - this.#clock.now();
    if (wait <= 0) {
      this.#report();
      return;
    }
    this.#isScheduled = true;
    this.#after(wait);
  }

  /** Reports for the last time. */
  end(): void {
    this.#cancel();
    this.#isOver = true;
    this.#say(this.#describe());
  }

  #report(): void {
    this.#isScheduled = false;
    this.#reportedAt = this.#clock.now();
    this.#say(this.#describe());
    this.#after(this.#repeatMs);
    this.#repeatMs = Math.min(this.#repeatMs * 2, longestRepeatMs);
  }

  #after(ms: number): void {
    this.#cancel();
    this.#cancel = this.#clock.after(ms, () => {
      this.#report();
    });
  }
}
