import type { RestoreKind } from "../../restore/terms/intent";
import type { RestoreRecord } from "../../restore/terms/record";

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
 * and between them the restores, `shop-web`, as they are anywhere, but with `wait: false`: what they have stored stays `accepted`
 * until a refresh, and the wave has the final record. A run that was cut off leaves waves and a verdict of the run
 * before it: what counts carries the name of the run in `run`.
 */
export interface StoredRun {
  readonly formatVersion: 1;
  readonly plan: string;
  readonly run: string;
  readonly kind: PlanKind;
  readonly asGiven: StoredPlan;
  /** `sha256:<hex>` of the canonical JSON of `asGiven` without the restores' `triggers`. */
  readonly digest: string;
  /** The run before this one in the same stack, when there was one. */
  readonly previous?: { readonly run: string; readonly digest: string; readonly startedAt: string };
  /** Whether `digest` differs from the previous run's. Absent without one. */
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

export type PlanKind = "drill" | "recovery";

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

export interface StoredGoals {
  readonly recoveryTimeSeconds?: number;
  readonly dataAgeSeconds?: number;
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

export interface StoredPlanRestore {
  readonly virtualMachineId: string;
  readonly recoveryPointId: string;
  readonly paths?: readonly string[];
  readonly recoveryPointTakenAt?: string;
  readonly goals?: StoredGoals;
  readonly triggers?: readonly unknown[];
  readonly timeouts?: unknown;
  readonly adopt?: unknown;
  readonly retryFailed?: boolean;
  readonly captureLog?: string;
  readonly checks: readonly StoredCheckPlan[];
}

export interface StoredCheckPlan {
  readonly kind: "http" | "tcp" | "command";
  /** What is asked: an address without credentials, `host:port`, the words of a command; `[secret]` when the program marks it secret. */
  readonly target: string;
  readonly everySeconds: number;
  readonly withinSeconds: number;
  readonly afterSeconds: number;
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
  /** Panel: the first request among the restores. */
  readonly firstRequestedAt?: string;
  /** Why the wave is not good, in sentences; empty when it is. */
  readonly reasons: readonly string[];
}

export interface StoredStep {
  readonly kind: RestoreKind;
  readonly urn: string;
  readonly virtualMachineId: string;
  readonly recoveryPointId: string;
  readonly recoveryPointTakenAt?: string;
  /** At most 100 of them; `pathCount` says how many there are. */
  readonly paths?: readonly string[];
  readonly pathCount?: number;
  readonly status: RestoreRecord["status"];
  readonly transactionId?: string;
  readonly transactionIds: readonly string[];
  readonly action?: string;
  /** Panel. */
  readonly requestedAt?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  /** From request to end by the panel's stamps, the queue included, and how much of it was the queue. */
  readonly durationSeconds?: number;
  readonly queuedSeconds?: number;
  /** Runner: when this end was noticed, and how long after it that was by the panel's clock. */
  readonly noticedAt?: string;
  readonly noticedAfterSeconds?: number;
  /** Runner: when the last check passed or gave up, and how long after `noticedAt`. Absent without checks. */
  readonly checkedAt?: string;
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
  readonly checks: readonly StoredCheck[];
  readonly adopted: boolean;
  readonly warnings: readonly string[];
  /** Why it is not good, in a sentence, when it is not. */
  readonly reason?: string;
  /** Which posting this is a record of; another one is another restore. */
  readonly posting: string;
  /** While unfinished: above which mark its transaction appears. */
  readonly postedAfter?: RestoreRecord["postedAfter"];
}

/** What a check printed lies in the wave's secret output `checkOutput`, a restore's log in its secret output `logOutput`. */
export interface StoredCheck extends StoredCheckPlan {
  readonly result: "passed" | "failed" | "not run";
  readonly tries: number;
  /** Runner. */
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly seconds?: number;
  /** What the last try came to, without any output. */
  readonly reason?: string;
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
  readonly slowest?: { readonly restore: string; readonly seconds: number };
  readonly counts: StoredCounts;
  readonly goals: readonly StoredGoal[];
  /** Runner. */
  readonly decidedAt: string;
}

export interface StoredCounts {
  readonly planned: number;
  readonly complete: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly unfinished: number;
  /** Nothing of this run is known of them. */
  readonly notCarriedOut: number;
  readonly adopted: number;
  readonly checks: { readonly passed: number; readonly failed: number; readonly notRun: number };
}

export interface StoredGoal {
  readonly scope: "restore" | "whole";
  readonly restore?: string;
  readonly goal: "recoveryTime" | "dataAge";
  readonly targetSeconds?: number;
  readonly measuredSeconds?: number;
  /** What was left of the goal; negative when it was missed. */
  readonly marginSeconds?: number;
  readonly verdict: GoalVerdict;
}
