import { abortReason, type Clock } from "../plain/clock";

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

/**
 * One lane per machine: a second restore of the same machine is posted after the first one ended, in the order in which they
 * came. Whoever leaves the lane may leave a restore behind that has not ended (`wait: false`); the next one settles it.
 */
export class Lanes {
  readonly #tails = new Map<string, Promise<Posted | undefined>>();

  /** Whether somebody is in the lane, or has left a restore behind in it. */
  isTaken(machine: string): boolean {
    return this.#tails.has(machine);
  }

  /** Resolves when it is this one's turn, which lasts until it leaves. */
  async enter(machine: string): Promise<LaneTurn> {
    const before = this.#tails.get(machine) ?? Promise.resolve(undefined);
    let leave: (left: Posted | undefined) => void = () => undefined;
    const tail = new Promise<Posted | undefined>((resolve) => {
      leave = resolve;
    });
    this.#tails.set(machine, tail);
    let behind = await before;
    let hasLeft = false;
    return {
      leftBehind: behind,
      async settle() {
        await behind?.settle();
        behind = undefined;
      },
      leave: (unfinished = behind) => {
        if (hasLeft) return;
        hasLeft = true;
        if (unfinished === undefined && this.#tails.get(machine) === tail) this.#tails.delete(machine);
        leave(unfinished);
      },
    };
  }
}

export interface LaneTurn {
  /** A restore of this machine that this process posted and nobody waited for. */
  readonly leftBehind: Posted | undefined;
  /** Waits until that one has ended. Until then it is left behind again by whoever leaves without having posted. */
  settle(): Promise<void>;
  /** Counts once; what comes later does nothing. */
  leave(unfinished?: Posted): void;
}

/** What work comes to that may leave a restore behind which has not ended, in its turn or on its place. */
export interface Leaving {
  readonly leftBehind?: Posted;
}

/** Does something in a turn, and leaves it whatever happens. */
export async function withTurn<T extends Leaving>(turn: LaneTurn, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    turn.leave(done.leftBehind);
    return done;
  } finally {
    turn.leave();
  }
}

/** Does something that may take a place, and gives it back whatever happens. */
export async function withPlace<T extends Leaving>(slots: Slots, work: (place: Place) => Promise<T>): Promise<T> {
  const place = new Place(slots);
  try {
    const done = await work(place);
    place.giveBack(done.leftBehind);
    return done;
  } finally {
    place.giveBack();
  }
}

/** The same for something that takes a place at once: a restore that is on the panel already. */
export function onPlace<T extends Leaving>(slots: Slots, work: () => Promise<T>): Promise<T> {
  return withPlace(slots, (place) => {
    place.occupy();
    return work();
  });
}

/** What one restore holds of the places among the concurrent ones: none at first, one at most. */
export class Place {
  readonly #slots: Slots;
  #slot: Slot | undefined;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  get isHeld(): boolean {
    return this.#slot !== undefined;
  }

  /** Takes one that is free. False when there is none. */
  takeFree(): boolean {
    if (this.#slots.full) return false;
    this.occupy();
    return true;
  }

  /** Waits for one, in the order in which they came. */
  async take(signal: AbortSignal): Promise<void> {
    if (this.#slot === undefined) this.#slot = await this.#slots.acquire(signal);
  }

  /** Takes one, free or not: for a restore that is on the panel already. */
  occupy(): void {
    this.#slot ??= this.#slots.occupy();
  }

  /** With a restore left behind that has not ended, the place stays that one's. */
  giveBack(leftBehind?: Posted): void {
    this.#slot?.release(leftBehind);
    this.#slot = undefined;
  }
}

/**
 * A restore that this process posted and nobody waits for (`wait: false`). It may keep a lane or a slot taken; whoever comes
 * next settles it. Until then nothing runs for it.
 */
export interface Posted {
  /** Waits until it has ended, or until it cannot be known. Never rejects; the same promise for everybody who asks. */
  settle(): Promise<void>;
}

/** Makes a `Posted` of a wait that is started by the first one who asks. */
export function postedUnwatched(wait: () => Promise<unknown>): Posted {
  let settled: Promise<void> | undefined;
  return {
    settle() {
      settled ??= wait().then(
        () => undefined,
        () => undefined,
      );
      return settled;
    },
  };
}

/** A place among the restores that may be posted and unfinished at once. Giving it back counts once. */
export interface Slot {
  /** With a restore left behind that has not ended, the place stays taken until somebody who needs it has settled that one. */
  release(leftBehind?: Posted): void;
}

interface Waiter {
  readonly take: (slot: Slot) => void;
}

/** First come, first served; without a limit nobody ever waits. */
export class Slots {
  readonly #limit: number;
  #taken = 0;
  readonly #waiters: Waiter[] = [];
  readonly #leftBehind = new Set<Posted>();

  constructor(limit: number | undefined) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the next one would have to wait. While anybody does, it is: a place that comes free is handed on at once. */
  get full(): boolean {
    return this.#taken >= this.#limit;
  }

  acquire(signal?: AbortSignal): Promise<Slot> {
    if (!this.full) return Promise.resolve(this.occupy());
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(abortReason(signal));
      };
      const waiter: Waiter = {
        take: (slot) => {
          signal?.removeEventListener("abort", onAbort);
          resolve(slot);
        },
      };
      if (signal?.aborted) {
        reject(abortReason(signal));
        return;
      }
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiters.push(waiter);
      this.#settleLeftBehind();
    });
  }

  /** Takes a place without waiting: for a restore that is on the panel already, because an earlier run posted it. */
  occupy(): Slot {
    this.#taken++;
    let released = false;
    return {
      release: (leftBehind) => {
        if (released) return;
        released = true;
        if (leftBehind === undefined) this.#giveBack();
        else {
          this.#leftBehind.add(leftBehind);
          if (this.#waiters.length > 0) this.#settleLeftBehind();
        }
      },
    };
  }

  #giveBack(): void {
    this.#taken--;
    if (this.#taken >= this.#limit) return;
    this.#waiters.shift()?.take(this.occupy());
  }

  #settleLeftBehind(): void {
    for (const posted of this.#leftBehind) {
      this.#leftBehind.delete(posted);
      void posted.settle().then(() => {
        this.#giveBack();
      });
    }
  }
}
