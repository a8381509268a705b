import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

const config = new pulumi.Config();

const machine = new recovery.VmRestore("machine", {
  virtualMachineId: config.require("machine"),
  recoveryPointId: config.require("recoveryPoint"),
  triggers: [config.require("run")], // a new value restores again
  timeouts: { run: "2h" },
});

export const status = machine.status;
export const seconds = machine.durationSeconds.apply((seconds) => seconds ?? "not measured");
