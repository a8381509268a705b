import type { Clock } from "../plain/clock";
import { Semaphore } from "../plain/semaphore";

/** Thrown when the run's total time runs out before a restore can be posted. */
export class OutOfTime extends Error {}

/** The result of work that may continue. Only the next restore in the queue waits until `ended` resolves. */
export interface MayContinue {
  readonly ended?: Promise<unknown>;
}

/** One queue per machine: first come, first served. A restore is posted only after the previous restore has ended, even if that restore has `wait: false`. */
export class MachineQueues {
  readonly #turns = new Map<string, Semaphore>();

  /** A machine's queue, which has only one slot. A restore that gives up waiting leaves the queue, and the others keep their order. */
  of(machine: string): Semaphore {
    const turn = this.#turns.get(machine) ?? new Semaphore(1);
    this.#turns.set(machine, turn);
    return turn;
  }
}

/** Holds a slot until the work has ended. `at once`: for a restore that is already on the panel. */
export async function withPlace<T extends MayContinue>(
  places: Semaphore,
  when: AbortSignal | "at once",
  work: () => Promise<T>,
): Promise<T> {
  if (when === "at once") places.occupy();
  else await places.take(when);
  try {
    const done = await work();
    if (done.ended === undefined) places.release();
    else void done.ended.catch(() => undefined).then(places.release);
    return done;
  } catch (error) {
    places.release();
    throw error;
  }
}

/** Waits for something other than the panel, but no longer than `until`. */
export async function withTimeLimit<T>(
  clock: Clock,
  until: number | undefined,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort(new OutOfTime("out of time"));
  };
  const cancel = until === undefined ? undefined : clock.after(until - clock.now(), stop);
  try {
    return await wait(controller.signal);
  } finally {
    cancel?.();
  }
}
