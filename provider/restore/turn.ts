import { abortReason, type Clock } from "../plain/clock";
import type { Semaphore } from "../plain/semaphore";

/** Thrown when the run's total time is over before a restore could be posted. */
export class OutOfTime extends Error {}

/** The result of work that may go on. Only the next in line waits for `ended`. */
export interface MayContinue {
  readonly ended?: Promise<unknown>;
}

/** One queue per machine: a restore is posted after the one before it has ended, in the order of arrival, even if that one has `wait: false`. */
export class MachineQueues {
  readonly #last = new Map<string, Promise<unknown>>();

  /** True if somebody has the turn or waits for it. */
  isTaken(machine: string): boolean {
    return this.#last.has(machine);
  }

  /** Runs work in the machine's turn. Whoever gives up waiting leaves the queue; the order stays. */
  async inTurn<T extends MayContinue>(machine: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(machine) ?? Promise.resolve();
    let leave: () => void = () => undefined;
    const own = new Promise<void>((resolve) => (leave = resolve));
    const last = Promise.all([before, own]);
    this.#last.set(machine, last);
    void last.then(() => {
      if (this.#last.get(machine) === last) this.#last.delete(machine);
    });
    return releaseAfter(async () => {
      await Promise.race([before, aborted(signal)]);
      return work();
    }, leave);
  }
}

/**
 * Runs work in a place of `recovery:maxConcurrent`, which is held until what the work has begun has ended. `at once`: for a restore that is on
 * the panel already.
 */
export async function withPlace<T extends MayContinue>(
  places: Semaphore,
  when: AbortSignal | "at once",
  work: () => Promise<T>,
): Promise<T> {
  if (when === "at once") places.occupy();
  else await places.take(when);
  return releaseAfter(work, () => {
    places.release();
  });
}

/** Releases when the work is done, or when what it started has ended. */
async function releaseAfter<T extends MayContinue>(work: () => Promise<T>, release: () => void): Promise<T> {
  let ended: Promise<unknown> | undefined;
  try {
    const done = await work();
    ({ ended } = done);
    return done;
  } finally {
    if (ended === undefined) release();
    else void ended.catch(() => undefined).then(release);
  }
}

/** Waits for something other than the panel, at most until `until`. */
export async function withTimeLimit<T>(
  clock: Clock,
  until: number | undefined,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const cancel =
    until === undefined
      ? () => undefined
      : clock.after(until - clock.now(), () => {
          controller.abort(new OutOfTime("out of time"));
        });
  try {
    return await wait(controller.signal);
  } finally {
    cancel();
  }
}

/** Rejects when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = (): void => {
      reject(abortReason(signal));
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
}
