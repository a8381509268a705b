import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

// The defaults refer to a machine on the panel that `npx pulumi-recovery sandbox` starts.
const config = new pulumi.Config();
const virtualMachineId = config.get("virtualMachineId") ?? "42";

const triggers = [config.get("run") ?? "first"]; // a new value restores again

const web = new recovery.VmRestore("web", {
  virtualMachineId,
  recoveryPoint: "newest", // chosen once per restore; a newer backup changes nothing
  triggers,
  timeouts: { run: "2h" },
});

const etc = new recovery.FileRestore(
  "etc",
  { virtualMachineId, recoveryPointId: web.recoveryPointId, paths: ["/etc/nginx/nginx.conf", "/var/www"], triggers },
  { dependsOn: web },
);

export const status = web.status;
export const from = web.recoveryPointTakenAt;
export const seconds = web.durationSeconds;
export const files = etc.status;
export const recent = recovery
  .getTransactionsOutput({ perPage: 5 }, { dependsOn: etc })
  .transactions.apply((rows) => rows.map((row) => `${row.id} ${row.action ?? "?"} ${row.status ?? "?"}`));
export const log = recovery
  .getVmLogsOutput({ virtualMachineId, page: 1 }, { dependsOn: etc })
  .items.apply((items) => items.map((item) => `${item.id ?? "?"} ${item.action ?? "?"} ${item.status ?? "?"}`));
