import type { Clock } from "../plain/clock";

const firstPauseMs = 30_000;
const longestPauseMs = 5 * 60_000;

/** Shows news at once and repeats it less and less often, because each time is a line in a pipeline's log. */
export class Ticker {
  readonly #clock: Clock;
  readonly #say: (text: string) => void;
  #said: string | undefined;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, say: (text: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  /** Shows the text if there is one and the topic is new. The text is not compared: times and request numbers in it always change. */
  report(topic: string, text: () => string | undefined): void {
    if (topic === this.#said || text() === undefined) return;
    this.#said = topic;
    this.stop();
    this.#keepSaying(text, firstPauseMs);
  }

  stop(): void {
    this.#cancel();
  }

  #keepSaying(text: () => string | undefined, pauseMs: number): void {
    const now = text();
    if (now !== undefined) this.#say(now);
    this.#cancel = this.#clock.after(pauseMs, () => {
      this.#keepSaying(text, Math.min(pauseMs * 2, longestPauseMs));
    });
  }
}
