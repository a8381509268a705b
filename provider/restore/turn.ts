import type { Clock } from "../plain/clock";
import type { Semaphore } from "../plain/semaphore";
import type { ResultSoFar } from "./result";

/** Thrown when the run's total time runs out before a restore can be posted. */
export class OutOfTime extends Error {}

/** Holds a slot until the work has ended. `at once`: for a restore that is already on the panel. */
export async function withPlace(
  places: Semaphore,
  when: AbortSignal | "at once",
  work: () => Promise<ResultSoFar>,
): Promise<ResultSoFar> {
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
