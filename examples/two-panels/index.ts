import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

// The stack's own settings (`recovery:…`) connect to the first panel, an explicit provider to the second. Each provider
// is a separate process, with its own credentials, polling and limits.
const config = new pulumi.Config();
const site = new recovery.Provider("dr-site", {
  endpoint: config.require("siteEndpoint"),
  username: config.require("siteUsername"),
  password: config.requireSecret("sitePassword"),
  maxConcurrent: 4,
});

const machine = { virtualMachineId: 42, recoveryPointId: 1007, triggers: [config.get("run") ?? "first"] };
const here = new recovery.VmRestore("web", machine);
const there = new recovery.VmRestore("web-at-site", machine, { provider: site });

export const seconds = { here: here.durationSeconds, there: there.durationSeconds };
export const newest = {
  here: newestOf(recovery.getTransactionsOutput({ limit: 1 }, { dependsOn: here })),
  there: newestOf(recovery.getTransactionsOutput({ limit: 1 }, { dependsOn: there, provider: site })),
};

function newestOf(result: pulumi.Output<recovery.GetTransactionsResult>): pulumi.Output<string> {
  return result.transactions.apply((rows) => rows.map(({ id, action }) => `${id} ${action ?? "?"}`).at(0) ?? "none");
}
