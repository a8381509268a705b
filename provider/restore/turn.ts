import type { Semaphore } from "../plain/semaphore";
import type { ResultSoFar } from "./result";

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
