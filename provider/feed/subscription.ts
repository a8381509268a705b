import { compareIds } from "../panel/terms/ids";
import type { Transaction, TransactionId } from "../panel/terms/types";
import { Descent } from "./floor";
import { Heard } from "./heard";
import type { Urgency } from "./pace";
import type { Trouble, Watch } from "./watching";
import type { Visitor, Walked } from "./shared-walk";

const rank: Readonly<Record<Urgency, number>> = { steady: 0, young: 1, listing: 2 };

/**
 * Each walk shows again what this many walks before it showed as new: a row may be listed a few seconds late, below
 * rows that were made after it.
 */
const overlap = 2;
/** No row is listed later than this after it was made, by the panel's stamps. */
const lateMs = 60 * 60_000;

/** A watch's part in one walk, told to the watch when the walk has ended. */
export interface Turn extends Visitor {
  end(walked: Walked): void;
}

/** One watch with what it has been told. What it throws stays here: it must not end the waits of others. */
export class Subscription {
  readonly #watch: Watch;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #heard = new Heard();
  /** The newest rows of the last walks that showed the watch all there was, oldest walk first. */
  readonly #seen: TransactionId[] = [];
  /** From this row down the watch has been shown everything, and all of it was so old by then that nothing is listed there late any more. */
  #settled: TransactionId | undefined;
  #closed = false;
  #urgency: Urgency = "steady";
  #since: number;
  readonly beganAt: number;

  constructor(watch: Watch, now: number, onError: ((error: unknown) => void) | undefined) {
    this.#watch = watch;
    this.beganAt = now;
    this.#since = now;
    this.#onError = onError;
  }

  close(): void {
    this.#closed = true;
  }

  /** Whether all that was awaited of it, when it was last asked, was an end. */
  get isSettled(): boolean {
    return this.#urgency === "young";
  }

  /** How urgent the watch is, and since when it has been at least that urgent. */
  urgency(now: number): { readonly urgency: Urgency; readonly since: number } {
    const urgency = this.#ask(() => this.#watch.urgency(), this.#urgency);
    if (rank[urgency] > rank[this.#urgency]) this.#since = now;
    this.#urgency = urgency;
    return { urgency, since: this.#since };
  }

  turn(): Turn {
    const seenBefore = this.#seen.length === overlap ? this.#seen[0] : undefined;
    const descent = new Descent(
      this.#ask(() => this.#watch.floor(), {}),
      seenBefore,
      this.#settled,
    );
    let newestMade: number | undefined;
    let old: TransactionId | undefined;
    const note = ({ id, createdAt }: Transaction): void => {
      if (old !== undefined || createdAt === undefined) return;
      const made = Date.parse(createdAt);
      newestMade ??= made;
      if (newestMade - made > lateMs) old = id;
    };
    const wanted: Transaction[] = [];
    return {
      descent,
      wants: (row) => !this.#closed && this.#ask(() => this.#watch.wants(row), false),
      found: (row) => {
        note(row);
        wanted.push(row);
      },
      passed: (row) => {
        note(row);
        this.#heard.forget(row.id);
      },
      end: ({ head, endOfList }) => {
        if (this.#closed) return;
        const changed = wanted.filter((row) => this.#heard.isNews(row));
        const reachedFloor = descent.reached || (endOfList && !descent.lostItsMark);
        if (reachedFloor && old !== undefined && (compareIds(old, this.#settled ?? old) ?? -1) >= 0)
          this.#settled = old;
        this.#noteSeen(reachedFloor ? head.rows[0]?.id : undefined);
        this.#ask(() => {
          this.#watch.onTick({ changed, reachedFloor, head });
        }, undefined);
      },
    };
  }

  trouble(trouble: Trouble): void {
    if (this.#closed) return;
    this.#ask(() => this.#watch.onTrouble?.(trouble), undefined);
  }

  #noteSeen(newest: TransactionId | undefined): void {
    if (newest === undefined) return;
    this.#seen.push(newest);
    if (this.#seen.length > overlap) this.#seen.shift();
  }

  #ask<T>(question: () => T, otherwise: T): T {
    try {
      return question();
    } catch (error) {
      this.#onError?.(error);
      return otherwise;
    }
  }
}
