import type { Clock } from "../../provider/plain/clock";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * A clock that stands still until a test moves it. Timers run in order of their time, and between two of them
 * everything that is ready to run (promises, immediates) runs first, so code under test sees time pass only
 * when it is waiting for it.
 */
export class VirtualClock implements Clock {
  #now: number;
  #wallAheadMs = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(startAt = Date.parse("2026-11-21T10:00:00Z")) {
    this.#now = startAt;
  }

  now(): number {
    return this.#now;
  }

  wallTime(): Date {
    return new Date(this.#now + this.#wallAheadMs);
  }

  /** Somebody sets the runner's wall clock, forward or back. What the panel's clock shows is told by `now`. */
  setWall(byMs: number): void {
    this.#wallAheadMs += byMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer: Timer = { at: this.#now + Math.max(0, delayMs), order: this.#order++, run };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** How many timers wait: a test of "nothing is left behind" reads 0. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets `ms` pass. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let timer = this.#next(until); timer !== undefined; timer = this.#next(until)) {
      this.#fire(timer);
      await settle();
    }
    this.#now = until;
  }

  /** Lets as much time pass as `promise` needs, at most `limitMs`; throws when nothing is left that could settle it. */
  async run<T>(promise: Promise<T>, limitMs = 30 * 24 * 3_600_000): Promise<T> {
    const until = this.#now + limitMs;
    let settled = false;
    const mark = (): void => {
      settled = true;
    };
    promise.then(mark, mark);
    await settle();
    while (!settled) {
      const timer = this.#next(until);
      if (timer === undefined) throw new Error(`not settled, and no timer left within ${String(limitMs)} ms`);
      this.#fire(timer);
      await settle();
    }
    return promise;
  }

  #next(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > until) continue;
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer;
    }
    return next;
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    this.#now = Math.max(this.#now, timer.at);
    timer.run();
  }
}

/** Runs everything that is ready, a few rounds deep: promise jobs and immediates. */
export async function settle(rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
