import type { ChosenFrom } from "../inputs/intent";
import type { PointRule } from "../inputs/read-point-rule";
import type { StoredCheck, StoredCheckPlan } from "../inputs/read-check";
import type { StoredGoals } from "../inputs/read-goals";
import type { PlanKind } from "../inputs/read-plan";
import type { RestoreRecord } from "../inputs/record";
import type { InputName, RestoreKind } from "../inputs/restore-table";

/**
 * What a plan leaves in the stack's state: the outputs of its resources, as plain data. Whatever reports a run reads these and nothing
 * else, so a field is only ever added. Stamps are ISO 8601 texts; "panel" and "runner" say by whose clock.
 *
 * | resource                                       | name                          | outputs         |
 * | ---------------------------------------------- | ----------------------------- | --------------- |
 * | `recovery:index:RecoveryPlan`                  | `shop`                        | repeat the rest |
 * | `pulumi-nodejs:dynamic/recovery:PlanRun`       | `shop-run`                    | `StoredRun`     |
 * | `pulumi-nodejs:dynamic/recovery:PlanWave`      | `shop-wave-1-data`            | `StoredWave`    |
 * | `pulumi-nodejs:dynamic/recovery:PlanVerdict`   | `shop-verdict`                | `StoredVerdict` |
 *
 * Of a program in another language, whose resources the plugin makes, all four types begin with `recovery:index:`. Between these
 * resources stand the restores, `shop-web`, as they are anywhere, but with `wait: false`: what they have stored stays `accepted` until a
 * refresh, and the wave has the final record. A run that was cut off leaves waves and a verdict of the run before it: what counts carries
 * the name of the run in `run`.
 */
export interface StoredRun {
  readonly formatVersion: 1;
  readonly plan: string;
  readonly run: string;
  readonly kind: PlanKind;
  readonly asGiven: StoredPlan;
  /**
   * `v2:sha256:<hex>` of the canonical JSON of `asGiven` with its hashes, without the restores' `triggers`; of earlier releases `sha256:<hex>`, without
   * hashes. It tells two plans apart within one version and one key.
   */
  readonly digest: string;
  /** What the hashes were made with: a secret, made with the first run, and kept. */
  readonly key?: string;
  /** What is asked of each restore and its checks, as keyed hashes. Absent where an earlier release stored the run. */
  readonly hashes?: StoredHashes;
  /** The run before this one in the same stack, when there was one. */
  readonly previous?: { readonly run: string; readonly digest: string; readonly startedAt: string };
  /** Whether the plan differs from the previous run's. Absent without one, and where that cannot be told. */
  readonly changed?: boolean;
  /** What differs, as paths: `waves[0].restores.db.recoveryPointId`. At most 100. */
  readonly changedPaths?: readonly string[];
  /** Changes of the plan made after the run had begun. */
  readonly amended: readonly { readonly at: string; readonly digest: string; readonly paths: readonly string[] }[];
  /** Runner: when the run was first saved, before anything was posted. */
  readonly startedAt: string;
  readonly incidentAt?: string;
  readonly by: { readonly user?: string; readonly host?: string };
  readonly pipeline?: StoredPipeline;
  readonly versions: Readonly<Partial<Record<"pulumi-recovery" | "@pulumi/pulumi" | "node", string>>>;
  /** The panel's address. */
  readonly panel: string;
  readonly notes?: StoredNotes;
}

export type StoredHashes = Readonly<Record<string, StoredHash>>;

/** Keyed hashes of one restore of a plan. */
export interface StoredHash {
  /** Of what its intent is to be made for: kind, machine, point, paths and all triggers, the run's name among them. */
  readonly madeFor: string;
  /** The same without triggers. */
  readonly restores: string;
  /** Of each check as it was given. */
  readonly checks: readonly string[];
}

export interface StoredPipeline {
  readonly name: string;
  readonly url?: string;
  readonly run?: string;
  readonly commit?: string;
  readonly ref?: string;
  readonly actor?: string;
}

export interface StoredNotes {
  readonly scenario?: string;
  readonly owner?: string;
  readonly approver?: string;
  readonly reference?: string;
}

/** The plan as given, in one spelling. What may be secret (headers, environments, an address that is an output marked secret) is not in it. */
export interface StoredPlan {
  readonly goals?: StoredGoals;
  readonly wholeGoals?: Pick<StoredGoals, "recoveryTimeSeconds">;
  readonly onFailure: "stop" | "continue";
  readonly onMissedGoal: "fail" | "warn";
  readonly waves: readonly StoredPlanWave[];
}

export interface StoredPlanWave {
  readonly name: string;
  readonly goals?: StoredGoals;
  readonly restores: Readonly<Record<string, StoredPlanRestore>>;
}

/** Beside these, every other input as given. */
export interface StoredPlanRestore extends Partial<Readonly<Record<InputName, unknown>>> {
  readonly virtualMachineId: string;
  readonly recoveryPointId?: string;
  /** The rule in force, where no id is given: its own, else its wave's, else the plan's. */
  readonly recoveryPoint?: PointRule | typeof hidden;
  readonly paths?: readonly string[];
  readonly recoveryPointTakenAt?: string;
  readonly goals?: StoredGoals;
  readonly triggers?: readonly unknown[];
  readonly checks: readonly StoredCheckPlan[];
}

/**
 * A wave as its resource has seen it. With `onFailure: "stop"`, a wave that is not good is stored with init errors, and with these outputs
 * all the same.
 * Where one machine is restored more than once in a wave, its later restores come in a later round, which is a resource of its own
 * (`shop-wave-1-data-round-2`): the `restores` of all rounds of one `index` together are the wave.
 */
export interface StoredWave {
  readonly formatVersion: 1;
  readonly plan: string;
  readonly run: string;
  /** From 0. */
  readonly index: number;
  readonly name: string;
  /** From 0. */
  readonly round: number;
  readonly restores: Readonly<Record<string, StoredStep>>;
  /** Runner: when the waiting began, and when the last check was over. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Panel: the first request among the restores, earlier tries of this run included. */
  readonly firstRequestedAt?: string;
  /** Why the wave is not good, in sentences; empty when it is. */
  readonly reasons: readonly string[];
}

/** How one restore of a plan came out. */
export interface StoredStep {
  /** Whether a machine was restored, or files. */
  readonly kind: RestoreKind;
  /** The restore's own resource. */
  readonly urn: string;
  /** The machine. */
  readonly virtualMachineId: string;
  /** The recovery point. */
  readonly recoveryPointId: string;
  /** When the recovery point was taken: as given, or by the panel's list where a rule has chosen it. */
  readonly recoveryPointTakenAt?: string;
  /** The rule by which the recovery point was chosen. */
  readonly recoveryPoint?: PointRule;
  /** From what it was chosen. Absent where `adopt` named a transaction, so that nothing was. */
  readonly chosenFrom?: ChosenFrom;
  /** At most 100 of them; `pathCount` says how many there are. */
  readonly paths?: readonly string[];
  /** How many paths there are. */
  readonly pathCount?: number;
  /** How the restore ended, or how far it was when it was last looked at. */
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
  /** From request to end by the panel's stamps, the queue included. */
  readonly durationSeconds?: number;
  /** How much of `durationSeconds` it was queued. */
  readonly queuedSeconds?: number;
  /** Runner: when this end was noticed. */
  readonly noticedAt?: string;
  /** How long after the end it was noticed, by the panel's clock. */
  readonly noticedAfterSeconds?: number;
  /** Runner: when the last check passed or gave up. Absent without checks. */
  readonly checkedAt?: string;
  /** From `noticedAt` to `checkedAt`. */
  readonly checkedSeconds?: number;
  /**
   * What the machine took to recover: `durationSeconds + checkedSeconds`, without checks `durationSeconds`. `noticedAfterSeconds` is not in
   * it: nobody looked at the machine then. Absent unless the restore is complete, every check passed, and all parts are known.
   */
  readonly recoveredSeconds?: number;
  /** From the recovery point to the incident, or to the plan's first request. */
  readonly dataAgeSeconds?: number;
  /** The goals in force for this restore: its own, else its wave's, else the plan's. */
  readonly goals: StoredGoals;
  /** Its checks, in the order in which they are given. */
  readonly checks: readonly StoredCheck[];
  /** Whether a transaction started earlier was taken over: it is measured from its original request. */
  readonly adopted: boolean;
  /** What was unusual about it. Empty when nothing was. */
  readonly warnings: readonly string[];
  /** Why it is not good, in a sentence, when it is not. */
  readonly reason?: string;
  /** What came of it before in the same run, oldest first: at most 20, the first of all among them. Absent when this is the only try. */
  readonly earlierTries?: readonly StoredTry[];
  /** Which posting this is a record of; another one is another restore. */
  readonly posting: string;
  /** The hash of what its intent was made for, made with the run's key. Absent where an earlier release stored it. */
  readonly madeFor?: string;
  /** While unfinished: above which mark its transaction appears. */
  readonly postedAfter?: RestoreRecord["postedAfter"];
}

/** A try of a restore that another one has followed in the same run. */
export interface StoredTry {
  /** How it ended, or how far it was when it was last looked at. */
  readonly status: RestoreRecord["status"];
  /** All its transactions, oldest first. */
  readonly transactionIds: readonly string[];
  /** Panel: when it recorded the request. */
  readonly requestedAt?: string;
  /** Panel: when it ended. */
  readonly finishedAt?: string;
}

export type GoalVerdict = "met" | "missed" | "not set" | "not measured";
export type OverallVerdict = "passed" | "passed with warnings" | "failed" | "incomplete";

export interface StoredVerdict {
  readonly formatVersion: 1;
  readonly plan: string;
  readonly run: string;
  readonly verdict: OverallVerdict;
  readonly reasons: readonly string[];
  /** From the first request to the last end or check: the recovery time of the whole plan. */
  readonly recoveryTimeSeconds?: number;
  readonly slowest?: StoredSlowest;
  readonly counts: StoredCounts;
  readonly goals: readonly StoredGoal[];
  /** Runner. */
  readonly decidedAt: string;
}

/** The restore of a plan that took longest. */
export interface StoredSlowest {
  /** Its name. */
  readonly restore: string;
  /** From the request to the last check, or to the end where that is not known. */
  readonly seconds: number;
}

/** How many restores a plan has, and how they ended. */
export interface StoredCounts {
  /** All of them. */
  readonly planned: number;
  /** Ended well. */
  readonly complete: number;
  /** Ended badly. */
  readonly failed: number;
  /** Somebody has cancelled them. */
  readonly cancelled: number;
  /** Not seen to end. */
  readonly unfinished: number;
  /** Nothing of this run is known of them. */
  readonly notCarriedOut: number;
  /** Taken over instead of started. */
  readonly adopted: number;
  /** The checks of all of them. */
  readonly checks: StoredCheckCounts;
}

/** How many checks a plan has, by what they came to. */
export interface StoredCheckCounts {
  /** Passed in time. */
  readonly passed: number;
  /** Did not pass in time. */
  readonly failed: number;
  /** Were not tried. */
  readonly notRun: number;
}

/** A goal, and whether it was met. */
export interface StoredGoal {
  /** Whether it is about one restore or the whole plan. */
  readonly scope: "restore" | "whole";
  /** The restore's name. */
  readonly restore?: string;
  /** What is wanted of it. */
  readonly goal: "recoveryTime" | "dataAge";
  /** The goal in seconds. */
  readonly targetSeconds?: number;
  /** What was measured. Absent where it could not be. */
  readonly measuredSeconds?: number;
  /** What was left of the goal; negative when it was missed. */
  readonly marginSeconds?: number;
  /** What it comes to. A goal that could not be measured is not met. */
  readonly verdict: GoalVerdict;
}

/** What stands where the program has marked a value as a secret: it tells nothing about it, and so tells no two of them apart. */
export const hidden = "[secret]";
