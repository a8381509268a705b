import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { FileRestore, RecoveryPlan, type RecoveryPlanArgs, type RecoveryWaveArgs } from "../../provider";
import { callDependsOn, readPlanOrThrow } from "../../provider/program/dynamic-plan";
import { mocks } from "../../provider/testing";
import { Group, seen, Thing } from "./support/program";
import { runProgram, type ProgramRun } from "./support/program-run";

const web = { virtualMachineId: 42, recoveryPointId: 7 };

/** A plan of three waves; the second restores its machine twice. */
const shop = (
  front: RecoveryWaveArgs["dependsOn"],
  last: Partial<RecoveryWaveArgs> = {},
  first: Partial<RecoveryWaveArgs> = {},
): RecoveryPlanArgs => ({
  run: "first",
  waves: [
    { name: "data", restores: { db: { virtualMachineId: 43, recoveryPointId: 8 } }, ...first },
    { name: "front", restores: { web, content: { ...web, paths: ["/srv"] } }, ...(front && { dependsOn: front }) },
    { name: "last", restores: { mail: { virtualMachineId: 44, recoveryPointId: 9 } }, ...last },
  ],
});

const promised = (value: unknown): Promise<Thing> => Promise.resolve(value as Thing);

const dependenciesOf = ({ registrations }: ProgramRun<unknown>, name: string): readonly string[] =>
  registrations.find((one) => one.name === name)?.dependencies ?? [];

describe("what a wave depends on", () => {
  const after = ["shop-web", "shop-web-vm-intent", "shop-content", "shop-content-file-intent"];
  const values: Readonly<Record<string, () => RecoveryWaveArgs["dependsOn"]>> = {
    "a resource": () => new Thing("dns"),
    "a list": () => [new Thing("dns")],
    "an output": () => pulumi.output(new Thing("dns")),
    "a promise of a list": () => Promise.resolve([new Thing("dns")]),
    "a list of promises": () => [Promise.resolve(new Thing("dns"))],
    "a component with the resource in it": () => new Group("between", (parent) => new Thing("dns", { parent })),
    "a function": () => () => new Thing("dns"),
    "a function that returns a list": () => () => [new Thing("dns")],
  };
  for (const [what, dependsOn] of Object.entries(values)) {
    it(`may be ${what}: its restores and their intents come after it, and no others`, async () => {
      const run = await runProgram(() => new RecoveryPlan("shop", shop(dependsOn())));
      for (const name of after) assert.ok(dependenciesOf(run, name).includes("dns"), name);
      for (const name of ["shop-run", "shop-db", "shop-db-vm-intent", "shop-mail", "shop-wave-front"]) {
        assert.ok(!dependenciesOf(run, name).includes("dns"), name);
      }
    });
  }

  for (const [what, between, names] of [
    [
      "a restore",
      (dependsOn: pulumi.Input<pulumi.Resource>) => new FileRestore("fix", { ...web, paths: ["/etc"] }, { dependsOn }),
      ["fix", "fix-file-intent"],
    ],
    [
      "a plan",
      (dependsOn: pulumi.Input<pulumi.Resource>) =>
        new RecoveryPlan("inner", { run: "first", waves: [{ name: "all", restores: { fix: web } }] }, { dependsOn }),
      ["inner-fix", "inner-fix-vm-intent"],
    ],
  ] as const) {
    it(`may be ${what} of a machine that waves before and behind it restore: each behind the one before it`, async () => {
      const run = await runProgram(
        () =>
          new RecoveryPlan(
            "shop",
            shop(({ data }) => between(data!), {}, { restores: { db: web } }),
          ),
      );
      const [restore, intent] = names;
      assert.ok(dependenciesOf(run, intent).includes("shop-db"));
      assert.ok(dependenciesOf(run, "shop-web-vm-intent").includes(restore));
      assert.ok(!dependenciesOf(run, "shop-db-vm-intent").includes(restore));
    });
  }

  it("may come after the waves before, which a function is handed by their names", async () => {
    let names: readonly string[] = [];
    const run = await runProgram(
      () =>
        new RecoveryPlan(
          "shop",
          shop(({ data }) => new Thing("dns", { dependsOn: data! }), {
            dependsOn: (waves) => {
              names = Object.keys(waves);
              return new Thing("mx", { dependsOn: Object.values(waves) });
            },
          }),
        ),
    );
    assert.deepEqual(names, ["data", "front"]);
    assert.deepEqual(dependenciesOf(run, "dns"), ["shop-wave-data"]);
    // The last part of a wave that restores a machine twice.
    assert.deepEqual(dependenciesOf(run, "mx"), ["shop-wave-data", "shop-wave-front:round-2"]);
    assert.ok(dependenciesOf(run, "shop-mail-vm-intent").includes("mx"));
    const order = run.registrations.map(({ name }) => name);
    for (const [earlier, later] of [
      ["shop-wave-data", "dns"],
      ["dns", "shop-web-vm-intent"],
      ["shop-wave-front:round-2", "mx"],
      ["mx", "shop-mail-vm-intent"],
    ] as const) {
      assert.ok(order.indexOf(earlier) < order.indexOf(later), `${earlier} before ${later}`);
    }
  });

  it("stands before a wave without restores as well", async () => {
    const run = await runProgram(
      () => new RecoveryPlan("shop", shop(undefined, { restores: {}, dependsOn: () => new Thing("dns") })),
    );
    assert.deepEqual(dependenciesOf(run, "shop-wave-last"), ["shop-wave-front:round-2", "dns", "shop-run"]);
  });

  it("is no part of the plan that is stored, and changes nothing of what is registered", async () => {
    const registered = async (dependsOn: RecoveryWaveArgs["dependsOn"]): Promise<unknown> => {
      const { registrations } = await runProgram(() => new RecoveryPlan("shop", shop(dependsOn)));
      return registrations.filter(({ name }) => name !== "dns").map(({ name, inputs }) => ({ name, inputs }));
    };
    assert.deepEqual(await registered(() => new Thing("dns")), await registered(undefined));
  });

  it("can be tested with the package's mocks", async () => {
    await pulumi.runtime.setMocks(mocks({ now: "2026-11-20T10:00:00Z" }));
    const plan = new RecoveryPlan(
      "shop",
      shop(({ data }) => new Thing("dns", { dependsOn: data! })),
    );
    assert.equal((await seen(plan.verdict)).value, "passed");
  });
});

describe("a wave that depends on what is no resource", () => {
  const wrong: readonly [string, unknown, RegExp][] = [
    ["a text", "dns", /waves\[1\]\.dependsOn is "dns": give a resource, a list of resources, or a function/],
    ["a list with a number in it", [3], /waves\[1\]\.dependsOn\[0\] is 3: give a resource/],
    ["a list with nothing in it", [undefined], /waves\[1\]\.dependsOn\[0\] is missing: give a resource/],
    [
      "a function that returns nothing",
      () => undefined,
      /waves\[1\]\.dependsOn, .* wave "front", returned nothing: return/,
    ],
    ["a function that returns a text", () => "dns", /waves\[1\]\.dependsOn, .* wave "front", returned "dns": return/],
    [
      "an async function",
      () => Promise.resolve([]),
      /waves\[1\]\.dependsOn, .* returned a promise or an output: return/,
    ],
    [
      "a function that throws",
      () => {
        throw new Error("no such zone");
      },
      /waves\[1\]\.dependsOn, the function of wave "front", threw: no such zone/,
    ],
    [
      "a misspelled wave",
      ({ date }: Readonly<Record<string, Promise<pulumi.Resource>>>) => new Thing("dns", { dependsOn: date! }),
      /waves\[1\]\.dependsOn, .* threw: no wave before it is called "date"; there is "data"/,
    ],
  ];
  for (const [what, dependsOn, message] of wrong) {
    it(`${what}: is an error, and nothing of the plan is registered`, async () => {
      let caught: unknown;
      const run = await runProgram(() => {
        try {
          new RecoveryPlan("shop", shop(dependsOn as RecoveryWaveArgs["dependsOn"]));
        } catch (error) {
          caught = error;
        }
      });
      assert.ok(caught instanceof pulumi.RunError);
      assert.match(caught.message, /^RecoveryPlan "shop" cannot be carried out, and nothing/);
      assert.match(caught.message, message);
      assert.deepEqual(
        run.registrations.map(({ name }) => name).filter((name) => name.includes("shop")),
        [],
      );
    });
  }

  it("a promise of none: fails when that is known, with the property's name", async () => {
    const { dependencies } = callDependsOn("shop", readPlanOrThrow("shop", shop(promised("dns"))));
    await assert.rejects(
      seen(dependencies[1]![0] as pulumi.Output<unknown>),
      /RecoveryPlan "shop": waves\[1\]\.dependsOn is "dns", and no resource/,
    );
  });

  it("calls no function of a plan that has other mistakes", () => {
    let called = false;
    const dependsOn = (): Thing => {
      called = true;
      return new Thing("dns");
    };
    assert.throws(
      () => new RecoveryPlan("shop", { ...shop(dependsOn), onFailure: "halt" as "stop" }),
      /onFailure is "halt"/,
    );
    assert.equal(called, false);
  });

  it("leaves no rejection behind that would end the process of a program that catches the error", async () => {
    const unhandled: unknown[] = [];
    const onRejection = (reason: unknown): void => void unhandled.push(reason);
    process.prependListener("unhandledRejection", onRejection);
    const dependsOn = (): Thing => {
      throw new Error("no such zone");
    };
    for (const args of [shop(undefined, {}, { dependsOn }), shop(dependsOn)]) {
      assert.throws(() => callDependsOn("shop", readPlanOrThrow("shop", args)), /no such zone/);
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", onRejection);
    assert.deepEqual(unhandled, []);
  });

  it("fails a resource that another function has put behind a wave, where a program goes on without its plan", async () => {
    let promise: Promise<pulumi.Resource> | undefined;
    const plan = shop(
      ({ data }) => {
        promise = data;
        return [];
      },
      {
        dependsOn: () => {
          throw new Error("no such zone");
        },
      },
    );
    const message = /waves\[2\]\.dependsOn, the function of wave "last", threw: no such zone/;
    assert.throws(() => callDependsOn("shop", readPlanOrThrow("shop", plan)), message);
    await assert.rejects(async () => promise, message);
  });
});
