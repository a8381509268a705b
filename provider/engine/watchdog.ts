import { outliveBrokenPipes } from "./broken-pipe";

const everyMs = 5_000;

export interface WatchdogOptions {
  readonly isGone: () => Promise<boolean>;
  readonly exit: () => void;
}

/**
 * A provider process outlives a killed engine, with restores queued in it that nobody waits for any more. From the first call
 * on, the engine is asked for now and then; when it is gone twice in a row, the process ends. What was posted goes on on
 * the panel and is found again by the next run.
 */
export function createWatchdog({ isGone, exit }: WatchdogOptions): () => void {
  let started = false;
  return () => {
    if (started) return;
    started = true;
    outliveBrokenPipes();
    let timesGone = 0;
    const timer = setInterval(() => {
      void isGone().then((gone) => {
        timesGone = gone ? timesGone + 1 : 0;
        if (timesGone >= 2) exit();
      });
    }, everyMs);
    // A process that has nothing else to do may end: this timer alone does not keep it alive.
    timer.unref();
  };
}
