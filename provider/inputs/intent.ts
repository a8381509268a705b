import type { DecidingValues, RestoreKind, OptionalInputs } from "./restore-table";

/**
 * A place in the panel's list: what is above it was made after the mark was taken. A job that is under way may move up later, so the newest jobs that
 * had ended are the place. Plain data, stored in the state.
 */
export interface Mark {
  /** The panel's address: a mark says nothing about another panel. */
  readonly panel: string;
  /** The ids of jobs that had ended, of the newest page with such a job. */
  readonly ended: readonly string[];
  /** The other ids that were listed there, and right below: they may be listed further up now, and are not new. */
  readonly others?: readonly string[];
  /** The list had no other rows. */
  readonly isWhole?: boolean;
  /** The greatest id, where numbers were the order. */
  readonly newestId?: string;
  /** The time at which it was taken, by the panel's clock, in ISO 8601. Absent if the panel does not say. */
  readonly takenAt?: string;
  /** The previous intent, replaced although nobody asked to restore again: its restore may be running. */
  readonly replaced?: ReplacedIntent;
}

export interface ReplacedIntent {
  readonly id: string;
  /** The position before the first of several intents that were replaced one after the other. */
  readonly mark: Mark;
  /** That intent had replaced another intent itself, so the first request may be repeated. */
  readonly isAgain?: true;
}

/**
 * The identity of a restore: if any member changes, it is another restore. A rule sets `recoveryPointId` to the point that it chose; it
 * is absent if `adopt` named a transaction.
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
  /** The plan's `incidentAt` at that time, if it replaced the rule's missing `before`. */
  readonly incidentAt?: string;
}

/** The stored record of a rule's choice, apart from the point itself. It is made once; retries and later runs keep it. */
export interface PointChoice extends ChosenFrom {
  /** When the point was taken, in UTC. */
  readonly recoveryPointTakenAt: string;
  /** Skipped points, in words. */
  readonly warnings: readonly string[];
}

/** An Intent as its restore receives it in the input `intent`. */
export interface Intent {
  /** Unique, never reused. It names the provider process that made the intent, see `makingProcessOf`. */
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

/** The provider process that made an intent: only there is its restore a first attempt. */
export function makingProcessOf(intentId: string): string | undefined {
  return /^(.+)-\d+$/.exec(intentId)?.[1];
}

/**
 * The previous restore of the same machine in the program, as this run knows it. Nothing is sent after a restore that is not complete. Its two
 * intents differ if this run leaves the restore out, or creates it again.
 */
export interface Previous {
  readonly urn: string;
  /** The id of its intent as it is now. */
  readonly intentId: string | undefined;
  /** The id of the intent that its stored record was made under. */
  readonly madeUnder: string | undefined;
  readonly status: string | undefined;
}

/** The limits of a restore's phases, in milliseconds. */
export interface Timeouts {
  /** The wait for unfinished jobs of the machine before the POST. 0: not sent if the machine is busy. */
  readonly busyMs: number;
  /** From the POST until the panel has listed its transaction. */
  readonly listedMs: number;
  /** From the listing until the end. */
  readonly runMs: number;
  /** An end counts once a read that begins this much later shows no further part. */
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
  /** The transaction that a person names as this restore. */
  readonly adopt?: string;
  /** A later restore of the machine may be under way since an earlier run: the engine shows its record only when this restore is complete. */
  readonly isFollowed?: boolean;
}

export interface IntendedRequest extends RestoreRequest {
  readonly intent: Intent;
}
