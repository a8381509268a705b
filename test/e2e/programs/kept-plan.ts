import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

/** A plan that the run which wrote the kept state has left in its second wave. Never changed, only added to. */
const run = new pulumi.Config().get("run") ?? "2s";

const plan = new recovery.RecoveryPlan("shop", {
  run: "first",
  waves: [
    { name: "data", restores: { db: { virtualMachineId: 42, recoveryPointId: 1007 } } },
    {
      name: "front",
      restores: {
        files: { virtualMachineId: 43, recoveryPointId: 1008, paths: ["/srv"], timeouts: { listed: "5s", run } },
      },
    },
  ],
});

export const verdict = plan.verdict;
