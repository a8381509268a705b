import type * as recovery from "pulumi-recovery";
import { planTimeouts as timeouts, quick as config } from "./plans";

export { config, timeouts };

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
