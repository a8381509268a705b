import type * as pulumi from "@pulumi/pulumi";
import type { Duration, RecoveryPointArg } from "../../provider/program/args";
import type { DependsOn } from "../../provider/program/function-args";
import type { RestoreArgs } from "../../provider/program/restores";

/**
 * The inputs of a {@link RecoveryPlan}. Durations, goals, names, `onFailure` and `onMissedGoal` are plain data, known before the run. Ids,
 * times, notes, and the request of a check may be outputs.
 */
export interface RecoveryPlanArgs {
  /**
   * The name of this run of the plan, like `"2026-Q4"`; a new name runs every restore again.
   *
   * Use each name once: the preview rejects the name of an earlier run. With the same name, only what has failed or was changed runs again.
   */
  run: pulumi.Input<string>;
  /**
   * The waves, in order; each starts when the previous wave has ended and its checks have passed.
   */
  waves: RecoveryWaveArgs[];
  /**
   * The word for the run in reports.
   *
   * @default "drill"
   */
  kind?: "drill" | "recovery";
  /**
   * Goals for every restore without goals of its own or of its wave.
   *
   * @default none
   */
  goals?: RecoveryGoalsArgs;
  /**
   * Goals for the plan as a whole.
   *
   * @default none
   */
  wholeGoals?: WholeGoalsArgs;
  /**
   * The rule that chooses the recovery point of every restore that names none, directly or through its wave.
   *
   * Write `"newest"`, or any parts of `{ before: "2026-11-20T09:30:00Z", within: "7d", pick: "oldest" }`. A rule without `before`
   * uses `incidentAt`, if it is set. The point is chosen once for each run and kept; a newer backup changes nothing.
   *
   * @default none
   */
  recoveryPoint?: pulumi.Input<RecoveryPointArg | undefined>;
  /**
   * What happens to the later waves after a failed restore or check.
   *
   * `"stop"` ends the run when the wave has ended. `"continue"` starts the later waves anyway, and the verdict fails the run at the end.
   *
   * @default "stop"
   */
  onFailure?: "stop" | "continue";
  /**
   * What happens when a goal is missed or can't be measured.
   *
   * `"fail"` fails the run at its end; `"warn"` does not.
   *
   * @default "fail"
   */
  onMissedGoal?: "fail" | "warn";
  /**
   * The time of the incident, with a time zone, like `"2026-11-20T09:30:00Z"`; data ages are measured against it.
   *
   * Restores from later points are rejected; those already made leave the verdict incomplete.
   *
   * @default the first request of each restore
   */
  incidentAt?: pulumi.Input<string | undefined>;
  /**
   * Notes for the report, shown as given.
   *
   * @default none
   */
  notes?: RecoveryNotesArgs;
  /**
   * Look up every machine and recovery point on the panel before the first wave.
   *
   * If the panel doesn't list one, `pulumi up` fails before anything is sent. With `false`, it fails only when the wave begins.
   *
   * @default true
   */
  lookUp?: boolean;
}

/** One wave of a plan. */
export interface RecoveryWaveArgs {
  /** The name of the wave, unique in the plan. */
  name: string;
  /** The restores, each under a name unique in the plan; at most 3,000 in a wave, with 10,000 checks. */
  restores: Record<string, PlannedRestoreArgs>;
  /**
   * Goals for every restore of this wave that has none of its own.
   *
   * @default the plan's, each goal separately
   */
  goals?: RecoveryGoalsArgs;
  /**
   * The rule that chooses the recovery point of every restore of this wave that names none itself.
   *
   * @default the plan's
   */
  recoveryPoint?: pulumi.Input<RecoveryPointArg | undefined>;
  /**
   * The resources that the restores wait for, or a function that receives the earlier waves and returns such resources.
   *
   * All functions are called before anything in the plan is registered. A resource that a function constructs is created at once, unless its
   * own `dependsOn` names a wave. Pass the run to it as a trigger; otherwise, it runs only in the first run.
   *
   * @default none
   */
  dependsOn?: WaveDependencies;
}

/** The resources that a wave's restores come after. */
export type WaveDependencies = DependsOn | ((waves: EarlierWaves) => pulumi.Resource | readonly pulumi.Resource[]);

/** The earlier waves by name, as a resource's `dependsOn` accepts them. */
export type EarlierWaves = Readonly<Record<string, Promise<pulumi.Resource>>>;

/**
 * One restore of a plan: of a machine, or of files if it has `paths`. It accepts every input of a VmRestore or FileRestore except `wait`,
 * because its wave waits for it.
 */
export interface PlannedRestoreArgs extends Omit<RestoreArgs, "wait" | "recoveryPoint" | "recoveryPointId"> {
  /**
   * The id of the recovery point to restore from, one of the machine's own backups.
   *
   * It has letters, digits, `-` and `_` only, and is kept as a string. It overrides the rules of the wave and of the plan. A change runs a
   * new restore.
   *
   * @default chosen by `recoveryPoint`
   */
  recoveryPointId?: pulumi.Input<number | string | undefined>;
  /**
   * The rule that chooses the recovery point from the panel's list, instead of `recoveryPointId`.
   *
   * A change runs a new restore.
   *
   * @default its wave's, else the plan's
   */
  recoveryPoint?: pulumi.Input<RecoveryPointArg | undefined>;
  /**
   * Files and folders to restore instead of the whole machine.
   *
   * @default none: the whole machine
   */
  paths?: pulumi.Input<readonly pulumi.Input<string>[] | undefined>;
  /**
   * The time at which the recovery point was taken, with a time zone.
   *
   * Without this time, the age of the data is not measured. With a rule, omit it: the time comes from the panel's list.
   *
   * @default none
   */
  recoveryPointTakenAt?: pulumi.Input<string | undefined>;
  /**
   * Goals for this restore.
   *
   * @default its wave's, else the plan's, each goal separately
   */
  goals?: RecoveryGoalsArgs;
  /**
   * The checks that must pass once the restore has ended.
   *
   * They all start at the same time.
   *
   * @default none
   */
  checks?: RecoveryCheckArgs[];
}

/** Goals of one restore. */
export interface RecoveryGoalsArgs {
  /**
   * The longest allowed time from the panel's record of the request until the last check has passed, like `"1h"`.
   *
   * @default none
   */
  recoveryTime?: Duration;
  /**
   * The longest allowed time from the recovery point to the incident, like `"24h"`.
   *
   * @default none
   */
  dataAge?: Duration;
}

/** Goals of the whole plan. */
export interface WholeGoalsArgs {
  /**
   * The longest allowed time from the first request to the end of the last restore or check, like `"4h"`.
   *
   * @default none
   */
  recoveryTime?: Duration;
}

/** Notes for the report, shown as given. */
export interface RecoveryNotesArgs {
  /**
   * The incident that the run rehearses or responds to.
   *
   * @default none
   */
  scenario?: pulumi.Input<string | undefined>;
  /**
   * The owner of the plan.
   *
   * @default none
   */
  owner?: pulumi.Input<string | undefined>;
  /**
   * The person who approved the run.
   *
   * @default none
   */
  approver?: pulumi.Input<string | undefined>;
  /**
   * A ticket, a document or a control.
   *
   * @default none
   */
  reference?: pulumi.Input<string | undefined>;
}

/** A check: one of `http`, `tcp` and `command`. */
export type RecoveryCheckArgs = HttpCheckArgs | TcpCheckArgs | CommandCheckArgs;

/** The name of a check, and its times, measured from the moment the end of the restore was noticed. */
export interface CheckTimesArgs {
  /**
   * The name in messages and reports, unique among the checks of the restore.
   *
   * @default its kind; for `http` and `tcp`, also the host
   */
  name?: string;
  /**
   * The time from the start of one attempt to the start of the next.
   *
   * @default "5s"
   */
  every?: Duration;
  /**
   * How long the check is attempted, from the first attempt on.
   *
   * @default "5m"
   */
  within?: Duration;
  /**
   * A pause before the first attempt.
   *
   * @default none
   */
  after?: Duration;
}

/** Requests an address and checks the response. Redirects are not followed. */
export interface HttpCheckArgs extends CheckTimesArgs {
  /** The address, `http` or `https`. It is kept as a secret; only its host is shown. */
  http: pulumi.Input<string>;
  /**
   * The status or statuses that pass.
   *
   * @default 200 to 299
   */
  status?: pulumi.Input<number | readonly number[] | undefined>;
  /**
   * Text that the first megabyte of the response must contain.
   *
   * @default none
   */
  contains?: pulumi.Input<string | undefined>;
  /**
   * Headers to send, kept as secrets.
   *
   * @default none
   */
  headers?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /**
   * A file with the certificates of a private authority.
   *
   * @default none: the authorities that Node.js knows
   */
  caFile?: pulumi.Input<string | undefined>;
}

/** Opens a connection and closes it again. */
export interface TcpCheckArgs extends CheckTimesArgs {
  /** `"host:port"`, or `"[address]:port"` for IPv6. Only the host is shown. */
  tcp: pulumi.Input<string>;
}

/** Runs a command on the machine that runs `pulumi up`, without a shell. It passes when the command exits with code 0. */
export interface CommandCheckArgs extends CheckTimesArgs {
  /** The command and its arguments, kept as a secret. */
  command: pulumi.Input<readonly pulumi.Input<string>[]>;
  /**
   * Environment variables, besides `PATH`, `HOME` and a few more; kept as secrets.
   *
   * @default none
   */
  env?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
}
