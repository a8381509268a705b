/** What takes a run that still waits out of the queue, and what the caller is told then. */
interface GivingUp {
  readonly signal: AbortSignal | undefined;
  readonly error: () => Error;
}

type AtMost = <T>(run: () => Promise<T>, givingUp: GivingUp) => Promise<T>;

/** Runs what it is given, so many at a time, first come first served. */
export function atMost(limit: number): AtMost {
  let running = 0;
  const waiting: (() => void)[] = [];

  function turn({ signal, error }: GivingUp): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(error());
      };
      if (signal?.aborted === true) {
        reject(error());
      } else if (running < limit) {
        running++;
        resolve();
      } else {
        waiting.push(begin);
        signal?.addEventListener("abort", giveUp, { once: true });
      }
    });
  }

  return async (run, givingUp) => {
    await turn(givingUp);
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      // The place is handed on, so that nobody who comes now gets in between.
      if (next === undefined) running--;
      else next();
    }
  };
}
