import type { Posted } from "./posted";

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
