import type * as pulumi from "@pulumi/pulumi";

/** Write `"auto"`, `"never"`, or the id of a transaction. */
export type AdoptArg = "auto" | "never" | (string & {}) | number;

/** Write `"newest"`, or the parts of a rule. */
export type RecoveryPointArg = "newest" | RecoveryPointRuleArgs;

/** By what a recovery point is chosen from the panel's list. Each part may be left out. */
export interface RecoveryPointRuleArgs {
  /**
   * Taken before this moment: ISO 8601 with a zone, like `"2026-11-20T09:30:00Z"`.
   *
   * @default any
   */
  before?: pulumi.Input<string | undefined>;
  /**
   * Taken at most so long ago when it is chosen, by the panel's clock.
   *
   * @default any
   */
  within?: pulumi.Input<Duration | undefined>;
  /**
   * Which of them: the newest, the oldest, or any one by chance.
   *
   * @default "newest"
   */
  pick?: pulumi.Input<"newest" | "oldest" | "random" | undefined>;
}

/** A rule as it is stored: the moment in UTC, the span in seconds. */
export interface RecoveryPointRule {
  /** Which of them. */
  readonly pick: "newest" | "oldest" | "random";
  /** Taken before this moment, in UTC. */
  readonly before?: string;
  /** Taken at most so many seconds before it was chosen. */
  readonly within?: number;
}

/** `"90s"`, `"10m"`, `"1h30m"`, `"1d"`, or a number of seconds. */
export type Duration = string | number;

/**
 * Limits of the parts of a restore. A limit that passes does not stop the restore: `pulumi up` fails naming it, and the next
 * `up` goes on waiting without starting anything.
 */
export interface RestoreTimeoutsArgs {
  /**
   * For other unfinished transactions of the machine to end, before the restore is sent. `0` does not wait for what
   * stood there before the intent.
   *
   * @default "30m"
   */
  busy?: pulumi.Input<Duration | undefined>;
  /**
   * From the panel's answer until the restore is in its list of transactions.
   *
   * @default "2m"
   */
  listed?: pulumi.Input<Duration | undefined>;
  /**
   * From being listed until it runs.
   *
   * @default "1h"
   */
  queue?: pulumi.Input<Duration | undefined>;
  /**
   * From running until it has ended.
   *
   * @default "4h"
   */
  run?: pulumi.Input<Duration | undefined>;
  /**
   * Over everything, in one `pulumi up`.
   *
   * @default none
   */
  total?: pulumi.Input<Duration | undefined>;
}

/** The limits as they are stored: in seconds. */
export interface RestoreTimeouts {
  readonly busy?: number;
  readonly listed?: number;
  readonly queue?: number;
  readonly run?: number;
  readonly total?: number;
}

/** `complete`, `failed` and `cancelled` are final; the others are how far an unfinished restore was seen to be. */
export type RestoreStatus = "complete" | "failed" | "cancelled" | "accepted" | "unknown" | "pending" | "running";
