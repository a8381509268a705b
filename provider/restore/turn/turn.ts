import { abortReason, type Clock } from "../../time/clock";
import type { Lanes, LaneTurn } from "./lane";

/** Thrown when the whole run's time is over before a restore could be posted. */
export class OutOfTime extends Error {}

/** Waits for something else than the panel, at most until `until`. */
export async function within<T>(
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

/** Something that knows of no signal, waited for until the signal is aborted. */
export function orAborted<T>(signal: AbortSignal, wait: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener(
      "abort",
      () => {
        reject(abortReason(signal));
      },
      { once: true },
    );
  });
  return Promise.race([wait, aborted]);
}

const repeatMs = 5 * 60_000;

/** Says now and again what is waited for: a pipeline ends jobs that print nothing for a while. */
export async function sayingSo<T>(clock: Clock, say: () => void, wait: Promise<T>): Promise<T> {
  say();
  let cancel: () => void = () => undefined;
  const again = (): void => {
    cancel = clock.after(repeatMs, () => {
      say();
      again();
    });
  };
  again();
  try {
    return await wait;
  } finally {
    cancel();
  }
}

/** A place in the lane; given up again, in its turn, when the signal is aborted first. */
export function takeTurn(lanes: Lanes, machine: string, signal: AbortSignal): Promise<LaneTurn> {
  const entered = lanes.enter(machine);
  return new Promise((resolve, reject) => {
    let gaveUp = false;
    signal.addEventListener(
      "abort",
      () => {
        gaveUp = true;
        reject(abortReason(signal));
      },
      { once: true },
    );
    void entered.then((turn) => {
      if (gaveUp) turn.leave();
      else resolve(turn);
    });
  });
}
