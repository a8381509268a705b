import * as pulumi from "@pulumi/pulumi";
import { resourceTypes } from "../inputs/resource-names";
import type { CaptureLog } from "../inputs/read-values";
import type { RestoreStatus } from "../inputs/record";
import type { PointRule } from "../inputs/read-point-rule";
import type { RecoveryPointArg, RestoreTimeouts, RestoreTimeoutsArgs } from "./args";
import { prepareRestore } from "./prepare-restore";
import { cheapenStackTraces } from "./stack-traces";

/** The inputs that both kinds of restore accept. */
export interface RestoreArgs {
  /**
   * The panel's id for the machine to restore.
   *
   * Only letters, digits, `-` and `_`. Changing it causes another restore.
   */
  virtualMachineId: pulumi.Input<number | string>;
  /**
   * The id of the recovery point to restore from, one of the machine's own backups.
   *
   * Set either this or `recoveryPoint`. Changing the id causes another restore.
   *
   * @default chosen by `recoveryPoint`
   */
  recoveryPointId?: pulumi.Input<number | string | undefined>;
  /**
   * The rule that chooses the recovery point from the panel's list, instead of `recoveryPointId`.
   *
   * Either `"newest"`, or an object with any of the rule's fields. The rule is applied once, right before the restore, so newer backups have no effect.
   * Changing `triggers` or the rule causes another restore, from a newly chosen point; replacing the rule with the id that it chose does not.
   *
   * @default none: set `recoveryPointId` instead
   */
  recoveryPoint?: pulumi.Input<RecoveryPointArg | undefined>;
  /**
   * Any values; changing them causes another restore.
   *
   * A `Date` is compared as ISO text.
   *
   * @default none: the restore runs once
   */
  triggers?: pulumi.Input<readonly unknown[] | undefined>;
  /**
   * The longest time that each phase of the restore may take.
   *
   * @default see {@link RestoreTimeoutsArgs}
   */
  timeouts?: pulumi.Input<RestoreTimeoutsArgs | undefined>;
  /**
   * Wait until the restore has ended.
   *
   * With `false`, `pulumi up` returns once the panel has listed the restore. `pulumi refresh`, or an `up` with `wait: true`, updates the status.
   *
   * @default true
   */
  wait?: pulumi.Input<boolean | undefined>;
  /**
   * The id of a panel transaction to adopt as this restore, instead of sending a restore.
   *
   * @default none: the restore is sent
   */
  adopt?: pulumi.Input<string | number | undefined>;
  /**
   * Retry a failed restore in the next `pulumi up`.
   *
   * With `false`, `pulumi up` keeps failing until `triggers` change.
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

/** A restore of either kind, with its outputs. */
abstract class Restore extends pulumi.CustomResource {
  // No constructor: the SDK counts the calls between its own constructor and the program to find the program's line.

  /** The machine, as a string. */
  declare readonly virtualMachineId: pulumi.Output<string>;
  /** The recovery point, as a string, whether given as an id or chosen by `recoveryPoint`. */
  declare readonly recoveryPointId: pulumi.Output<string>;
  /** The rule as given, with its defaults. */
  declare readonly recoveryPoint: pulumi.Output<PointRule | undefined>;
  /** When the point chosen by `recoveryPoint` was taken, by the panel's clock. */
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
  /** The id of the restore's transaction; undefined until the panel has listed it. */
  declare readonly transactionId: pulumi.Output<string | undefined>;
  /** The ids of all the restore's transactions, oldest first; a restore may be a chain. */
  declare readonly transactionIds: pulumi.Output<string[]>;
  /** The transaction's action, as the panel calls it. */
  declare readonly action: pulumi.Output<string | undefined>;
  /** The outcome of the restore, or its progress when the panel was last read. */
  declare readonly status: pulumi.Output<RestoreStatus>;
  /** When the panel recorded the request. */
  declare readonly requestedAt: pulumi.Output<string | undefined>;
  /** When the restore started running, by the panel's clock. */
  declare readonly startedAt: pulumi.Output<string | undefined>;
  /** When the restore ended, by the panel's clock. */
  declare readonly finishedAt: pulumi.Output<string | undefined>;
  /** The part of `durationSeconds` spent in the queue; undefined if the panel does not show it. */
  declare readonly queuedSeconds: pulumi.Output<number | undefined>;
  /**
   * The measured recovery time, from the request to the end of the restore, including its time in the panel's queue.
   *
   * It comes from the panel's own timestamps, and is undefined on a panel without them.
   */
  declare readonly durationSeconds: pulumi.Output<number | undefined>;
  /** The transaction that failed although the restore itself is complete, such as the machine's startup. */
  declare readonly failedPart: pulumi.Output<string | undefined>;
  /** True if an existing transaction was adopted, and no restore was sent. */
  declare readonly adopted: pulumi.Output<boolean>;
  /** Anything unusual about the restore; otherwise empty. */
  declare readonly warnings: pulumi.Output<string[]>;
  /** The transaction's log, if `captureLog` allows it; always a secret. */
  declare readonly logOutput: pulumi.Output<string | undefined>;
}

/** The inputs of a {@link VmRestore}. */
export type VmRestoreArgs = RestoreArgs;

/**
 * Restores a whole machine from one of its recovery points.
 *
 * Creating the resource overwrites the machine with the backup, once. Changing `virtualMachineId`, `recoveryPointId`, `recoveryPoint` or
 * `triggers` does so again. Any other change updates the resource and sends nothing. Deleting it forgets the restore and sends nothing.
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
  /** The type of these resources, by which policy packs match the class. */
  static readonly __pulumiType: string = resourceTypes.VmRestore;

  /**
   * @param name The resource's name, unique among the stack's VmRestores.
   * @param args What to restore, and how to wait for it.
   * @param opts Options as for any resource.
   */
  constructor(name: string, args: VmRestoreArgs, opts?: pulumi.CustomResourceOptions) {
    const restore = prepareRestore("VmRestore", name, args, opts);
    const undo = cheapenStackTraces();
    try {
      super(resourceTypes.VmRestore, name, restore.props, restore.opts);
    } finally {
      undo();
    }
    restore.onRegistered(this);
  }

  /** True if a value is a VmRestore, even if another copy of this package made it. */
  static override isInstance(value: unknown): value is VmRestore {
    return isOfType(value, resourceTypes.VmRestore);
  }
}

/** The inputs of a {@link FileRestore}. */
export interface FileRestoreArgs extends RestoreArgs {
  /**
   * The files and folders to restore.
   *
   * At least one, each starting with `/` and listed only once. Changing them causes another restore; reordering them does not.
   */
  paths: pulumi.Input<readonly pulumi.Input<string>[]>;
}

/**
 * Restores selected files and folders on a machine from one of its recovery points.
 *
 * Creating the resource overwrites them with the backup, once. Changing `virtualMachineId`, `recoveryPointId`, `recoveryPoint`, `paths` or
 * `triggers` does so again. Any other change updates the resource and sends nothing. Deleting it forgets the restore and sends nothing.
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
  /** The type of these resources, by which policy packs match the class. */
  static readonly __pulumiType: string = resourceTypes.FileRestore;

  /** The paths as given. */
  declare readonly paths: pulumi.Output<string[]>;

  /**
   * @param name The resource's name, unique among the stack's FileRestores.
   * @param args What to restore, and how to wait for it.
   * @param opts Options as for any resource.
   */
  constructor(name: string, args: FileRestoreArgs, opts?: pulumi.CustomResourceOptions) {
    const restore = prepareRestore("FileRestore", name, args, opts);
    const undo = cheapenStackTraces();
    try {
      super(resourceTypes.FileRestore, name, restore.props, restore.opts);
    } finally {
      undo();
    }
    restore.onRegistered(this);
  }

  /** True if a value is a FileRestore, even if another copy of this package made it. */
  static override isInstance(value: unknown): value is FileRestore {
    return isOfType(value, resourceTypes.FileRestore);
  }
}

const isOfType = (value: unknown, type: string): boolean =>
  pulumi.CustomResource.isInstance(value) && (value as { readonly __pulumiType?: unknown }).__pulumiType === type;
