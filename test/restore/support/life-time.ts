import type { Clock } from "../../../provider/plain/clock";

interface Timer {
  readonly at: number;
  readonly run: () => void;
  /** Whose it is: a process that ends takes its timers with it. */
  readonly whose: object | undefined;
}

/**
 * Virtual time in which processes begin and end: the tests' own clock (`test/support/virtual-clock.ts`) but for two things. A process has a
 * view of its own, which goes dark when it ends; and between two timers one turn of Node's loop is enough, because nothing here is further away.
 */
export class LifeTime {
  #now = Date.parse("2026-11-21T10:00:00Z");
  #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  /** `whose` has to be alive when it is due. */
  after(delayMs: number, run: () => void, whose?: object): () => void {
    const timer: Timer = { at: this.#now + Math.max(0, delayMs), run, whose };
    // Kept in order; of two at the same time the first that was set comes first.
    let index = this.#timers.length;
    while (index > 0 && (this.#timers[index - 1] as Timer).at > timer.at) index--;
    this.#timers.splice(index, 0, timer);
    return () => {
      const place = this.#timers.indexOf(timer);
      if (place !== -1) this.#timers.splice(place, 1);
    };
  }

  clockOf(whose: { readonly ended: boolean }): Clock {
    return {
      now: () => this.#now,
      wallTime: () => new Date(this.#now),
      after: (delayMs, run) => (whose.ended ? () => undefined : this.after(delayMs, run, whose)),
    };
  }

  /** How many timers of somebody wait: a test of "nothing is left behind" reads 0. */
  pendingOf(whose: object): number {
    return this.#timers.filter((timer) => timer.whose === whose).length;
  }

  /** Whoever it is waits no more. */
  forget(whose: object): void {
    this.#timers = this.#timers.filter((timer) => timer.whose !== whose);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Lets `ms` pass. */
  advance(ms: number): Promise<void> {
    return this.run(this.pause(ms), ms);
  }

  /** Lets time pass until `promise` is settled, which it has to be within a simulated day and `limitMs`. */
  async run<T>(promise: Promise<T>, limitMs = 72 * 3_600_000): Promise<T> {
    const until = this.#now + limitMs;
    let settled = false;
    const mark = (): void => {
      settled = true;
    };
    promise.then(mark, mark);
    await turn();
    while (!settled) {
      const timer = this.#timers[0];
      if (timer === undefined || timer.at > until) throw new Stuck();
      this.#timers.shift();
      this.#now = Math.max(this.#now, timer.at);
      timer.run();
      await turn();
    }
    return promise;
  }
}

/** Something that is waited for and that nothing is left to bring about. */
export class Stuck extends Error {
  constructor() {
    super("nothing happens any more, or not for days, and somebody still waits");
  }
}

/** All promise jobs, however deep, run before the next immediate. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
