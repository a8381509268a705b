/**
 * Draft contract between provider/plan (which stores this) and report/ (which reads it from the exported state).
 * Everything is plain JSON as it lies in the *outputs* of the plan's resources. All stamps are ISO 8601 text.
 * "panel" stamps come from the panel, "runner" stamps from the machine that ran `pulumi up`.
 *
 * Resource types in the state:
 *   recovery:index:RecoveryPlan                    the component (type token; outputs repeat the verdict)
 *   pulumi-nodejs:dynamic/recovery:PlanRun         first child, saved before anything is posted: StoredRun
 *   pulumi-nodejs:dynamic/recovery:VmRestore, …:FileRestore, …:RestoreIntent    children, as they are today
 *   pulumi-nodejs:dynamic/recovery:PlanWave        one per wave: StoredWave (init error when it failed; its outputs are stored all the same)
 *   pulumi-nodejs:dynamic/recovery:PlanVerdict     last child: StoredVerdict
 * Names: plan "shop" → run "shop-run", restore "web" → "shop-web", wave "data" → "shop-wave-1-data", verdict "shop-verdict".
 * A reader takes names from the stored data, not from URNs. The restores' intents carry what they were made for.
 */
export interface StoredRun {
  readonly formatVersion: 1;
  readonly plan: string;
  readonly run: string;
  readonly kind: "drill" | "recovery";
  /** The plan as given, normalised; values that may be secret (headers, env, command's later words stay, env values do not) are "[secret]". */
  readonly asGiven: StoredPlan;
  /** "sha256:<hex>" of the canonical JSON of asGiven without `run` and `notes`. */
  readonly digest: string;
  /** The run before this one in the same stack, when there was one. */
  readonly previous?: { readonly run: string; readonly digest: string; readonly startedAt: string };
  /** asGiven changed since `previous` (digest differs); absent when there was no previous run. */
  readonly changed?: boolean;
  readonly startedAt: string; // runner
  readonly incidentAt?: string;
  readonly by: { readonly user?: string; readonly host?: string };
  readonly pipeline?: { readonly name: string; readonly url?: string; readonly run?: string; readonly commit?: string; readonly ref?: string; readonly actor?: string };
  readonly versions: { readonly "pulumi-recovery": string; readonly "@pulumi/pulumi": string; readonly node: string };
  readonly panel: string; // its address
  readonly notes?: { readonly scenario?: string; readonly owner?: string; readonly approver?: string; readonly reference?: string };
}

export interface StoredGoals { readonly recoveryTimeSeconds?: number; readonly dataAgeSeconds?: number }

export interface StoredPlan {
  readonly goals?: StoredGoals;
  readonly wholeGoals?: { readonly recoveryTimeSeconds?: number };
  readonly onFailure: "stop" | "continue";
  readonly onMissedGoal: "fail" | "warn";
  readonly waves: readonly {
    readonly name: string;
    readonly goals?: StoredGoals;
    readonly restores: Readonly<Record<string, {
      readonly virtualMachineId: string;
      readonly recoveryPointId: string;
      readonly paths?: readonly string[];
      readonly recoveryPointTakenAt?: string;
      readonly goals?: StoredGoals;
      readonly triggers?: readonly unknown[];
      readonly checks: readonly StoredCheckPlan[];
      /* and the other inputs as given */
    }>>;
  }[];
}

export interface StoredCheckPlan { readonly kind: "http" | "tcp" | "command"; readonly target: string; readonly everySeconds: number; readonly withinSeconds: number; readonly afterSeconds: number }

export interface StoredWave {
  readonly formatVersion: 1;
  readonly plan: string;
  readonly run: string;
  readonly index: number; // 0-based
  readonly name: string;
  readonly restores: Readonly<Record<string, StoredStep>>;
  readonly startedAt: string; // runner
  readonly endedAt: string; // runner
}

export interface StoredStep {
  readonly kind: "VmRestore" | "FileRestore";
  readonly urn: string;
  readonly virtualMachineId: string;
  readonly recoveryPointId: string;
  readonly recoveryPointTakenAt?: string;
  readonly paths?: readonly string[];
  /** As a restore's: complete | failed | cancelled | accepted | unknown | pending | running. */
  readonly status: string;
  readonly transactionIds: readonly string[];
  readonly action?: string;
  readonly requestedAt?: string; // panel
  readonly startedAt?: string; // panel
  readonly finishedAt?: string; // panel
  readonly queuedSeconds?: number;
  readonly durationSeconds?: number; // from request to end, queue included, by the panel's stamps
  readonly noticedAt?: string; // runner: when this process saw that it had ended
  readonly checkedAt?: string; // runner: when its last check passed or gave up
  readonly checkedSeconds?: number; // runner: noticed end → last check
  /** durationSeconds + checkedSeconds; absent when either is unknown, or a check failed. */
  readonly recoveredSeconds?: number;
  readonly dataAgeSeconds?: number; // incidentAt (default requestedAt of the plan's first) − recoveryPointTakenAt
  readonly goals: StoredGoals; // the ones in force for this restore
  readonly checks: readonly StoredCheck[];
  readonly adopted: boolean;
  readonly warnings: readonly string[];
  /** Why it is not good, in a sentence, when it is not. */
  readonly reason?: string;
}

export interface StoredCheck extends StoredCheckPlan {
  readonly result: "passed" | "failed" | "not run";
  readonly tries: number;
  readonly startedAt?: string; // runner
  readonly endedAt?: string; // runner
  readonly seconds?: number;
  readonly reason?: string; // what the last try said, without output
  // output of a command check, and bodies, lie in a separate secret output of the wave: `checkOutput`
}

export type GoalVerdict = "met" | "missed" | "not set" | "not measured";
export type PlanVerdict = "passed" | "passed with warnings" | "failed" | "incomplete";

export interface StoredVerdict {
  readonly formatVersion: 1;
  readonly plan: string;
  readonly run: string;
  readonly verdict: PlanVerdict;
  readonly reasons: readonly string[];
  readonly recoveryTimeSeconds?: number; // first request → last end or check
  readonly slowest?: { readonly restore: string; readonly seconds: number };
  readonly counts: { readonly planned: number; readonly complete: number; readonly failed: number; readonly cancelled: number; readonly unfinished: number; readonly notCarriedOut: number; readonly adopted: number };
  readonly goals: readonly { readonly scope: "restore" | "whole"; readonly restore?: string; readonly goal: "recoveryTime" | "dataAge"; readonly targetSeconds?: number; readonly measuredSeconds?: number; readonly marginSeconds?: number; readonly verdict: GoalVerdict }[];
  readonly decidedAt: string; // runner
}
