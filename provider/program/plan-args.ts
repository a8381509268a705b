import type * as pulumi from "@pulumi/pulumi";
import type { Duration, RecoveryPointArg } from "./args";
import type { RestoreArgs } from "./restores";

/**
 * The inputs of a {@link RecoveryPlan}. Plain data: durations, goals, names and what happens after a failure are known before the run. Ids,
 * stamps, notes, and what a check asks may be outputs.
 */
export interface RecoveryPlanArgs {
  /**
   * Names this run of the plan, like `"2026-Q4"`. With another name than the last run's every restore runs again, also with one that was used
   * earlier; with the same name nothing does.
   */
  run: pulumi.Input<string>;
  /**
   * The waves, one after the other: the restores of a wave are requested once the wave before it has ended and its checks have passed.
   */
  waves: RecoveryWaveArgs[];
  /**
   * What the run is called in reports.
   *
   * @default "drill"
   */
  kind?: "drill" | "recovery";
  /**
   * Goals of each restore, where its wave or itself has no other one.
   *
   * @default none
   */
  goals?: RecoveryGoalsArgs;
  /**
   * Goals of the plan as a whole.
   *
   * @default none
   */
  wholeGoals?: WholeGoalsArgs;
  /**
   * By what the recovery point is chosen of each restore that has neither `recoveryPointId` nor a rule of its own or of its wave: `"newest"`, or
   * `{ before: "2026-11-20T09:30:00Z", within: "7d", pick: "oldest" }`, each part optional. A rule without `before` takes `incidentAt` for it, where
   * there is one. It is chosen once for each run and kept; a newer backup changes nothing.
   *
   * @default none
   */
  recoveryPoint?: pulumi.Input<RecoveryPointArg | undefined>;
  /**
   * After a restore that failed or a check that did not pass: `"stop"` ends the run when the wave has ended; `"continue"` starts the later
   * waves all the same, and the verdict fails the run at the end.
   *
   * @default "stop"
   */
  onFailure?: "stop" | "continue";
  /**
   * After a goal that was missed or could not be measured: `"fail"` fails the run at its end; `"warn"` does not.
   *
   * @default "fail"
   */
  onMissedGoal?: "fail" | "warn";
  /**
   * What the age of the data is measured against, with its zone: `"2026-11-20T09:30:00Z"`.
   *
   * @default the first request of the run
   */
  incidentAt?: pulumi.Input<string | undefined>;
  /**
   * For the report, shown as given.
   *
   * @default none
   */
  notes?: RecoveryNotesArgs;
}

/** One wave of a plan. */
export interface RecoveryWaveArgs {
  /** Unique in the plan. */
  name: string;
  /** The restores by their names, which are unique in the whole plan. */
  restores: Record<string, PlannedRestoreArgs>;
  /**
   * Goals of each restore of this wave.
   *
   * @default the plan's, each goal by itself
   */
  goals?: RecoveryGoalsArgs;
  /**
   * By what the recovery point is chosen of each restore of this wave that has neither `recoveryPointId` nor a rule of its own.
   *
   * @default the plan's
   */
  recoveryPoint?: pulumi.Input<RecoveryPointArg | undefined>;
}

/**
 * One restore of a plan: of a machine, or with `paths` of files. It takes every input of a VmRestore or FileRestore, except `wait`: its wave waits
 * for it.
 */
export interface PlannedRestoreArgs extends Omit<RestoreArgs, "wait" | "recoveryPoint" | "recoveryPointId"> {
  /**
   * The recovery point to restore from, one of the machine's own backups. Letters, digits, `-` and `_` only; kept as a string. It comes before the
   * rules of the wave and of the plan.
   *
   * A change runs a new restore.
   *
   * @default chosen by `recoveryPoint`
   */
  recoveryPointId?: pulumi.Input<number | string | undefined>;
  /**
   * By what the recovery point is chosen from the panel's list, instead of `recoveryPointId`.
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
   * When the recovery point was taken, with its zone. Without it the age of the data is not measured. Not beside a rule, which takes the time
   * from the panel's list.
   *
   * @default none
   */
  recoveryPointTakenAt?: pulumi.Input<string | undefined>;
  /**
   * Goals of this restore.
   *
   * @default its wave's, else the plan's, each goal by itself
   */
  goals?: RecoveryGoalsArgs;
  /**
   * What has to be true of the machine once the restore has ended. All are tried at the same time, and all have to pass.
   *
   * @default none
   */
  checks?: RecoveryCheckArgs[];
}

/** Goals of one restore. */
export interface RecoveryGoalsArgs {
  /**
   * From the panel's record of the request until the last check has passed: `"1h"`.
   *
   * @default none
   */
  recoveryTime?: Duration;
  /**
   * From the recovery point to the incident: `"24h"`.
   *
   * @default none
   */
  dataAge?: Duration;
}

/** Goals of the whole plan. */
export interface WholeGoalsArgs {
  /**
   * From the first request to the last end or check of all: `"4h"`.
   *
   * @default none
   */
  recoveryTime?: Duration;
}

/** For the report, shown as given. */
export interface RecoveryNotesArgs {
  /**
   * What is supposed to have happened.
   *
   * @default none
   */
  scenario?: pulumi.Input<string | undefined>;
  /**
   * Who answers for the plan.
   *
   * @default none
   */
  owner?: pulumi.Input<string | undefined>;
  /**
   * Who has approved the run.
   *
   * @default none
   */
  approver?: pulumi.Input<string | undefined>;
  /**
   * A ticket, a document, a control.
   *
   * @default none
   */
  reference?: pulumi.Input<string | undefined>;
}

/** A check: one of `http`, `tcp` and `command`. */
export type RecoveryCheckArgs = HttpCheckArgs | TcpCheckArgs | CommandCheckArgs;

/** How often and how long a check is tried, measured from the moment the end of the restore was noticed. */
export interface CheckTimesArgs {
  /**
   * From the beginning of one try to the next.
   *
   * @default "5s"
   */
  every?: Duration;
  /**
   * How long it is tried, from the first try on.
   *
   * @default "5m"
   */
  within?: Duration;
  /**
   * A pause before the first try.
   *
   * @default none
   */
  after?: Duration;
}

/** Asks an address and judges the answer. Redirects are not followed. */
export interface HttpCheckArgs extends CheckTimesArgs {
  /** The address, `http` or `https`. */
  http: pulumi.Input<string>;
  /**
   * The status, or the statuses, that pass.
   *
   * @default 200 to 299
   */
  status?: pulumi.Input<number | readonly number[] | undefined>;
  /**
   * A text that has to be in the first megabyte of the answer.
   *
   * @default none
   */
  contains?: pulumi.Input<string | undefined>;
  /**
   * Headers to send. Their values are kept as secrets.
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
  /** `"host:port"`, or `"[address]:port"` for IPv6. */
  tcp: pulumi.Input<string>;
}

/** Runs a command on the machine that runs `pulumi up`, without a shell; it passes when it ends with 0. */
export interface CommandCheckArgs extends CheckTimesArgs {
  /** The command and its arguments. */
  command: pulumi.Input<readonly pulumi.Input<string>[]>;
  /**
   * Variables of its environment, beside `PATH`, `HOME` and a few more. Their values are kept as secrets.
   *
   * @default none
   */
  env?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
}
