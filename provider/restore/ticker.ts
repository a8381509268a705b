import type { Clock } from "../plain/clock";

const firstPauseMs = 30_000;
const longestPauseMs = 5 * 60_000;

/** Says news at once and repeats it ever more rarely, because each time is a line in a pipeline's log. */
export class Ticker {
  readonly #clock: Clock;
  readonly #say: (text: string) => void;
  #said: string | undefined;
  #pauseMs = firstPauseMs;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, say: (text: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  /** Says the text if there is one and the topic is new. The text is not compared: times and request numbers in it always change. */
  report(topic: string, text: () => string | undefined): void {
    if (topic === this.#said || text() === undefined) return;
    this.#said = topic;
    this.#pauseMs = firstPauseMs;
    this.stop();
    this.#sayNow(text);
    this.#again(text);
  }

  stop(): void {
    this.#cancel();
  }

  #again(text: () => string | undefined): void {
    this.#cancel = this.#clock.after(this.#pauseMs, () => {
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
      this.#sayNow(text);
      this.#again(text);
    });
  }

  #sayNow(text: () => string | undefined): void {
    const now = text();
    if (now !== undefined) this.#say(now);
  }
}
