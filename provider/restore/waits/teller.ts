import type { Clock } from "../../time/clock";
import { Heartbeat } from "./heartbeat";
import { KindsOfTrouble } from "./trouble";
import type { Telling, WaitEvent } from "./waiting";

/** What a wait says, and where it says it. */
export type Spoken<State> = Telling<State> & { readonly say: (text: string) => void };

/** Says how a wait is getting on: its news at once, and in between, now and then, how it stands by then. */
export class Teller<State> {
  readonly #outage = new KindsOfTrouble();
  readonly #heartbeat: Heartbeat;
  readonly #spoken: Spoken<State> | undefined;
  readonly #describe: () => string | undefined;
  readonly #current: () => State;

  /** `current` is asked whenever something is said: a line that is due between two events tells of the state of that moment. */
  constructor(clock: Clock, spoken: Spoken<State> | undefined, current: () => State) {
    this.#spoken = spoken;
    this.#current = current;
    this.#heartbeat = new Heartbeat(clock, (text) => spoken?.say(text));
    this.#describe = () => spoken?.describe(current(), clock.now());
  }

  hear(event: WaitEvent): void {
    this.#outage.hear(event);
  }

  tell(): void {
    if (this.#spoken) this.#heartbeat.tell(this.#spoken.topic(this.#current(), this.#outage.kinds), this.#describe);
  }

  stop(): void {
    this.#heartbeat.stop();
  }
}
