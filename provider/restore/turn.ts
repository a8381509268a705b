import { abortReason, type Clock } from "../plain/clock";

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
      await orAbort(signal, before);
      return work();
    }, leave);
  }
}

/** The places of `recovery:maxConcurrent`: first come, first served. Without a limit nobody waits. */
export class RestoreSlots {
  readonly #limit: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number | undefined) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
  }

  /** Runs work that may take a place, and gives the place back when the work has ended. */
  withPlace<T extends MayContinue>(work: (place: Place) => Promise<T>): Promise<T> {
    const place = new Place(this);
    return releaseAfter(
      () => work(place),
      () => {
        place.giveBack();
      },
    );
  }

  /** True if the next one would have to wait. A place that comes free is handed on at once, so this holds while anybody waits. */
  get isFull(): boolean {
    return this.#taken >= this.#limit;
  }

  occupy(): void {
    this.#taken++;
  }

  async take(signal: AbortSignal): Promise<void> {
    if (!this.isFull) {
      this.occupy();
      return;
    }
    let next: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (next = resolve));
    this.#waiting.push(next);
    try {
      await orAbort(signal, turn);
    } catch (error) {
      const index = this.#waiting.indexOf(next);
      // The place was handed over at the same moment.
      if (index === -1) this.release();
      else this.#waiting.splice(index, 1);
      throw error;
    }
  }

  release(): void {
    this.#taken--;
    if (this.isFull) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.occupy();
    next();
  }
}

/** The place of one restore: none at first, one at most. */
export class Place {
  readonly #slots: RestoreSlots;
  #isHeld = false;

  constructor(slots: RestoreSlots) {
    this.#slots = slots;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Takes a free place. False if there is none. */
  takeIfFree(): boolean {
    if (!this.#isHeld && this.#slots.isFull) return false;
    this.occupy();
    return true;
  }

  async take(signal: AbortSignal): Promise<void> {
    if (!this.#isHeld) await this.#slots.take(signal);
    this.#isHeld = true;
  }

  /** Takes a place, free or not: for a restore that is on the panel already. */
  occupy(): void {
    if (!this.#isHeld) this.#slots.occupy();
    this.#isHeld = true;
  }

  giveBack(): void {
    if (this.#isHeld) this.#slots.release();
    this.#isHeld = false;
  }
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

/** Waits for a promise that takes no signal, until the signal is aborted. */
async function orAbort(signal: AbortSignal, wait: Promise<unknown>): Promise<void> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      reject(abortReason(signal));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    await Promise.race([wait, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

const repeatMs = 5 * 60_000;

/** Repeats a text while waiting: a pipeline ends jobs that print nothing for a while. */
export async function sayWhileWaiting<T>(clock: Clock, say: () => void, wait: Promise<T>): Promise<T> {
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
