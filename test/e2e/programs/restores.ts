import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

/** A restore in the program, as written in the stack's configuration. */
export interface Spec {
  readonly name: string;
  readonly kind?: "VmRestore" | "FileRestore";
  readonly args?: Omit<Partial<recovery.FileRestoreArgs>, "timeouts"> & { timeouts?: recovery.RestoreTimeoutsArgs };
  /** Adds an `onError` hook that always requests another attempt. */
  readonly alwaysRetry?: boolean;
}

/** The restores from the configuration key `restores`, so that a test can change the program by changing the configuration. */
const specs = new pulumi.Config().requireObject<Spec[]>("restores");

const retry = new pulumi.ErrorHook("retry", () => true);

const restores = specs.map(({ name, kind = "VmRestore", args, alwaysRetry }) => {
  const opts: pulumi.CustomResourceOptions = alwaysRetry ? { hooks: { onError: [retry] } } : {};
  const timeouts = { settle: 0, ...args?.timeouts };
  const target = { virtualMachineId: 42, recoveryPointId: 1007, ...args, timeouts };
  return kind === "VmRestore"
    ? new recovery.VmRestore(name, target, opts)
    : new recovery.FileRestore(name, { paths: ["/etc/hosts"], ...target }, opts);
});

export const statuses = pulumi.all(restores.map((restore) => restore.status));
export const transactions = pulumi.all(restores.map((restore) => restore.transactionId));
export const adopted = pulumi.all(restores.map((restore) => restore.adopted));
