import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

/** A machine whose id is known only after its creation. */
class Machine extends pulumi.dynamic.Resource {
  constructor(name: string) {
    super({ create: () => Promise.resolve({ id: "44", outs: {} }) }, name, {});
  }
}

const { id: later } = new Machine("new-machine");
const endpoint = process.env["RECOVERY_ENDPOINT"] ?? "";
const password = pulumi.secret("s3cret-of-the-site");
const site = new recovery.Provider("site", { endpoint, username: "operator", password });

const web = new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007 });
new recovery.FileRestore(
  "etc",
  { virtualMachineId: 42, recoveryPointId: 1007, paths: ["/etc/hosts"] },
  { dependsOn: web },
);
new recovery.VmRestore("at-site", { virtualMachineId: 43, recoveryPoint: "newest" }, { provider: site });
new recovery.VmRestore("on-new", { virtualMachineId: later, recoveryPointId: 1010 });
new recovery.VmRestore("from-new", { virtualMachineId: 43, recoveryPointId: later });

new recovery.RecoveryPlan("shop", {
  run: "fire",
  kind: "recovery",
  recoveryPoint: "newest",
  notes: { owner: "platform team" },
  waves: [
    {
      name: "data",
      restores: {
        db: {
          virtualMachineId: 43,
          recoveryPointId: 1008,
          checks: [{ tcp: pulumi.interpolate`${later}.example:5432` }],
        },
        queue: { virtualMachineId: later },
      },
    },
    { name: "front", restores: { shop: { virtualMachineId: 42, triggers: [pulumi.secret("hush")] } } },
  ],
});
