import { compareIds, type Transaction, type TransactionId } from "../panel/types";
import { Descent } from "./floor";
import type { Urgency } from "./pace";
import type { Visitor, Walked } from "./shared-walk";
import type { Trouble, Watch } from "./watching";

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

interface Reading {
  readonly fingerprint: string;
  readonly lockVersion: number | undefined;
}

/**
 * What one watch has been told, so that it hears of each change once. A row that is missing from a walk stays
 * remembered: when it comes back as it was, that is no news.
 */
class Heard {
  readonly #readings = new Map<TransactionId, Reading>();

  /** True when the row is new or differs from what was told last; it counts as told from now on. */
  isNews(row: Transaction): boolean {
    const before = this.#readings.get(row.id);
    if (before !== undefined && isOlder(row.lockVersion, before.lockVersion)) return false;
    const now = fingerprint(row);
    if (before?.fingerprint === now) return false;
    this.#readings.set(row.id, { fingerprint: now, lockVersion: row.lockVersion });
    return true;
  }

  forget(id: TransactionId): void {
    this.#readings.delete(id);
  }
}

/**
 * A panel that answers from several copies of its data may show an older state after a newer one. The panel
 * counts a row's changes in its lock version; time stamps would mislead when the panel's clock is set back.
 */
function isOlder(lockVersion: number | undefined, known: number | undefined): boolean {
  return lockVersion !== undefined && known !== undefined && lockVersion < known;
}

/**
 * Two readings of a row with the same fingerprint tell a wait the same thing. Log output and params are left
 * out: they may hold secrets, and whoever changes them touches `updatedAt` or `lockVersion` as well.
 */
function fingerprint(row: Transaction): string {
  return JSON.stringify([
    row.status,
    row.action,
    row.startedAt,
    row.finishedAt,
    row.updatedAt,
    row.createdAt,
    row.startAfter,
    row.lockVersion,
    row.chainId,
    row.dependentTransactionId,
    row.identifier,
    row.associatedObjectType,
    row.associatedObjectId,
    row.parentType,
    row.parentId,
    row.scheduled,
    row.allowedCancel,
    row.pid,
    row.actor,
    row.userId,
    row.priority,
  ]);
}
