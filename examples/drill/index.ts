import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { Notice } from "./notice";

interface Wave {
  readonly name: string;
  readonly machines: readonly {
    readonly name: string;
    readonly virtualMachineId: number;
    readonly checked?: boolean;
  }[];
}

// The machines are listed in Pulumi.drill.yaml. A new `run` name restores all of them again.
const config = new pulumi.Config();
const run = config.require("run");
const service = new URL(config.require("service"));
const port = service.port || (service.protocol === "https:" ? "443" : "80"); // a URL omits its default port

// Runs after the previous waves, before the machines in the wave `front` are restored.
const frontIsNext = (before: recovery.EarlierWaves) =>
  new Notice(
    "front-is-next",
    { to: config.getSecret("webhook") ?? "", text: `Drill ${run}: the front is next`, run },
    { dependsOn: Object.values(before) },
  );

const plan = new recovery.RecoveryPlan("shop", {
  run,
  recoveryPoint: "newest", // each machine's newest point, chosen once per drill
  goals: { recoveryTime: "5m", dataAge: "24h" },
  wholeGoals: { recoveryTime: "15m" },
  waves: config.requireObject<Wave[]>("waves").map(({ name, machines }) => ({
    name,
    dependsOn: (before) => (name === "front" ? frontIsNext(before) : []),
    restores: Object.fromEntries(
      machines.map(({ name: machine, virtualMachineId, checked }) => [
        machine,
        {
          virtualMachineId,
          checks: checked
            ? [
                { tcp: `${service.hostname}:${port}`, within: "1m" },
                { http: service.href, contains: "<title>", every: "2s", within: "2m" },
              ]
            : [],
        },
      ]),
    ),
  })),
  onFailure: "stop",
  onMissedGoal: "fail",
  notes: { scenario: "The building is gone", owner: "platform team" },
});

export const verdict = plan.verdict;
export const reasons = plan.reasons;
export const recoveryTimeSeconds = plan.recoveryTimeSeconds;
export const states = plan.restores.apply((restores) =>
  Object.fromEntries(Object.entries(restores).map(([name, { status }]) => [name, status])),
);
