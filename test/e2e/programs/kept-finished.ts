import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

/**
 * What the kept states were written by: each resource with every kind of input. Never changed, only added to, or the kept
 * states of earlier releases would have to change.
 */
const config = new pulumi.Config();

const web = new recovery.VmRestore("web", {
  virtualMachineId: 42,
  recoveryPointId: "1007",
  triggers: ["2026-11-drill", { of: [1, null, true] }],
  timeouts: { busy: 0, listed: "30s", queue: 600, run: "1h30m", total: "2h" },
  wait: true,
  adopt: "auto",
  retryFailed: false,
  captureLog: "always",
});

const etc = new recovery.FileRestore(
  "etc",
  { virtualMachineId: 42, recoveryPointId: 1008, paths: ["/etc/nginx", "/var/www/ä b"] },
  { dependsOn: web },
);

const site = new recovery.Provider("site", {
  endpoint: config.require("endpoint"),
  username: "operator",
  password: "at the site",
  requestTimeout: "20s",
  restoreActions: ["restore_backup"],
});

class Drill extends pulumi.ComponentResource {
  constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
    super("e2e:index:Drill", name, {}, opts);
    new recovery.VmRestore(`${name}-db`, { virtualMachineId: 43, recoveryPointId: 1009 }, { parent: this });
    this.registerOutputs();
  }
}

new Drill("drill", { provider: site });

export const statuses = [web.status, etc.status];
export const log = web.logOutput;
