import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

interface Wave {
  readonly name: string;
  readonly machines: readonly {
    readonly name: string;
    readonly virtualMachineId: number;
    readonly recoveryPointId: number;
    readonly checked?: boolean;
  }[];
}

// The machines are in Pulumi.drill.yaml. Another name in `drill` than the last one restores all of them again.
const config = new pulumi.Config();
const service = new URL(config.require("service"));
const port = service.port || (service.protocol === "https:" ? "443" : "80"); // an address leaves out the usual one

// When last night's backup was taken. Without it the age of the data cannot be measured, and has no goal here.
const backupTakenAt = config.get("backupTakenAt");

const plan = new recovery.RecoveryPlan("shop", {
  run: config.require("drill"),
  goals: { recoveryTime: "5m", ...(backupTakenAt !== undefined && { dataAge: "24h" }) },
  wholeGoals: { recoveryTime: "15m" },
  waves: config.requireObject<Wave[]>("waves").map(({ name, machines }) => ({
    name,
    restores: Object.fromEntries(
      machines.map(({ name: machine, checked, ...ids }) => [
        machine,
        {
          ...ids,
          ...(backupTakenAt !== undefined && { recoveryPointTakenAt: backupTakenAt }),
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
export const slowest = plan.slowest;
export const counts = plan.counts;
export const report = plan.restores.apply((restores) =>
  Object.fromEntries(
    Object.entries(restores).map(([name, { status, recoveredSeconds, dataAgeSeconds, transactionIds }]) => [
      name,
      { status, recoveredSeconds, dataAgeSeconds, transaction: transactionIds.at(-1) },
    ]),
  ),
);
