import type { Clock } from "../plain/clock";
import { type PollEvent, type ProgressText, TroubleKinds } from "./poller";
import { Ticker } from "./ticker";

export type ReportedProgress<State> = ProgressText<State> & { readonly say: (text: string) => void };

/** Reports a poll's progress: news at once, and the present state now and then in between. */
export class ProgressReporter<State> {
  readonly #outage = new TroubleKinds();
  readonly #ticker: Ticker;
  readonly #reported: ReportedProgress<State> | undefined;
  readonly #describe: () => string | undefined;
  readonly #current: () => State;

  /** `current` gives the state at the moment of each line, even between two events. */
  constructor(clock: Clock, reported: ReportedProgress<State> | undefined, current: () => State) {
    this.#reported = reported;
    this.#current = current;
    this.#ticker = new Ticker(clock, (text) => reported?.say(text));
    this.#describe = () => reported?.describe(current(), clock.now());
  }

  noteEvent(event: PollEvent): void {
    this.#outage.note(event);
  }

  report(): void {
    if (this.#reported) this.#ticker.report(this.#reported.topic(this.#current(), this.#outage.kinds), this.#describe);
  }

  stop(): void {
    this.#ticker.stop();
  }
}
