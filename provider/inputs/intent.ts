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
  /**
   * The intents of the restores of this machine that came before, nearest first, when this one was made; `none` where there was none.
   * Absent in an intent of an earlier release, which remembers nothing of them.
   */
  readonly after?: string;
  /** Where a rule has chosen the recovery point that `madeFor` names. */
  readonly choice?: PointChoice;
  readonly madeFor: RestoreTarget;
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

/** The restore of the same machine that comes before in the program, as this run knows it. */
export interface Predecessor {
  readonly urn: string;
  /** Its intent at present, and the one that its stored record was made under. */
  readonly intentId: string | undefined;
  readonly madeUnder: string | undefined;
  readonly status: string | undefined;
  readonly transactionIds: readonly string[];
  /** The one before that one: what any of them has on the panel may stand above this restore's mark. */
  readonly predecessor?: Predecessor;
}

/** The restores of the machine that come before, nearest first. */
export function predecessorsOf(predecessor: Predecessor | undefined): readonly Predecessor[] {
  return predecessor === undefined ? [] : [predecessor, ...predecessorsOf(predecessor.predecessor)];
}

/**
 * By the intents that their stored records were made under, and the transactions that these begin with: one that failed is tried again under the
 * same intent. What an intent remembers of them.
 */
export function encodePredecessors(predecessor: Predecessor | undefined): string {
  return (
    predecessorsOf(predecessor)
      .flatMap(({ madeUnder, transactionIds: [first = ""] }) =>
        madeUnder === undefined ? [] : `${madeUnder}/${first}`,
      )
      .join(" ") || "none"
  );
}

/**
 * Whether the restores before are those that an intent remembers. What is listed of a chain later may come to stand in front of what was known,
 * so one of its transactions is enough.
 */
export function predecessorsUnchanged(after: string, predecessor: Predecessor | undefined): boolean {
  const remembered = after === "none" ? [] : after.split(" ");
  const line = predecessorsOf(predecessor).filter(({ madeUnder }) => madeUnder !== undefined);
  return (
    line.length === remembered.length &&
    line.every(({ madeUnder = "", transactionIds }, index) =>
      (transactionIds.length === 0 ? [""] : transactionIds).some((id) => remembered[index] === `${madeUnder}/${id}`),
    )
  );
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
