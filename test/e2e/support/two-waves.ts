import type * as recovery from "pulumi-recovery";

export const config = { "recovery:requestTimeout": "10s" };
export const timeouts = { listed: "2s" };

export function planArgs(checks: recovery.RecoveryCheckArgs[] = []): recovery.RecoveryPlanArgs {
  return {
    run: "first",
    waves: [
      { name: "data", restores: { db: { virtualMachineId: 42, recoveryPointId: 1007, timeouts, checks } } },
      {
        name: "front",
        restores: { files: { virtualMachineId: 43, recoveryPointId: 1008, paths: ["/srv"], timeouts } },
      },
    ],
  };
}
