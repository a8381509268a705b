import type { DecidingValues, RestoreKind, OptionalInputs } from "./restore-table";

/**
 * A position in the panel's list: everything above the mark was made after the mark was taken. A job that is under way may still move up, so the position is
 * defined by the newest jobs that had ended. Plain data, stored in the state.
 */
export interface Mark {
  /** The panel's address: a mark says nothing about another panel. */
  readonly panel: string;
  /** The ids of the ended jobs on the newest page that had any. */
  readonly ended: readonly string[];
  /** The other ids listed down to that page and right below it. They are not new, even if they are listed further up now. */
  readonly others?: readonly string[];
  /** The list had no other rows. */
  readonly isWhole?: boolean;
  /** The greatest id, if the list was ordered by number. */
  readonly newestId?: string;
  /** When the mark was taken, by the panel's clock, in ISO 8601. Absent if the panel does not send its time. */
  readonly takenAt?: string;
  /** The previous intent, replaced although no new restore was requested. Its restore may still be running. */
  readonly replaced?: ReplacedIntent;
}

export interface ReplacedIntent {
  readonly id: string;
  /** The mark of the first of several intents that were replaced one after the other. */
  readonly mark: Mark;
  /** That intent had itself replaced an intent, so an earlier request may be unaccounted for as well. */
  readonly isAgain?: true;
}

/**
 * The identity of a restore: if any member changes, it is another restore. A rule sets `recoveryPointId` to the point that it chose; the id is absent if
 * `adopt` named a transaction.
 */
export interface RestoreTarget extends DecidingValues {
  readonly kind: RestoreKind;
}

/** The recovery points that a rule chose from. */
export interface ChosenFrom {
  /** The number of points that the panel listed. */
  readonly listed: number;
  /** The number of those points that the rule allowed. */
  readonly fitted: number;
  /** The plan's `incidentAt` at that time, if it was used because the rule had no `before`. */
  readonly incidentAt?: string;
}

/** The stored record of a rule's choice, apart from the point itself. The choice is made once; retries and later runs keep it. */
export interface PointChoice extends ChosenFrom {
  /** When the point was taken, in UTC. */
  readonly recoveryPointTakenAt: string;
  /** Messages about points that were skipped. */
  readonly warnings: readonly string[];
}

/** An Intent as its restore receives it, in the input `__intent`. */
export interface Intent {
  /** Unique and never reused. Contains the id of the provider process that made the intent: see `makingProcessOf`. */
  readonly id: string;
  readonly urn: string;
  readonly mark: Mark;
  /** Set if a rule has chosen the recovery point that `madeFor` names. */
  readonly choice?: PointChoice;
  readonly madeFor: RestoreTarget;
}

export function intentIdOf(process: string, nth: number): string {
  return `${process}-${String(nth)}`;
}

/** The provider process that made an intent. Only in that process is the restore a first attempt. */
export function makingProcessOf(intentId: string): string | undefined {
  return /^(.+)-\d+$/.exec(intentId)?.[1];
}

/**
 * The previous restore of the same machine in the program, as this run knows it. Nothing is sent after a restore that is not complete. The two intent ids
 * differ if this run leaves the restore out or creates it again.
 */
export interface Previous {
  readonly urn: string;
  /** The id of its current intent. */
  readonly intentId: string | undefined;
  /** The id of the intent under which its stored record was made. */
  readonly madeUnder: string | undefined;
  readonly status: string | undefined;
}

/** The limits on a restore's phases, in milliseconds. */
export interface Timeouts {
  /** The wait for the machine's unfinished jobs before the POST. With 0, the restore is not sent if the machine is busy. */
  readonly busyMs: number;
  /** From the POST until the panel lists its transaction. */
  readonly listedMs: number;
  /** From being listed until the end. */
  readonly runMs: number;
  /** An end is final once a read that begins this much later shows no further part. */
  readonly settleMs: number;
  /** The whole restore, from the start of this run. */
  readonly totalMs?: number;
}

/** One restore as requested: checked inputs with their defaults. */
export interface RestoreRequest extends OptionalInputs {
  /** The resource's name, for messages. */
  readonly name: string;
  readonly target: RestoreTarget;
  readonly timeouts: Timeouts;
  /** The id of the transaction to adopt as this restore. */
  readonly adopt?: string;
  /** A later restore of the machine may be under way since an earlier run. The engine passes on its record only once this restore is complete. */
  readonly isFollowed?: boolean;
}

export interface IntendedRequest extends RestoreRequest {
  readonly intent: Intent;
}
