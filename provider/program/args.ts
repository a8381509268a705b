import type * as pulumi from "@pulumi/pulumi";

/** `"newest"`, or the parts of a rule. */
export type RecoveryPointArg = "newest" | RecoveryPointRuleArgs;

/** A rule that chooses a recovery point from the panel's list. Every field is optional. */
export interface RecoveryPointRuleArgs {
  /**
   * Only points taken before this time: ISO 8601 with a time zone, like `"2026-11-20T09:30:00Z"`.
   *
   * @default any
   */
  before?: pulumi.Input<string | undefined>;
  /**
   * Only points no older than this when the rule is applied, by the panel's clock.
   *
   * @default any
   */
  within?: pulumi.Input<Duration | undefined>;
  /**
   * Which matching point to use: the newest, the oldest, or a random one.
   *
   * @default "newest"
   */
  pick?: pulumi.Input<"newest" | "oldest" | "random" | undefined>;
}

/** `"90s"`, `"10m"`, `"1h30m"`, `"1d"`, or a number of seconds. */
export type Duration = string | number;

/**
 * Limits for the phases of a restore. Reaching a limit does not stop the restore: `pulumi up` fails and names the limit, and the next
 * `up` waits again and sends nothing.
 */
export interface RestoreTimeoutsArgs {
  /**
   * How long to wait (at least `recovery:requestTimeout`) for the machine's other transactions to end.
   *
   * With `0`, the restore is not sent if the machine is busy.
   *
   * @default "30m"
   */
  busy?: pulumi.Input<Duration | undefined>;
  /**
   * How long to wait, after the panel's response, for the restore to be listed.
   *
   * @default "2m"
   */
  listed?: pulumi.Input<Duration | undefined>;
  /**
   * How long to wait for the restore to end once it is listed.
   *
   * @default "4h"
   */
  run?: pulumi.Input<Duration | undefined>;
  /**
   * How long after the restore's end to read the list once more, in case further parts follow.
   *
   * With `0`, a restore is considered ended as soon as the list shows its end.
   *
   * @default "15s"
   */
  settle?: pulumi.Input<Duration | undefined>;
  /**
   * The time limit for all phases together, in one `pulumi up`.
   *
   * @default none
   */
  total?: pulumi.Input<Duration | undefined>;
}

/** The limits as they are stored, in seconds. */
export type RestoreTimeouts = { readonly [Limit in keyof RestoreTimeoutsArgs]?: number };
