import type * as pulumi from "@pulumi/pulumi";

/** What both kinds of restore are told. */
export interface RestoreArgs {
  /**
   * The machine to restore, as the panel numbers it. Letters, digits, `-` and `_` only; kept as a string.
   *
   * A change runs a new restore.
   */
  virtualMachineId: pulumi.Input<number | string>;
  /**
   * The recovery point to restore from, one of the machine's own backups. Letters, digits, `-` and `_` only; kept as a string.
   *
   * A change runs a new restore.
   */
  recoveryPointId: pulumi.Input<number | string>;
  /**
   * Any values. A change of any of them runs the restore again, and nothing else about them matters. A `Date` counts by its
   * ISO text.
   *
   * @default none: the restore runs once
   */
  triggers?: pulumi.Input<readonly unknown[] | undefined>;
  /**
   * How long each part of the restore may take.
   *
   * @default see {@link RestoreTimeoutsArgs}
   */
  timeouts?: pulumi.Input<RestoreTimeoutsArgs | undefined>;
  /**
   * Wait until the restore has ended. With `false`, `pulumi up` returns once the panel has accepted it; `pulumi
   * refresh`, or an `up` with `true`, brings the status up to date.
   *
   * @default true
   */
  wait?: pulumi.Input<boolean | undefined>;
  /**
   * What to do when an earlier run was cut off and may have started this restore already.
   *
   * - `"auto"`: look for that restore on the panel and take it over instead of starting a second one.
   * - `"never"`: start a new one.
   * - a transaction's id: take that transaction as this restore, and start none.
   *
   * @default "auto"
   */
  adopt?: pulumi.Input<AdoptArg | undefined>;
  /**
   * Whether the next `pulumi up` after a failed restore tries again. With `false` it stays an error until `triggers` change.
   *
   * @default true
   */
  retryFailed?: pulumi.Input<boolean | undefined>;
  /**
   * When to fetch the log of the restore's transaction into `logOutput`.
   *
   * @default "onFailure"
   */
  captureLog?: pulumi.Input<CaptureLog | undefined>;
}

/** Write `"auto"`, `"never"`, or the id of a transaction. */
export type AdoptArg = "auto" | "never" | (string & {}) | number;

/** When the transaction's log is fetched. */
export type CaptureLog = "onFailure" | "always" | "never";

/** `"90s"`, `"10m"`, `"1h30m"`, `"1d"`, or a number of seconds. */
export type Duration = string | number;

/**
 * Limits of the parts of a restore. A limit that passes does not stop the restore: `pulumi up` fails naming it, and the next
 * `up` goes on waiting without starting anything.
 */
export interface RestoreTimeoutsArgs {
  /**
   * For other unfinished transactions of the machine to end, before the restore is sent. `0` sends it without waiting.
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
