import type { Clock } from "../plain/clock";

const firstHeartbeatMs = 30_000;
const lastHeartbeatMs = 5 * 60_000;
/** Each thing said is a line in a pipeline's log: of a hundred machines that end at about the same time, one line tells. */
const shortestPauseMs = 5_000;

/** The row of a wave: says its line when that has changed, not too often, and now and then when it has not. */
export class WaveVoice {
  readonly #clock: Clock;
  readonly #describe: () => string;
  readonly #say: (text: string) => void;
  #cancel: () => void = () => undefined;
  #heartbeatMs = firstHeartbeatMs;
  #saidAt = Number.NEGATIVE_INFINITY;
  #isDue = false;
  #isOver = false;

  constructor(clock: Clock, describe: () => string, say: (text: string) => void) {
    this.#clock = clock;
    this.#describe = describe;
    this.#say = say;
  }

  /** Something has changed. */
  changed(): void {
    if (this.#isOver || this.#isDue) return;
    this.#heartbeatMs = firstHeartbeatMs;
    const wait = this.#saidAt + shortestPauseMs - this.#clock.now();
    if (wait <= 0) {
      this.#speak();
      return;
    }
    this.#isDue = true;
    this.#after(wait);
  }

  /** Says the last word, and nothing after it. */
  end(): void {
    this.#cancel();
    this.#isOver = true;
    this.#say(this.#describe());
  }

  #speak(): void {
    this.#isDue = false;
    this.#saidAt = this.#clock.now();
    this.#say(this.#describe());
    this.#after(this.#heartbeatMs);
    this.#heartbeatMs = Math.min(this.#heartbeatMs * 2, lastHeartbeatMs);
  }

  #after(ms: number): void {
    this.#cancel();
    this.#cancel = this.#clock.after(ms, () => {
      this.#speak();
    });
  }
}
