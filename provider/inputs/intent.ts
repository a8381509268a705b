import type { Limit } from "./read-values";
import type { DecidingValues, RestoreKind, OptionalInputs } from "./restore-table";

/**
 * A position in the panel's list: everything above the mark is newer than the mark. A job that is under way may still move up, so the position is defined by
 * the newest jobs that had ended. Plain data, stored in the state.
 */
export interface Mark {
  /** The panel's address: a mark says nothing about another panel. */
  readonly panel: string;
  /** The ids of the ended jobs on the newest page that had ended jobs. */
  readonly ended: readonly string[];
  /** The other ids on that page, on the pages above it and on pages right below it. They are not new, even if they have moved up since. */
  readonly others?: readonly string[];
  /** True if the list had no other rows. */
  readonly isWhole?: boolean;
  /** The highest id, if the list's ids were in numerical order. */
  readonly newestId?: string;
  /** When the mark was taken, by the panel's clock, in ISO 8601. Absent if the panel does not send its time. */
  readonly takenAt?: string;
  /** The previous intents, newest first. What was sent for them may still be running. */
  readonly replaced?: readonly ReplacedIntent[];
}

export interface ReplacedIntent {
  readonly id: string;
  readonly mark: Mark;
  /** True if the next intent has other triggers or another machine. Nothing that this or an earlier intent may have sent is then searched for. */
  readonly isEnded?: true;
}

/**
 * The identity of a restore: if any member changes, it is a different restore. With a rule, `recoveryPointId` is the point that the rule chose; it is absent if
 * `adopt` named a transaction.
 */
export interface RestoreTarget extends DecidingValues {
  readonly kind: RestoreKind;
}

/** The stored record of a rule's choice, without the point itself. The choice is made once, and kept in retries and later runs. */
export interface PointChoice {
  /** The number of points that the panel listed. */
  readonly listed: number;
  /** The number of those points that the rule allowed. */
  readonly fitted: number;
  /** The value of the plan's `incidentAt` when the point was chosen, if it was used because the rule had no `before`. */
  readonly incidentAt?: string;
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
  /** Messages about points that were skipped when a rule chose the recovery point that `madeFor` names. */
  readonly choiceWarnings?: readonly string[];
  readonly madeFor: RestoreTarget;
}

export function intentIdOf(process: string, nth: number): string {
  return `${process}-${String(nth)}`;
}

/** The provider process that made an intent. In any other process, an attempt may already have been made. */
export function makingProcessOf(intentId: string): string | undefined {
  return /^(.+)-\d+$/.exec(intentId)?.[1];
}

/**
 * The previous restore of the same machine in the program, as far as this run knows it. Nothing is sent after a restore that is not complete. The two intent
 * ids differ if this run leaves the previous restore out or creates it again.
 */
export interface Previous {
  readonly urn: string;
  /** The id of the previous restore's current intent. */
  readonly intentId?: string;
  /** The id of the intent under which the previous restore's record was made. */
  readonly madeUnder?: string;
  readonly status?: string;
}

/** The limits on a restore's phases, in milliseconds. `program/args.ts` documents each. */
export type Timeouts = { readonly [Name in Exclude<Limit, "total"> as `${Name}Ms`]: number } & {
  readonly totalMs?: number;
};

/** One restore as requested: checked inputs with their defaults. */
export interface RestoreRequest extends OptionalInputs {
  /** The resource's name, for messages. */
  readonly name: string;
  readonly target: RestoreTarget;
  readonly timeouts: Timeouts;
  /** The id of the transaction to adopt as this restore. */
  readonly adopt?: string;
  /** True if a later restore of the machine, sent by an earlier run, may still be running. Its record arrives only once this restore is complete. */
  readonly isFollowed?: boolean;
}

export interface IntendedRequest extends RestoreRequest {
  readonly intent: Intent;
}
