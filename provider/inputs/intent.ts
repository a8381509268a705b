import { isObject } from "../plain/plain";
import type { DecidingValues, RestoreKind, RestoreOptions } from "./restore-table";

/**
 * What is remembered of a restore before it starts. Plain data: it goes through the engine's state as it is.
 */

/** Where the panel's list stood. A transaction above it was made after it was taken. */
export interface Mark {
  /** The panel's address: a mark says nothing about another panel. */
  readonly panel: string;
  /** The newest transaction's id; absent when the list was empty, which is a mark of its own. */
  readonly newestId?: string;
  readonly newestCreatedAt?: string;
  /** When it was taken by the panel's clock, ISO 8601; absent where the panel does not tell it. */
  readonly takenAt?: string;
  /** Ids of the newest page, newest first, where ids do not compare. None: the list was empty. States of 1.0.0 hold it in any case. */
  readonly firstPageIds?: readonly string[];
}

/** The panel alone, where the place in its list is not known: nothing is looked for above it. */
export interface PanelOnly {
  readonly panel: string;
}

/**
 * What decides which restore it is: a change of any of these is another restore. With a rule, `recoveryPointId` is what it has chosen; of a
 * restore that `adopt` names nothing was chosen.
 */
export interface RestoreTarget extends DecidingValues {
  readonly kind: RestoreKind;
}

/** From what a recovery point was chosen. */
export interface ChosenFrom {
  /** How many points the panel listed. */
  readonly listed: number;
  /** How many of them the rule allowed. */
  readonly fitted: number;
  /** The plan's `incidentAt` of that time, where it stood for the `before` that the rule does not have. */
  readonly incidentAt?: string;
}

/** What is stored of a choice beside the point itself. It is made once, and the restore, its retries and a resumed wait go by it. */
export interface PointChoice extends ChosenFrom {
  /** When the point was taken, in UTC. */
  readonly recoveryPointTakenAt: string;
  /** What somebody should know of it: points that were passed over. */
  readonly warnings: readonly string[];
}

/** A RestoreIntent as its restore receives it, in the input `intent`. */
export interface Intent {
  /** Unique per intent made, never reused. Tells the provider process that made it, see `makerOf`. */
  readonly id: string;
  readonly urn: string;
  readonly mark: Mark;
  /** Where a rule has chosen the recovery point that `madeFor` names. */
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
 * The provider process that made an intent: only there is its restore a first attempt. Ids of earlier releases begin with `intent-` and tell
 * none.
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

/** How long each part of a restore's life may take, in milliseconds. */
export interface Timeouts {
  /** Waiting for unfinished transactions of the machine before the POST. 0: post without waiting. */
  readonly busyMs: number;
  /** From the POST's answer until its transaction is listed. */
  readonly listedMs: number;
  /** From being listed until it runs. */
  readonly queueMs: number;
  /** From running until it has ended. */
  readonly runMs: number;
  /** Over everything, from the start of this run. */
  readonly totalMs?: number;
}

/** One restore as it was asked for: checked inputs with their defaults. */
export interface RestoreRequest extends RestoreOptions {
  /** The resource's name, for messages. */
  readonly name: string;
  readonly target: RestoreTarget;
  readonly timeouts: Timeouts;
}

export interface IntendedRequest extends RestoreRequest {
  readonly intent: Intent;
}

/** One that can be sent: its point is known. */
export interface SendableRequest extends IntendedRequest {
  readonly target: RestoreTarget & { readonly recoveryPointId: string };
}
