import assert from "node:assert/strict";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { programFile } from "../../tools/engine/program";
import { runProgram, type Registration } from "../program/support/program-run";
import { root } from "./support/pages";

function runExample(name: string, config: Readonly<Record<string, string>>) {
  const program = programFile(join(root, "examples", name, "index.ts"));
  return runProgram(() => {
    pulumi.runtime.setAllConfig({ ...config });
    return program();
  });
}

/** With a machine that is checked, and a service of one's own, as its page says. */
async function drillWith(service: string): Promise<readonly Registration[]> {
  const machines = [{ name: "db", virtualMachineId: 43, recoveryPointId: 8, checked: true }];
  const waves = JSON.stringify([{ name: "data", machines }]);
  const run = await runExample("drill", {
    "project:drill": "first",
    "project:service": service,
    "project:waves": waves,
  });
  return run.registrations;
}

describe("the example drill", () => {
  for (const [service, target] of [
    ["http://127.0.0.1:8788/", "127.0.0.1:8788"],
    ["https://shop.example.com/health", "shop.example.com:443"],
    ["http://[2001:db8::43]/", "[2001:db8::43]:80"],
  ] as const) {
    it(`asks the port of ${service}, also where the address names none`, async () => {
      const registrations = await drillWith(service);
      const wave = registrations.find(({ name }) => name === "shop-wave-data");
      assert.ok(JSON.stringify(wave?.inputs).includes(`"${target}"`), JSON.stringify(wave?.inputs));
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
