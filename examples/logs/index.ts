import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

// The defaults refer to a machine on the panel that `npx pulumi-recovery sandbox` starts.
const config = new pulumi.Config();
const virtualMachineId = config.get("virtualMachineId") ?? "42";

const web = new recovery.VmRestore("web", {
  virtualMachineId,
  recoveryPointId: config.get("recoveryPointId") ?? "1007",
  triggers: [config.get("run") ?? "first"],
  captureLog: "always",
});

// Read after the restore. Every update of the stack stores all outputs, so keep only the fields that you need.
const recent = recovery.getTransactionsOutput({ limit: 10 }, { dependsOn: web });
const log = recovery.getVmLogsOutput({ virtualMachineId, limit: 10 }, { dependsOn: web });

export const transactions = recent.transactions.apply((rows) =>
  rows.map(({ id, action, status, finishedAt }) => ({ id, action, status, finishedAt })),
);
export const machineLog = log.items.apply((items) =>
  items.map(({ id, action, status, targetId }) => ({ id, action, status, transaction: targetId })),
);

// The log of the restore's own transaction is raw command output, so it is a secret:
// `pulumi stack output restoreLog --show-secrets`.
export const restoreLog = web.logOutput;
