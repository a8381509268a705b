import type { ChosenFrom } from "../inputs/intent";
import type { PointRule } from "../inputs/read-point-rule";
import type { StoredCheck, StoredCheckPlan } from "../inputs/read-check";
import type { StoredGoals } from "../inputs/read-goals";
import type { PlanKind } from "../inputs/read-plan";
import { namedTransaction } from "../inputs/read-values";
import type { RestoreRecord } from "../inputs/record";
import type { InputName, RestoreKind } from "../inputs/restore-table";

/**
 * The run of a plan: one of the plain records that a plan leaves in the stack's state as outputs of its resources. Reports read nothing
 * else, so a field may be added but never change. Times are ISO 8601 texts; "panel" and "runner" name the clock.
 *
 * | resource                                       | name                          | outputs         |
 * | ---------------------------------------------- | ----------------------------- | --------------- |
 * | `recovery:index:RecoveryPlan`                  | `shop`                        | repeat the rest |
 * | `pulumi-nodejs:dynamic/recovery:PlanRun`       | `shop-run`                    | `StoredRun`     |
 * | `pulumi-nodejs:dynamic/recovery:PlanWave`      | `shop-wave-data`              | `StoredWave`    |
 * | `pulumi-nodejs:dynamic/recovery:PlanVerdict`   | `shop-verdict`                | `StoredVerdict` |
 *
 * In other languages all four types begin with `recovery:index:`. The plan's restores, `shop-web`, are ordinary ones with `wait: false`: they
 * stay `accepted` until a refresh, and the wave has the final record. A run that was cut off leaves waves and a verdict of the run before,
 * so only records with this run's name in `run` count.
 */
export interface StoredRun {
  readonly formatVersion: 1;
  readonly plan: string;
  readonly run: string;
  readonly kind: PlanKind;
  readonly asGiven: StoredPlan;
  /**
   * The same, secrets included: a `StoredDefinition` as JSON, in one secret. Waves and verdict take what they wait for and check from here, so a wave that
   * is carried out without its run is noticed. It is one text because the engine writes the whole state, part by part, with each step of each restore.
   * Earlier releases stored none, or the parts.
   */
  readonly definition?: string | StoredDefinition;
  /** The names of its records: of each wave, and `data:round-2` of each later batch. Earlier releases stored none. */
  readonly records?: readonly string[];
  /** The plan with which the run began, once it was changed. A secret. */
  readonly begunWith?: Partial<Pick<StoredRun, "asGiven" | "definition">>;
  /** When each restore was last changed. Earlier releases stored none. */
  readonly revisions?: Readonly<Record<string, StoredRevision>>;
  /** The run before this one in the same stack, when there was one. */
  readonly previous?: { readonly run: string; readonly startedAt: string };
  /** True if the plan differs from the one that the previous run began with. Absent without a previous run. */
  readonly changed?: boolean;
  /** The paths that differ: `waves[0].restores.db.recoveryPointId`. At most 100. */
  readonly changedPaths?: readonly string[];
  /** The changes of the plan since the run began, oldest first: of very many the first and the last twenty. Nothing in it is taken back. */
  readonly history: readonly StoredChange[];
  /** Runner: when the run was first saved, before anything was posted. */
  readonly startedAt: string;
  readonly incidentAt?: string;
  readonly by: { readonly user?: string; readonly host?: string };
  /** The provider process that began it, and so which `up` did. Earlier releases stored none. */
  readonly process?: string;
  readonly pipeline?: StoredPipeline;
  readonly versions: Readonly<Partial<Record<"pulumi-recovery" | "@pulumi/pulumi" | "node", string>>>;
  /** The panel's address. */
  readonly panel: string;
  readonly notes?: StoredNotes;
}

/** One change of a plan during a run. */
export interface StoredChange {
  /** Runner: when it was saved. */
  readonly at: string;
  readonly by: StoredRun["by"];
  readonly pipeline?: StoredPipeline;
  /** At most a hundred. */
  readonly changes: readonly StoredChangedValue[];
}

/** A value before and after a change, as short text; absent where there was none, or is none any more. */
export interface StoredChangedValue {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** The form of a restore that the plan has now. What is stored under an earlier one does not count. */
export interface StoredRevision {
  /**
   * Made anew whenever its machine, point or rule, paths, own triggers or checks change. A new run is no change. No two are ever the same, not even where
   * the stack goes back to an older state: reports of what was proven are kept outside of it.
   */
  readonly at: string;
  /** An id for each of its checks, which it keeps while it is the same check. */
  readonly checks: readonly string[];
}

/** That a run has completed a restore, and its checks passed. */
export interface StoredProof {
  readonly run: string;
  /** When it ended, or else when its last check passed. */
  readonly at: string;
  readonly recoveredSeconds?: number;
  /** The form of the restore that was proven. */
  readonly revision?: string;
}

export interface StoredPipeline {
  readonly name: string;
  readonly url?: string;
  readonly run?: string;
  readonly commit?: string;
  readonly ref?: string;
  readonly actor?: string;
}

interface StoredNotes {
  readonly scenario?: string;
  readonly owner?: string;
  readonly approver?: string;
  readonly reference?: string;
}

/** The plan as given, in one spelling. It leaves out secrets: headers, environments and addresses marked secret. */
export interface StoredPlan {
  readonly goals?: StoredGoals;
  readonly wholeGoals?: Pick<StoredGoals, "recoveryTimeSeconds">;
  readonly onFailure: "stop" | "continue";
  readonly onMissedGoal: "fail" | "warn";
  readonly waves: readonly StoredPlanWave[];
}

/** A wave as given. */
export interface StoredPlanWave<Restore = StoredPlanRestore> {
  readonly name: string;
  readonly goals?: StoredGoals;
  readonly restores: Readonly<Record<string, Restore>>;
}

/** The plan as given, secrets included. */
export interface StoredDefinition extends Omit<StoredPlan, "waves"> {
  readonly waves: readonly StoredPlanWave<DefinedRestore>[];
}

export interface DefinedRestore extends Omit<StoredPlanRestore, "checks"> {
  readonly checks: readonly DefinedCheck[];
}

/** A check as it is shown, and as the program gives it. */
export interface DefinedCheck extends StoredCheckPlan, Pick<StoredCheck, "expects"> {
  readonly given: unknown;
}

/** A restore of a plan, with every other input as given. */
export interface StoredPlanRestore extends Partial<Readonly<Record<InputName, unknown>>> {
  readonly virtualMachineId: string;
  readonly recoveryPointId?: string;
  /** The rule in force, where no id is given: its own, else its wave's, else the plan's. */
  readonly recoveryPoint?: PointRule | typeof hidden;
  readonly paths?: readonly string[];
  readonly recoveryPointTakenAt?: string;
  readonly goals?: StoredGoals;
  readonly triggers?: readonly unknown[];
  readonly checks: readonly (StoredCheckPlan & Pick<StoredCheck, "expects">)[];
}

/**
 * A wave, or one batch of it. With `onFailure: "stop"` a wave that failed has init errors beside these outputs.
 * If a wave restores one machine more than once, its later restores come in a later batch with a resource of its own
 * (`shop-wave-data:round-2`): the `restores` of all batches of one `index` are the wave.
 */
export interface StoredWave {
  readonly formatVersion: 1;
  readonly plan: string;
  readonly run: string;
  /** The start of the run. It identifies the run: a name may be used again. */
  readonly runStartedAt?: string;
  /** From 0. */
  readonly index: number;
  readonly name: string;
  /** The batch, from 0. */
  readonly round: number;
  readonly restores: Readonly<Record<string, StoredStep>>;
  /**
   * Every earlier try of this run, oldest first, also of restores that the plan has no longer in this wave: of very many the first and the last twenty.
   */
  readonly earlierTries?: Readonly<Record<string, readonly StoredTry[]>>;
  /** The last proof of each restore, over runs, also of those that are in another wave now. */
  readonly lastProofs?: Readonly<Record<string, StoredProof>>;
  /** Runner: when the wait began. */
  readonly startedAt: string;
  /** Runner: when the last check was over. */
  readonly endedAt: string;
  /** Why the wave failed, in sentences; empty when it passed. */
  readonly reasons: readonly string[];
}

/** The outcome of one restore of a plan. */
export interface StoredStep {
  /** `VmRestore` for a machine, `FileRestore` for files. */
  readonly kind: RestoreKind;
  /** The machine. */
  readonly virtualMachineId: string;
  /** The recovery point. */
  readonly recoveryPointId: string;
  /** When the recovery point was taken: as given, or by the panel's list where a rule chose it. */
  readonly recoveryPointTakenAt?: string;
  /** The rule that chose the recovery point. */
  readonly recoveryPoint?: PointRule;
  /** The points that it was chosen from. Absent where `adopt` named a transaction. */
  readonly chosenFrom?: ChosenFrom;
  /** At most 100 of them; `pathCount` says how many there are. */
  readonly paths?: readonly string[];
  /** How many paths there are. */
  readonly pathCount?: number;
  /** How the restore ended, or its last known status. */
  readonly status: RestoreRecord["status"];
  /** The transaction that is the restore. */
  readonly transactionId?: string;
  /** All transactions the restore consists of, oldest first. */
  readonly transactionIds: readonly string[];
  /** The transaction's action, as the panel calls it. */
  readonly action?: string;
  /** Panel: when it recorded the request. */
  readonly requestedAt?: string;
  /** Panel: when the restore started to run. */
  readonly startedAt?: string;
  /** Panel: when it ended. */
  readonly finishedAt?: string;
  /** From request to end by the panel's clock, the queue included. */
  readonly durationSeconds?: number;
  /** The part of `durationSeconds` that it was queued. */
  readonly queuedSeconds?: number;
  /** Runner: when the provider noticed the end. */
  readonly noticedAt?: string;
  /** From the end to `noticedAt`, by the panel's clock. */
  readonly noticedAfterSeconds?: number;
  /** Runner: when the last check passed or gave up. Absent without checks. */
  readonly checkedAt?: string;
  /** From `noticedAt` to `checkedAt`. */
  readonly checkedSeconds?: number;
  /**
   * The time to recover: `durationSeconds`, plus `checkedSeconds` where there are checks. `noticedAfterSeconds` does not count: nobody looked at
   * the machine then. Absent unless the restore is complete, every check passed, and all parts are known.
   */
  readonly recoveredSeconds?: number;
  /** Its checks, in the order of the plan. */
  readonly checks: readonly StoredCheck[];
  /** True if another `up` than this one began the run or sent it, and no record of this run says what had come of it before. */
  readonly isRecordedLate?: boolean;
  /** The start of the run in which it was sent. */
  readonly runStartedAt?: string;
  /** True if it took over an earlier transaction; it is measured from that transaction's request. */
  readonly adopted: boolean;
  /** Unusual facts about it; empty when there are none. */
  readonly warnings: readonly string[];
  /** Why it failed or is not finished. Absent when it is complete and its checks passed. */
  readonly reason?: string;
  /** Identifies the posting; another posting is another restore. */
  readonly posting: string;
  /** The form of the restore that was carried out. Earlier releases stored none. */
  readonly revision?: string;
  /** While unfinished: the mark above which its transaction appears. */
  readonly postedAfter?: NonNullable<RestoreRecord["postedAfter"]>;
}

/** An earlier try of a restore in the same run, or the same try before the plan was changed. */
export interface StoredTry {
  /** The form of the restore that was carried out. */
  readonly revision?: string;
  readonly virtualMachineId?: string;
  readonly recoveryPointId?: string;
  /** How it ended, or its last known status. */
  readonly status: RestoreRecord["status"];
  /** All its transactions, oldest first. */
  readonly transactionIds: readonly string[];
  /** Panel: when it recorded the request. */
  readonly requestedAt?: string;
  /** Panel: when it ended. */
  readonly finishedAt?: string;
  readonly checks: readonly StoredTryCheck[];
}

/** What came of a check in an earlier try. */
export type StoredTryCheck = Pick<StoredCheck, "kind" | "name" | "target" | "result" | "reason">;

export type GoalVerdict = "met" | "missed" | "not set" | "not measured";
export type OverallVerdict = "passed" | "passed with warnings" | "failed" | "incomplete";

export interface StoredVerdict {
  readonly formatVersion: 1;
  readonly plan: string;
  readonly run: string;
  readonly verdict: OverallVerdict;
  readonly reasons: readonly string[];
  /** The recovery time of the whole plan: from the first request to the last end or check. */
  readonly recoveryTimeSeconds?: number;
  readonly slowest?: StoredSlowest;
  readonly counts: StoredCounts;
  readonly goals: readonly StoredGoal[];
  /** The last change of the run that it knows of: a later one is not judged yet. */
  readonly lastChangeAt?: string;
  /** Runner. */
  readonly decidedAt: string;
}

/** The slowest restore of a plan. */
export interface StoredSlowest {
  /** Its name. */
  readonly restore: string;
  /** From the request to the last check, or to the end where the check is not known. */
  readonly seconds: number;
}

/** The numbers of restores of a plan, by outcome. */
export interface StoredCounts {
  /** All of them. */
  readonly planned: number;
  /** Ended as complete. */
  readonly complete: number;
  /** Ended as failed. */
  readonly failed: number;
  /** Cancelled on the panel. */
  readonly cancelled: number;
  /** Not known to have ended. */
  readonly unfinished: number;
  /** Without a record in this run. */
  readonly notCarriedOut: number;
  /** Taken over instead of started. */
  readonly adopted: number;
  /** The checks of all restores. */
  readonly checks: StoredCheckCounts;
}

/** The numbers of checks of a plan, by result. */
export interface StoredCheckCounts {
  /** Passed in time. */
  readonly passed: number;
  /** Did not pass in time. */
  readonly failed: number;
  /** Not tried. */
  readonly notRun: number;
}

/** A goal and its result. */
export interface StoredGoal {
  /** `restore` for a goal of one restore, `whole` for one of the whole plan. */
  readonly scope: "restore" | "whole";
  /** The restore's name. */
  readonly restore?: string;
  /** The figure that the goal limits. */
  readonly goal: "recoveryTime" | "dataAge";
  /** The goal in seconds. */
  readonly targetSeconds?: number;
  /** The measured time. Absent where it could not be measured. */
  readonly measuredSeconds?: number;
  /** The time to spare; negative when the goal was missed. */
  readonly marginSeconds?: number;
  /** The result. A goal that could not be measured is not met. */
  readonly verdict: GoalVerdict;
}

/** Stands for a value that the program marked as a secret. Two of them cannot be compared. */
export const hidden = "[secret]";

/**
 * Identifies a posting among all postings of one restore: `<intent>/<resource>`, and the transaction that `adopt` names. It stays the same when the restore
 * is looked at again.
 */
export function postingId(intentId: string, resourceId: string, adopt: unknown): string {
  const named = namedTransaction(adopt);
  return `${intentId}/${resourceId}${named === undefined ? "" : `/${named}`}`;
}
