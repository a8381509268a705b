import * as pulumi from "@pulumi/pulumi";
import { resourceTypes } from "../inputs/resource-names";
import type { CaptureLog } from "../inputs/read-values";
import type {
  AdoptArg,
  RecoveryPointArg,
  RecoveryPointRule,
  RestoreStatus,
  RestoreTimeouts,
  RestoreTimeoutsArgs,
} from "./args";
import { prepareRestore } from "./prepare-restore";
import { shortenStackTraces, framesToProgram } from "./stack-traces";

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
   * Exactly one of it and `recoveryPoint` is given.
   *
   * A change runs a new restore.
   *
   * @default chosen by `recoveryPoint`
   */
  recoveryPointId?: pulumi.Input<number | string | undefined>;
  /**
   * By what the recovery point is chosen from the panel's list, instead of `recoveryPointId`: `"newest"`, or
   * `{ before: "2026-11-20T09:30:00Z", within: "7d", pick: "oldest" }`, each part optional. It is chosen once and kept: a newer backup
   * changes nothing, new `triggers` choose anew.
   *
   * A change runs a new restore; the very id that it chose, given as `recoveryPointId` instead, does not.
   *
   * @default none: the point is `recoveryPointId`
   */
  recoveryPoint?: pulumi.Input<RecoveryPointArg | undefined>;
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
   * Wait until the restore has ended. With `false`, `pulumi up` returns once the panel has listed it; `pulumi
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

/** A restore of either kind: what is known of it. */
export abstract class Restore extends pulumi.CustomResource {
  // No constructor: the SDK finds the line of the program that a resource comes from by counting the calls up to it.

  /** The machine, as a string. */
  declare readonly virtualMachineId: pulumi.Output<string>;
  /** The recovery point, as a string; also where `recoveryPoint` has chosen it. */
  declare readonly recoveryPointId: pulumi.Output<string>;
  /** The rule as given, in full. */
  declare readonly recoveryPoint: pulumi.Output<RecoveryPointRule | undefined>;
  /** When the point that `recoveryPoint` has chosen was taken, by the panel's clock. */
  declare readonly recoveryPointTakenAt: pulumi.Output<string | undefined>;
  /** The triggers as given. */
  declare readonly triggers: pulumi.Output<unknown[] | undefined>;
  /** The limits as given, in seconds. */
  declare readonly timeouts: pulumi.Output<RestoreTimeouts | undefined>;
  /** `wait` as given. */
  declare readonly wait: pulumi.Output<boolean | undefined>;
  /** `adopt` as given. */
  declare readonly adopt: pulumi.Output<string | undefined>;
  /** `retryFailed` as given. */
  declare readonly retryFailed: pulumi.Output<boolean | undefined>;
  /** `captureLog` as given. */
  declare readonly captureLog: pulumi.Output<CaptureLog | undefined>;
  /** The transaction that is the restore. Undefined until the panel has listed it. */
  declare readonly transactionId: pulumi.Output<string | undefined>;
  /** All transactions the restore consists of, oldest first: a restore may be a chain. */
  declare readonly transactionIds: pulumi.Output<string[]>;
  /** The transaction's action, as the panel calls it. */
  declare readonly action: pulumi.Output<string | undefined>;
  /** How the restore ended, or how far it was when it was last looked at. */
  declare readonly status: pulumi.Output<RestoreStatus>;
  /** When the panel recorded the request. */
  declare readonly requestedAt: pulumi.Output<string | undefined>;
  /** When it started to run, by the panel's clock. */
  declare readonly startedAt: pulumi.Output<string | undefined>;
  /** When it ended, by the panel's clock. */
  declare readonly finishedAt: pulumi.Output<string | undefined>;
  /** How much of `durationSeconds` it was queued. Undefined where the panel does not tell. */
  declare readonly queuedSeconds: pulumi.Output<number | undefined>;
  /**
   * The measured recovery time: from the panel's record of the request to the end, the queue included, by the panel's own time
   * stamps. Undefined where the panel does not tell.
   */
  declare readonly durationSeconds: pulumi.Output<number | undefined>;
  /** Whether a transaction started earlier was taken over instead of starting one. */
  declare readonly adopted: pulumi.Output<boolean>;
  /** What was unusual about it. Empty when nothing was. */
  declare readonly warnings: pulumi.Output<string[]>;
  /** The transaction's log, when `captureLog` asks for it. Always a secret. */
  declare readonly logOutput: pulumi.Output<string | undefined>;
}

/** The inputs of a {@link VmRestore}. */
export type VmRestoreArgs = RestoreArgs;

/**
 * A whole machine, restored from one of its recovery points.
 *
 * Creating it overwrites the machine with the backup, once; so does any change of `virtualMachineId`, `recoveryPointId`,
 * `recoveryPoint` or `triggers`. Any other change updates the resource and sends nothing. Deleting it forgets the restore and sends nothing.
 *
 * ```ts
 * const web = new recovery.VmRestore("web", {
 *   virtualMachineId: 42,
 *   recoveryPointId: 1007,
 *   triggers: ["2026-11-drill"],
 *   timeouts: { run: "2h" },
 * });
 *
 * export const minutes = web.durationSeconds.apply((seconds) => Math.round((seconds ?? 0) / 60));
 * ```
 */
export class VmRestore extends Restore {
  /**
   * @param name The resource's name, unique among the stack's VmRestores.
   * @param args What to restore, and how to wait for it.
   * @param opts Options as for any resource.
   */
  constructor(name: string, args: VmRestoreArgs, opts?: pulumi.CustomResourceOptions) {
    const restore = prepareRestore("VmRestore", name, args, opts);
    const undoShortening = shortenStackTraces(framesToProgram);
    try {
      super(resourceTypes.VmRestore, name, restore.props, restore.opts);
    } finally {
      undoShortening();
    }
    restore.onRegistered(this);
  }

  /** Whether a value is a VmRestore, also one made by another copy of this package. */
  static override isInstance(value: unknown): value is VmRestore {
    return (
      pulumi.CustomResource.isInstance(value) &&
      "__pulumiType" in value &&
      value.__pulumiType === resourceTypes.VmRestore
    );
  }
}

/** The inputs of a {@link FileRestore}. */
export interface FileRestoreArgs extends RestoreArgs {
  /**
   * The files and folders to restore. At least one, each starting with `/`, none twice.
   *
   * A change runs a new restore; another order does not.
   */
  paths: pulumi.Input<readonly pulumi.Input<string>[]>;
}

/**
 * Chosen files and folders of a machine, restored from one of its recovery points.
 *
 * Creating it overwrites them with the backup, once; so does any change of `virtualMachineId`, `recoveryPointId`,
 * `recoveryPoint`, `paths` or `triggers`. Any other change updates the resource and sends nothing. Deleting it forgets the restore and sends nothing.
 *
 * ```ts
 * const etc = new recovery.FileRestore("etc", {
 *   virtualMachineId: 42,
 *   recoveryPointId: 1007,
 *   paths: ["/etc/nginx/nginx.conf", "/var/www"],
 * });
 * ```
 */
export class FileRestore extends Restore {
  /** The paths as given. */
  declare readonly paths: pulumi.Output<string[]>;

  /**
   * @param name The resource's name, unique among the stack's FileRestores.
   * @param args What to restore, and how to wait for it.
   * @param opts Options as for any resource.
   */
  constructor(name: string, args: FileRestoreArgs, opts?: pulumi.CustomResourceOptions) {
    const restore = prepareRestore("FileRestore", name, args, opts);
    const undoShortening = shortenStackTraces(framesToProgram);
    try {
      super(resourceTypes.FileRestore, name, restore.props, restore.opts);
    } finally {
      undoShortening();
    }
    restore.onRegistered(this);
  }

  /** Whether a value is a FileRestore, also one made by another copy of this package. */
  static override isInstance(value: unknown): value is FileRestore {
    return (
      pulumi.CustomResource.isInstance(value) &&
      "__pulumiType" in value &&
      value.__pulumiType === resourceTypes.FileRestore
    );
  }
}
