import type { Clock } from "../../provider/start";

/** `stopped`, as by SIGSTOP, leaves all clocks running. `asleep`, as by a closed lid, leaves only the wall clock running. */
export type Suspension = "stopped" | "asleep";

interface Timer {
  readonly at: number;
  readonly run: () => void;
  /** The owner. When a process ends, its timers are removed. */
  readonly whose: object | undefined;
}

/** A clock that moves only when a test moves it. Everything ready runs between two timers, so the code under test sees time pass only while it waits. */
export class VirtualClock implements Clock {
  readonly #turns: number;
  readonly #limitMs: number;
  #now: number;
  #wallAheadMs = 0;
  #timers: Timer[] = [];
  /** Until when each process is suspended, and whether its clock is stopped too. */
  readonly #suspended = new Map<object, { readonly until: number; readonly how: Suspension }>();
  readonly #sleptMs = new Map<object, number>();

  /** `turns`: turns of Node's event loop between two timers. `limitMs`: the time limit of a wait. */
  constructor({ startAt = Date.parse("2026-11-21T10:00:00Z"), turns = 3, limitMs = 30 * 24 * 3_600_000 } = {}) {
    this.#now = startAt;
    this.#turns = turns;
    this.#limitMs = limitMs;
  }

  /** For processes on an in-memory panel: no real request is sent, and nothing takes more than three days. */
  static ofLives(): VirtualClock {
    return new VirtualClock({ turns: 1, limitMs: 72 * 3_600_000 });
  }

  now(): number {
    return this.#now;
  }

  wallTime(): Date {
    return new Date(this.#now + this.#wallAheadMs);
  }

  /** Sets the runner's wall clock forward or back. `now` is not affected: it returns the panel's clock. */
  setWall(byMs: number): void {
    this.#wallAheadMs += byMs;
  }

  after(delayMs: number, run: () => void, whose?: object): () => void {
    const timer: Timer = { at: this.#dueAt(this.#now + Math.max(0, delayMs), whose), run, whose };
    // Kept in order; timers that are due at the same time run in the order in which they were set.
    let index = this.#timers.length;
    while (index > 0 && (this.#timers[index - 1] as Timer).at > timer.at) index--;
    this.#timers.splice(index, 0, timer);
    return () => {
      const place = this.#timers.indexOf(timer);
      if (place !== -1) this.#timers.splice(place, 1);
    };
  }

  /** The clock of a process that may end: once it has ended, none of its timers run. */
  clockOf(whose: { readonly ended: boolean }): Clock {
    return {
      now: () => this.now() - (this.#sleptMs.get(whose) ?? 0),
      wallTime: () => this.wallTime(),
      after: (delayMs, run) => (whose.ended ? () => undefined : this.after(delayMs, run, whose)),
    };
  }

  /** Suspends a process for a while: timers that come due in the meantime are late, and responses wait for the process. */
  suspend(whose: object, forMs: number, how: Suspension): void {
    const until = this.#now + forMs;
    this.#suspended.set(whose, { until, how });
    if (how === "asleep") this.#sleptMs.set(whose, (this.#sleptMs.get(whose) ?? 0) + forMs);
    this.#timers = this.#timers
      .map((timer) => {
        if (timer.whose !== whose) return timer;
        return Object.assign(timer, { at: how === "asleep" ? timer.at + forMs : Math.max(timer.at, until) });
      })
      .sort((a, b) => a.at - b.at);
  }

  #dueAt(at: number, whose: object | undefined): number {
    const suspended = whose && this.#suspended.get(whose);
    if (suspended === undefined || suspended.until <= this.#now) return at;
    return suspended.how === "asleep" ? at + suspended.until - this.#now : Math.max(at, suspended.until);
  }

  /** Resolves when a process can receive a response that arrives now. */
  async whenAwake(whose: object): Promise<void> {
    const { until = 0 } = this.#suspended.get(whose) ?? {};
    if (until > this.#now) await this.pause(until - this.#now);
  }

  /** The number of waiting timers: 0 shows that nothing is left behind. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Removes the owner's timers, because the owner no longer waits for anything. */
  forget(whose: object): void {
    this.#timers = this.#timers.filter((timer) => timer.whose !== whose);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle(this.#turns);
    while (this.#fireNext(until)) await settle(this.#turns);
    this.#now = until;
  }

  /** Lets as much time pass as `promise` needs, but at most `limitMs`. Throws when nothing is left that could settle the promise. */
  async run<T>(promise: Promise<T>, limitMs = this.#limitMs): Promise<T> {
    const until = this.#now + limitMs;
    let settled = false;
    const mark = (): void => void (settled = true);
    promise.then(mark, mark);
    await settle(this.#turns);
    while (!settled) {
      if (!this.#fireNext(until)) throw new Stuck(limitMs);
      await settle(this.#turns);
    }
    return promise;
  }

  #fireNext(until: number): boolean {
    const [timer] = this.#timers;
    if (timer === undefined || timer.at > until) return false;
    this.#timers.shift();
    this.#now = Math.max(this.#now, timer.at);
    timer.run();
    return true;
  }
}

/** Thrown when nothing is left that could settle an awaited promise. */
export class Stuck extends Error {
  constructor(limitMs: number) {
    super(`not settled, and no timer left within ${String(limitMs)} ms`);
  }
}

/** Runs everything that is ready (promise jobs and immediates), a few rounds deep. */
export async function settle(rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round++) await new Promise((resolve) => setImmediate(resolve));
}
