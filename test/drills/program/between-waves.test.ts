import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type EarlierWaves, RecoveryPlan, type RecoveryPlanArgs, type RecoveryWaveArgs } from "../../../provider";
import { Group, Thing } from "../../program/support/program";
import { runProgram, type ProgramRun } from "../../program/support/program-run";

const web = { virtualMachineId: 42, recoveryPointId: 7 };
const shop = (front: RecoveryWaveArgs["dependsOn"], last: Partial<RecoveryWaveArgs> = {}): RecoveryPlanArgs => ({
  run: "first",
  waves: [
    { name: "data", restores: { db: { virtualMachineId: 43, recoveryPointId: 8 } } },
    { name: "front", restores: { web }, ...(front && { dependsOn: front }) },
    { name: "last", restores: { mail: { virtualMachineId: 44, recoveryPointId: 9 } }, ...last },
  ],
});
const dependenciesOf = ({ registrations }: ProgramRun<unknown>, name: string): readonly string[] =>
  registrations.find((one) => one.name === name)?.dependencies ?? [];

describe("a wave's dependsOn", () => {
  const values: Readonly<Record<string, () => RecoveryWaveArgs["dependsOn"]>> = {
    "a resource": () => new Thing("dns"),
    "an output": () => pulumi.output(new Thing("dns")),
    "a promise of a list": () => Promise.resolve([new Thing("dns")]),
    "a list of promises": () => [Promise.resolve(new Thing("dns"))],
    "a component that contains the resource": () => new Group("between", (parent) => new Thing("dns", { parent })),
    "a function": () => () => new Thing("dns"),
    "a function that returns a list": () => () => [new Thing("dns")],
  };
  for (const [what, dependsOn] of Object.entries(values))
    it(`may be ${what}, and only the wave's own intent waits for it`, async () => {
      const run = await runProgram(() => new RecoveryPlan("shop", shop(dependsOn())));
      assert.ok(dependenciesOf(run, "shop-wave-front-intent").includes("dns"));
      for (const name of ["shop-run", "shop-wave-data-intent", "shop-wave-last-intent"])
        assert.ok(!dependenciesOf(run, name).includes("dns"), name);
    });

  it("may be a function that receives the previous waves by name", async () => {
    let names: readonly string[] = [];
    const last = (waves: EarlierWaves) => {
      names = Object.keys(waves);
      return new Thing("mx", { dependsOn: Object.values(waves) });
    };
    const args = shop(({ data }) => new Thing("dns", { dependsOn: data! }), { dependsOn: last });
    const run = await runProgram(() => new RecoveryPlan("shop", args));
    assert.deepEqual(names, ["data", "front"]);
    assert.deepEqual(dependenciesOf(run, "dns"), ["shop-wave-data"]);
    assert.deepEqual(dependenciesOf(run, "mx"), ["shop-wave-data", "shop-wave-front"]);
  });
});

describe("a wave's invalid dependsOn", () => {
  const wrong: readonly [string, unknown, RegExp][] = [
    ["a string", "dns", /waves\[1\]\.dependsOn is "dns": use a resource, a list of resources, or a function/],
    ["a list with an undefined item", [undefined], /waves\[1\]\.dependsOn\[0\] is missing: use a resource/],
    ["a function that returns nothing", () => undefined, /wave "front", must return a resource or a list/],
    ["an async function", () => Promise.resolve([]), /must return .*, not a promise or an output$/m],
    ["a function that throws", () => assert.fail("no such zone"), /function of wave "front", threw: no such zone/],
    ["a misspelled wave", ({ date }: EarlierWaves) => date!, /no earlier wave is called "date"; earlier waves: "data"/],
  ];
  for (const [what, dependsOn, message] of wrong)
    it(`causes an error before any part of the plan is registered: ${what}`, async () => {
      const isTold = (error: unknown): boolean => error instanceof pulumi.RunError && message.test(error.message);
      const make = () => new RecoveryPlan("shop", shop(dependsOn as RecoveryWaveArgs["dependsOn"]));
      const { registrations } = await runProgram(() => assert.throws(make, isTold));
      assert.ok(!registrations.some(({ name }) => name.includes("shop")));
    });
});
