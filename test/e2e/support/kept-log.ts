import * as recovery from "pulumi-recovery";
import { inline } from "./inline";
import { impatient } from "./restores";

/** A restore whose log is kept, and everything that the functions can bring into the outputs. */
export const program = (timeouts: recovery.RestoreTimeoutsArgs = impatient) =>
  inline(() => {
    const web = new recovery.VmRestore("web", {
      virtualMachineId: 42,
      recoveryPointId: 1007,
      captureLog: "always",
      timeouts,
    });
    return {
      restore: web,
      log: web.logOutput,
      warnings: web.warnings,
      detailed: recovery.getTransactionsOutput({ detailed: true, limit: 5 }, { dependsOn: web }),
      plain: recovery.getTransactionsOutput({ limit: 5 }, { dependsOn: web }),
      ofMachine: recovery.getVmLogsOutput({ virtualMachineId: 42 }, { dependsOn: web }),
    };
  });
