import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

interface Machine {
  readonly name: string;
  readonly virtualMachineId: number;
  readonly recoveryPointId: number;
}

// The list is in Pulumi.drill.yaml. If you add a machine there, the next `pulumi up` restores only that machine.
const config = new pulumi.Config();
const machines = config.requireObject<Machine[]>("machines");
const triggers = [config.get("run") ?? "first"]; // a new value restores all of them again

const restores = machines.map(
  ({ name, ...ids }) => new recovery.VmRestore(name, { ...ids, triggers, timeouts: { run: "4h" } }),
);

const seconds = pulumi.all(restores.map(({ durationSeconds }) => durationSeconds));
const ends = pulumi.all(restores.map(({ finishedAt }) => finishedAt)).apply((stamps) => stampsIn(stamps));
const requests = pulumi.all(restores.map(({ requestedAt }) => requestedAt)).apply((stamps) => stampsIn(stamps));

export const restored = pulumi
  .all(restores.map(({ status }) => status))
  .apply((all) => `${String(all.filter((status) => status === "complete").length)} of ${String(all.length)}`);
/** The fleet's recovery time: from the first request to the end of the last restore, by the panel's clock. Unknown if a timestamp is missing. */
export const wholeSeconds = pulumi.all([requests, ends]).apply(([from, to]) => {
  const whole = (Math.max(...to) - Math.min(...from)) / 1000;
  return Number.isFinite(whole) ? whole : undefined;
});
export const slowestSeconds = seconds.apply((all) => Math.max(0, ...all.map((one) => one ?? 0)));

function stampsIn(stamps: readonly (string | undefined)[]): number[] {
  return stamps.map((stamp) => Date.parse(stamp ?? ""));
}
