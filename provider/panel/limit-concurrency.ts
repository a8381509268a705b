/** The signal that takes a waiting run out of the queue, and the error its caller then gets. */
interface Cancellation {
  readonly signal: AbortSignal | undefined;
  readonly error: () => Error;
}

type LimitedRun = <T>(run: () => Promise<T>, cancellation: Cancellation) => Promise<T>;

/** Runs at most `limit` functions at a time, first come first served. */
export function limitConcurrency(limit: number): LimitedRun {
  let running = 0;
  const queue: (() => void)[] = [];

  function waitForPlace({ signal, error }: Cancellation): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener("abort", cancel);
        resolve();
      };
      const cancel = (): void => {
        queue.splice(queue.indexOf(begin), 1);
        reject(error());
      };
      if (signal?.aborted === true) {
        reject(error());
      } else if (running < limit) {
        running++;
        resolve();
      } else {
        queue.push(begin);
        signal?.addEventListener("abort", cancel, { once: true });
      }
    });
  }

  return async (run, cancellation) => {
    await waitForPlace(cancellation);
    try {
      return await run();
    } finally {
      const next = queue.shift();
      // The place goes straight to the next in the queue, so that no newcomer gets in between.
      if (next === undefined) running--;
      else next();
    }
  };
}
