import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

/** What a test changes of the program. */
export interface Chosen {
  readonly web: Omit<recovery.VmRestoreArgs, "virtualMachineId" | "timeouts"> & {
    readonly timeouts?: recovery.RestoreTimeoutsArgs;
  };
  /** Files from the same recovery point as the machine. */
  readonly withFiles?: boolean;
}

const { web: given, withFiles } = new pulumi.Config().requireObject<Chosen>("chosen");

const web = new recovery.VmRestore("web", {
  virtualMachineId: 42,
  ...given,
  timeouts: { settle: 0, ...given.timeouts },
});
if (withFiles) {
  new recovery.FileRestore("etc", {
    virtualMachineId: 42,
    recoveryPointId: web.recoveryPointId,
    paths: ["/etc/hosts"],
    timeouts: { settle: 0 },
  });
}

export const point = web.recoveryPointId;
export const taken = web.recoveryPointTakenAt;
export const status = web.status;
