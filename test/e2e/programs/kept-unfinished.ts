import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

/** Restores that the run which wrote the kept state has not brought to a good end. Never changed, only added to. */
const timeouts = { listed: "5s", run: new pulumi.Config().get("run") ?? "2s" };

const failed = new recovery.VmRestore("failed", { virtualMachineId: 42, recoveryPointId: 1007, timeouts });
const limited = new recovery.FileRestore("limited", {
  virtualMachineId: 43,
  recoveryPointId: 1008,
  paths: ["/srv"],
  timeouts,
});
const accepted = new recovery.VmRestore("accepted", { virtualMachineId: 44, recoveryPointId: 1009, wait: false });

export const statuses = { failed: failed.status, limited: limited.status, accepted: accepted.status };
