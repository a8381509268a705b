import type { Clock } from "../../time/clock";

const firstPauseMs = 30_000;
const longestPauseMs = 5 * 60_000;

/**
 * What a wait says, and when: at once when there is news, and now and then in between, ever more rarely, because each
 * time is a line in a pipeline's log.
 */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #say: (text: string) => void;
  #said: string | undefined;
  #pauseMs = firstPauseMs;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, say: (text: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  /**
   * Tells what there is to say now, if anything. `topic` is what it is about, and another topic is news; the text, in which times
   * and a panel's request numbers change with every look, is not compared.
   */
  tell(topic: string, text: () => string | undefined): void {
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
