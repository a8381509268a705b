import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

// The defaults refer to a machine on the panel that `npx pulumi-recovery sandbox` starts.
const config = new pulumi.Config();
const virtualMachineId = config.get("virtualMachineId") ?? "43";
const triggers = [config.get("run") ?? "first"]; // a new value restores again

const db = new recovery.VmRestore("db", {
  virtualMachineId,
  recoveryPointId: config.get("machinePoint") ?? "1008",
  triggers,
});

// Sent once the machine has been restored: `dependsOn` ensures this order, regardless of the ids.
const data = new recovery.FileRestore(
  "data",
  {
    virtualMachineId,
    recoveryPointId: config.get("filesPoint") ?? "1009",
    paths: config.getObject<string[]>("paths") ?? ["/var/lib/postgresql", "/etc/postgresql"],
    triggers,
    timeouts: { run: "1h" },
  },
  { dependsOn: db },
);

export const machine = db.status;
export const files = data.status;
export const seconds = pulumi
  .all([db.requestedAt, data.finishedAt])
  .apply(([from, to]) =>
    from === undefined || to === undefined ? undefined : (Date.parse(to) - Date.parse(from)) / 1000,
  );
