import * as pulumi from "@pulumi/pulumi";
import { resourceTypes } from "../inputs/resource-names";
import type { CaptureLog, RestoreArgs, RestoreStatus, RestoreTimeouts } from "./args";
import { prepareRestore } from "./prepare-restore";
import { shortenStacks, toTheProgram } from "./stacks";

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
 * Creating it overwrites them with the backup, once; so does any change of `virtualMachineId`, `recoveryPointId`, `paths` or
 * `triggers`. Any other change updates the resource and sends nothing. Deleting it forgets the restore and sends nothing.
 *
 * ```ts
 * const etc = new recovery.FileRestore("etc", {
 *   virtualMachineId: 42,
 *   recoveryPointId: 1007,
 *   paths: ["/etc/nginx/nginx.conf", "/var/www"],
 * });
 * ```
 */
export class FileRestore extends pulumi.CustomResource {
  /** The machine, as a string. */
  declare readonly virtualMachineId: pulumi.Output<string>;
  /** The recovery point, as a string. */
  declare readonly recoveryPointId: pulumi.Output<string>;
  /** The paths as given. */
  declare readonly paths: pulumi.Output<string[]>;
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

  /**
   * @param name The resource's name, unique among the stack's FileRestores.
   * @param args What to restore, and how to wait for it.
   * @param opts Options as for any resource.
   */
  constructor(name: string, args: FileRestoreArgs, opts?: pulumi.CustomResourceOptions) {
    const restore = prepareRestore("FileRestore", name, args, opts);
    const lengthen = shortenStacks(toTheProgram);
    try {
      super(resourceTypes.FileRestore, name, restore.props, restore.opts);
    } finally {
      lengthen();
    }
    restore.registered(this);
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
