import type * as pulumi from "@pulumi/pulumi";
import type { Duration, RecoveryPointArg } from "../../provider/program/args";
import type { DependsOn } from "../../provider/program/function-args";
import type { RestoreArgs } from "../../provider/program/restores";

/**
 * The inputs of a {@link RecoveryPlan}. Durations, goals, names, `onFailure` and `onMissedGoal` are plain data, known before the run. Ids,
 * times, notes, and a check's request may be outputs.
 */
export interface RecoveryPlanArgs {
  /**
   * The name of this run of the plan, like `"2026-Q4"`; a new name runs every restore again.
   *
   * Use each name only once: the preview rejects the name of an earlier run. While the name stays the same, only what failed or changed runs again.
   */
  run: pulumi.Input<string>;
  /**
   * The waves, in order; each starts when the previous wave has ended and its checks have passed.
   */
  waves: RecoveryWaveArgs[];
  /**
   * What reports call the run.
   *
   * @default "drill"
   */
  kind?: "drill" | "recovery";
  /**
   * Goals for every restore, unless the restore or its wave sets its own.
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
   * The rule that chooses the recovery point for every restore, unless the restore or its wave specifies its own.
   *
   * Either `"newest"`, or any of these fields: `{ before: "2026-11-20T09:30:00Z", within: "7d", pick: "oldest" }`. A rule without `before`
   * uses `incidentAt` if that is set. The point is chosen once per run, and again only after new `triggers`.
   *
   * @default none
   */
  recoveryPoint?: pulumi.Input<RecoveryPointArg | undefined>;
  /**
   * What happens to the later waves after a failed restore or check.
   *
   * `"stop"` ends the run after the current wave. `"continue"` starts the later waves anyway, and the run fails at the end.
   *
   * @default "stop"
   */
  onFailure?: "stop" | "continue";
  /**
   * What happens when a goal is missed or can't be measured.
   *
   * `"fail"` makes the run fail at the end; `"warn"` does not.
   *
   * @default "fail"
   */
  onMissedGoal?: "fail" | "warn";
  /**
   * The time of the incident, with a time zone, like `"2026-11-20T09:30:00Z"`; data age is measured relative to it.
   *
   * Restores from later points are rejected; after changing this, repeat complete restores with new `triggers`.
   *
   * @default each restore's first request
   */
  incidentAt?: pulumi.Input<string | undefined>;
  /**
   * For the report: `scenario`, `owner`, `approver`, `reference`.
   *
   * @default none
   */
  notes?: RecoveryNotesArgs;
  /**
   * Look up every machine and recovery point on the panel before the first wave.
   *
   * With `false`, `pulumi up` fails only when the wave of an unlisted machine or point begins.
   *
   * @default true
   */
  lookUp?: boolean;
}

/** One wave of a plan. */
export interface RecoveryWaveArgs {
  /** The name of the wave, unique in the plan. */
  name: string;
  /** The wave's restores, each with a name unique in the plan; at most 3,000, with 10,000 checks. */
  restores: Record<string, PlannedRestoreArgs>;
  /**
   * Goals for every restore in this wave, unless the restore sets its own.
   *
   * @default the plan's, each goal separately
   */
  goals?: RecoveryGoalsArgs;
  /**
   * The rule that chooses the recovery point for every restore in this wave, unless the restore specifies its own.
   *
   * @default the plan's
   */
  recoveryPoint?: pulumi.Input<RecoveryPointArg | undefined>;
  /**
   * The resources that the restores wait for, or a function that receives the earlier waves and returns such resources.
   *
   * All functions are called before anything in the plan is registered. A resource that a function constructs is created immediately,
   * unless its own `dependsOn` names a wave. Pass the run to the resource as a trigger; otherwise, it does nothing after the first run.
   *
   * @default none
   */
  dependsOn?: WaveDependencies;
}

/** The resources that a wave's restores wait for. */
export type WaveDependencies = DependsOn | ((waves: EarlierWaves) => pulumi.Resource | readonly pulumi.Resource[]);

/** The earlier waves by name, as a resource's `dependsOn` accepts them. */
export type EarlierWaves = Readonly<Record<string, Promise<pulumi.Resource>>>;

/**
 * One restore in a plan: of a machine or, with `paths`, of files. It accepts every input of a VmRestore or FileRestore except `wait`,
 * because the wave waits for its restores.
 */
export interface PlannedRestoreArgs extends Omit<RestoreArgs, "wait" | "recoveryPoint"> {
  /**
   * The rule that chooses the recovery point from the panel's list, instead of `recoveryPointId`. Either overrides the rules of the wave and the plan.
   *
   * Changing it causes another restore.
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
   * When the recovery point was taken, with a time zone.
   *
   * Without this time, data age is not measured, and a data age goal makes the run incomplete. If a rule chooses the point, omit this time: the panel's list
   * supplies it.
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
   * The longest allowed time from when the panel recorded the request to when the last check passed, like `"1h"`.
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

/** The name of a check, and its times, measured from the moment the restore was seen to have ended. */
export interface CheckTimesArgs {
  /**
   * The name in messages and reports, unique among the restore's checks.
   *
   * @default the kind of check and, for `http` and `tcp`, the host
   */
  name?: string;
  /**
   * The time from the start of one attempt to the start of the next.
   *
   * @default "5s"
   */
  every?: Duration;
  /**
   * How long to keep trying, counted from the first attempt.
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

/** Sends a request to a URL and checks the response. Redirects are not followed. */
export interface HttpCheckArgs extends CheckTimesArgs {
  /** The URL (`http` or `https`), kept as a secret; only the host is shown. */
  http: pulumi.Input<string>;
  /**
   * The accepted HTTP status or statuses.
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
   * A file with the certificates of a private certificate authority.
   *
   * @default none: the authorities that Node.js trusts
   */
  caFile?: pulumi.Input<string | undefined>;
}

/** Opens a connection and closes it again. */
export interface TcpCheckArgs extends CheckTimesArgs {
  /** `"host:port"`, or `"[address]:port"` for IPv6. Only the host is shown. */
  tcp: pulumi.Input<string>;
}

/** Runs a command on the machine that runs `pulumi up`, without a shell. The check passes when the command exits with code 0. */
export interface CommandCheckArgs extends CheckTimesArgs {
  /** The command and its arguments, kept secret. */
  command: pulumi.Input<readonly pulumi.Input<string>[]>;
  /**
   * Environment variables, besides `PATH`, `HOME` and a few more; kept as secrets.
   *
   * @default none
   */
  env?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
}
