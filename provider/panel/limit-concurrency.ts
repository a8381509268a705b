import { Semaphore } from "../plain/semaphore";

/** The signal that takes a waiting run out of the queue, and the error for its caller. */
interface Cancellation {
  readonly signal: AbortSignal | undefined;
  readonly error: () => Error;
}

type LimitedRun = <T>(run: () => Promise<T>, cancellation: Cancellation) => Promise<T>;

/** Runs at most `limit` functions at a time, first come first served. */
export function limitConcurrency(limit: number): LimitedRun {
  const places = new Semaphore(limit);
  return async (run, { signal, error }) => {
    await places.take(signal).catch(() => {
      throw error();
    });
    try {
      return await run();
    } finally {
      places.release();
    }
  };
}
