import { isObject } from "../plain/plain";
import type { DecidingValues, RestoreKind, RestoreOptions } from "./restore-table";

/** A position in the panel's list. A transaction above it was made after the mark was taken. Plain data, stored in the state. */
export interface Mark {
  /** The panel's address: a mark says nothing about another panel. */
  readonly panel: string;
  /** The newest transaction's id. Absent if the list was empty: that is a mark too. */
  readonly newestId?: string;
  readonly newestCreatedAt?: string;
  /** When it was taken, by the panel's clock, ISO 8601. Absent if the panel does not say. */
  readonly takenAt?: string;
  /** Ids of the newest page, newest first, if ids do not compare. None: the list was empty. States of 1.0.0 always hold them. */
  readonly firstPageIds?: readonly string[];
}

/** A panel without a position in its list: nothing is looked for there. */
export interface PanelOnly {
  readonly panel: string;
}

/**
 * The identity of a restore: a change of any member makes it another restore. A rule sets `recoveryPointId` to the point that it chose; it
 * is absent if `adopt` named a transaction.
 */
export interface RestoreTarget extends DecidingValues {
  readonly kind: RestoreKind;
}

/** The recovery points that a rule chose from. */
export interface ChosenFrom {
  /** The number of points that the panel listed. */
  readonly listed: number;
  /** The number of these that the rule allowed. */
  readonly fitted: number;
  /** The plan's `incidentAt` at that time, if it stood in for the rule's missing `before`. */
  readonly incidentAt?: string;
}

/** The stored record of a rule's choice, beside the point itself. It is made once; retries and later runs keep it. */
export interface PointChoice extends ChosenFrom {
  /** When the point was taken, in UTC. */
  readonly recoveryPointTakenAt: string;
  /** Points that were passed over, in words. */
  readonly warnings: readonly string[];
}

/** A RestoreIntent as its restore receives it in the input `intent`. */
export interface Intent {
  /** Unique, never reused. It names the provider process that made the intent, see `makingProcessOf`. */
  readonly id: string;
  readonly urn: string;
  readonly mark: Mark;
  /** Set if a rule has chosen the recovery point that `madeFor` names. */
  readonly choice?: PointChoice;
  readonly madeFor: RestoreTarget;
}

/**
 * An intent of a plan that was made behind a restore that is not complete. It stands in the place of a mark, so nothing can be posted on the
 * strength of it. The next run replaces it.
 */
export interface HeldBack {
  /** Behind what, and the way on. */
  readonly heldBack: string;
}

export function isHeldBack(mark: unknown): mark is HeldBack {
  return isObject(mark) && typeof mark["heldBack"] === "string";
}

export function intentIdOf(process: string, nth: number): string {
  return `${process}-${String(nth)}`;
}

/**
 * The provider process that made an intent: only there is its restore a first attempt. Ids of earlier releases begin with `intent-` and name no
 * process.
 */
export function makingProcessOf(intentId: string): string | undefined {
  return /^(?!intent-)(.+)-\d+$/.exec(intentId)?.[1];
}

/**
 * The restore of the same machine right before it in the program, as this run knows it. Nothing is sent behind one that is not complete. Its
 * two intents differ where this run leaves it out, or makes it anew.
 */
export interface Predecessor {
  readonly urn: string;
  /** The id of its intent as it is now. */
  readonly intentId: string | undefined;
  /** The id of the intent that its stored record was made under. */
  readonly madeUnder: string | undefined;
  readonly status: string | undefined;
  readonly transactionIds: readonly string[];
  /** Its own limits: whoever waits behind it waits for as long as these let it. */
  readonly timeouts: Timeouts;
}

/** The last VmRestore of the same machine before it in the program. Restored again, it overwrites what stands behind it. */
export interface MachineBefore {
  readonly urn: string;
  readonly transactionIds: readonly string[];
}

/** The limits of a restore's phases, in milliseconds. */
export interface Timeouts {
  /** The wait for unfinished transactions of the machine before the POST. 0: post without waiting. */
  readonly busyMs: number;
  /** From the POST's answer until its transaction is listed. */
  readonly listedMs: number;
  /** From being listed until it runs. */
  readonly queueMs: number;
  /** From running until it has ended. */
  readonly runMs: number;
  /** The whole restore, from the start of this run. */
  readonly totalMs?: number;
}

/** One restore as requested: checked inputs with their defaults. */
export interface RestoreRequest extends RestoreOptions {
  /** The resource's name, for messages. */
  readonly name: string;
  readonly target: RestoreTarget;
  readonly timeouts: Timeouts;
}

export interface IntendedRequest extends RestoreRequest {
  readonly intent: Intent;
}

/** A request that can be sent: its recovery point is known. */
export interface SendableRequest extends IntendedRequest {
  readonly target: RestoreTarget & { readonly recoveryPointId: string };
}
