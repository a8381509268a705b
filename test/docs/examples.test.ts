import assert from "node:assert/strict";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { WaveOptions } from "../../drills/judge/stored";
import { programFile } from "../../tools/engine/program";
import { runProgram } from "../program/support/program-run";
import { root } from "./support/pages";

function runExample(name: string, config: Readonly<Record<string, string>>) {
  const program = programFile(join(root, "examples", name, "index.ts"));
  return runProgram(() => {
    pulumi.runtime.setAllConfig({ ...config });
    return program();
  });
}

/** What the first check of a machine probes, with another service. */
async function firstProbeWith(service: string): Promise<unknown> {
  const machines = [{ name: "db", virtualMachineId: 43, recoveryPointId: 8, checked: true }];
  const waves = JSON.stringify([{ name: "data", machines }]);
  const run = await runExample("drill", {
    "project:drill": "first",
    "project:service": service,
    "project:waves": waves,
  });
  const { options } = run.find("Wave", "shop-wave-data").inputs;
  const text = (pulumi.runtime.unwrapRpcSecret(options) ?? options) as string;
  return (JSON.parse(text) as WaveOptions).db?.checks?.[0]?.["probe"];
}

describe("the example drill", () => {
  for (const [service, host, port] of [
    ["http://127.0.0.1:8788/", "127.0.0.1", 8788],
    ["https://shop.example.com/health", "shop.example.com", 443],
    ["http://[2001:db8::43]/", "2001:db8::43", 80],
  ] as const) {
    it(`opens the port of ${service}, also if the address names none`, async () => {
      assert.deepEqual(await firstProbeWith(service), { kind: "tcp", host, port });
    });
  }
});

describe("the example fleet", () => {
  it("has no figures of a fleet without machines that a state could not hold", async () => {
    const { result } = await runExample("fleet", { "project:machines": "[]" });
    const { restored, wholeSeconds, slowestSeconds } = result as Record<string, pulumi.Output<unknown>>;
    const figures = await new Promise((resolve) => {
      pulumi.all([restored, wholeSeconds, slowestSeconds]).apply(resolve);
    });
    assert.deepEqual(figures, ["0 of 0", undefined, 0]);
  });
});
