import assert from "node:assert/strict";
import { isObject, omit } from "../../provider/plain/plain";
import * as pulumi from "@pulumi/pulumi";
import { planRun } from "../../provider/engine/dynamic";
import { RecoveryPlan, type RecoveryPlanArgs } from "../../provider";
import { step } from "../plan/support/stored-plans";
import { runProgram } from "./support/program-run";

const ids = { virtualMachineId: 42, recoveryPointId: 7 };
const plan: RecoveryPlanArgs = {
  run: "first",
  goals: { recoveryTime: "1h" },
  waves: [
    { name: "data", restores: { db: { virtualMachineId: 43, recoveryPointId: 8, checks: [{ tcp: "db:5432" }] } } },
    { name: "front", restores: { web: { ...ids, triggers: ["again"] }, content: { ...ids, paths: ["/srv"] } } },
  ],
};

describe("a plan in a program", () => {
  it("consists of a run, the restores of each wave, a resource that waits for them, and a verdict, in this order", async () => {
    const run = await runProgram(() => new RecoveryPlan("shop", plan));
    const after = (name: string): readonly string[] =>
      run.registrations.find((one) => one.name === name)?.dependencies ?? [];
    assert.ok(after("shop-db").includes("shop-run"));
    assert.ok(after("shop-db-vm-intent").includes("shop-run"));
    assert.ok(after("shop-wave-data").includes("shop-db"));
    assert.ok(after("shop-web").includes("shop-wave-data"));
    assert.ok(after("shop-web-vm-intent").includes("shop-wave-data"));
    // One machine twice in a wave: its files come in a second batch, after the first.
    assert.ok(after("shop-wave-front").includes("shop-web"));
    assert.ok(!after("shop-wave-front").includes("shop-content"));
    assert.ok(after("shop-content-file-intent").includes("shop-wave-front"));
    assert.ok(after("shop-wave-front:round-2").includes("shop-content"));
    const { inputs } = run.find("PlanRun", "shop-run");
    assert.deepEqual(inputs["records"], ["data", "front", "front:round-2"]);
    for (const wave of ["shop-wave-data", "shop-wave-front", "shop-wave-front:round-2"]) {
      assert.ok(after("shop-verdict").includes(wave));
    }
  });

  it("posts without waiting, triggered by the run and by the restore's own triggers", async () => {
    const run = await runProgram(() => new RecoveryPlan("shop", plan));
    assert.deepEqual(run.find("VmRestore", "shop-db").inputs["triggers"], ["first"]);
    assert.deepEqual(run.find("VmRestore", "shop-web").inputs["triggers"], ["first", "again"]);
    assert.equal(run.find("FileRestore", "shop-content").inputs["wait"], false);
    assert.deepEqual(run.find("RestoreIntent", "shop-web-vm-intent").inputs["triggers"], ["first", "again"]);
  });

  it("is judged by waves under the run that each was stored in, which is an earlier one for a wave that --target leaves out", async () => {
    const run = await runProgram(
      () => new RecoveryPlan("shop", plan),
      "up",
      (_type, name) => (name === "shop-wave-data" ? { run: "before" } : {}),
    );
    const { waves } = run.find("PlanVerdict", "shop-verdict").inputs as { waves: { run: string; name: string }[] };
    assert.deepEqual(
      waves.map((wave) => [wave.name, wave.run]),
      [
        ["data", "before"],
        ["front", "first"],
        ["front", "first"],
      ],
    );
  });

  it("measures each restore in its outputs as the verdict does, which knows its tries in another wave", async () => {
    const goal = { scope: "restore", restore: "db", verdict: "not set" } as const;
    const stored = {
      "shop-wave-data": { name: "data", restores: { db: step({ recoveredSeconds: 600 }) } },
      "shop-verdict": {
        goals: [
          { ...goal, goal: "recoveryTime", measuredSeconds: 2_400 },
          { ...goal, goal: "dataAge" },
        ],
      },
    };
    let restores: Promise<RecoveryPlan["restores"] extends pulumi.Output<infer T> ? T : never> | undefined;
    await runProgram(
      () => {
        const made = new RecoveryPlan("shop", plan);
        restores = new Promise((resolve) => made.restores.apply(resolve));
      },
      "up",
      (_type, name) => stored[name as keyof typeof stored] ?? {},
    );
    const { db } = (await restores)!;
    assert.deepEqual([db?.wave, db?.recoveredSeconds, db?.dataAgeSeconds], ["data", 2_400, undefined]);
  });

  it("hands a wave the triggers of each of its restores, whose first is the run that it was made in", async () => {
    const secret: RecoveryPlanArgs = {
      run: "first",
      waves: [{ name: "data", restores: { db: { ...ids, triggers: [pulumi.secret("canary")] } } }],
    };
    const run = await runProgram(
      () => new RecoveryPlan("shop", secret),
      "up",
      (_type, name) => (name === "shop-db" ? { triggers: ["before", "canary"] } : {}),
    );
    const { planned } = run.find("PlanWave", "shop-wave-data").inputs as PlannedInputs;
    assert.deepEqual(planned["db"]?.inputs["triggers"], ["before", "canary"]);
  });

  it("hands run, waves and restores one definition, whole and as one secret", async () => {
    const run = await runProgram(() => new RecoveryPlan("shop", plan));
    const { definition } = run.find("PlanRun", "shop-run").inputs;
    const [data] = (openSecret(definition) as { waves: { restores: Record<string, { checks: unknown }> }[] }).waves;
    const ofWave = run.find("PlanWave", "shop-wave-data").inputs["definition"];
    assert.deepEqual(openSecret(ofWave), data?.restores);
    const { ofPlan } = run.find("VmRestore", "shop-db").inputs;
    assert.deepEqual(openSecret(ofPlan), { name: "db", checks: data?.restores["db"]?.checks });
  });

  it("takes what a wave waits for from the run, as the state has it where the run is left out", async () => {
    const before = { waves: [{ name: "data", restores: { db: { checks: ["those of before"] } } }] };
    const left = {
      onFailure: "continue",
      waves: [
        { name: "data", restores: { db: {}, gone: {} } },
        { name: "more", restores: {} },
      ],
    };
    const run = await runProgram(
      () => new RecoveryPlan("shop", plan),
      "up",
      (_type, name) => (name === "shop-run" ? { definition: before, asGiven: { ...left } } : {}),
    );
    const wave = run.find("PlanWave", "shop-wave-data").inputs;
    assert.deepEqual(openSecret(wave["definition"]), { db: { checks: ["those of before"] } });
    assert.deepEqual([wave["onFailure"], wave["later"], wave["isRunLeftOut"]], ["continue", [], true]);
    const { isRunLeftOut } = (await runProgram(() => new RecoveryPlan("shop", plan))).find(
      "PlanWave",
      "shop-wave-data",
    ).inputs;
    assert.equal(isRunLeftOut, false);
  });

  it("has the provider line of each of its parts, which states depend on", async () => {
    const run = await runProgram(() => new RecoveryPlan("shop", plan));
    for (const [type, name, handler] of [
      ["PlanRun", "shop-run", "planRun"],
      ["PlanWave", "shop-wave-data", "planWave"],
      ["PlanVerdict", "shop-verdict", "planVerdict"],
    ] as const) {
      assert.equal(
        run.find(type, name).inputs["__provider"],
        `exports.handler = () => require("pulumi-recovery/dynamic").${handler};`,
      );
    }
  });

  describe("that is changed between two runs of the same name", () => {
    const db = { virtualMachineId: 43, recoveryPointId: 8 };
    const web = { ...ids, triggers: ["again"] };
    const content = { ...ids, paths: ["/srv"] };
    const changes: Readonly<Record<string, Partial<RecoveryPlanArgs>>> = {
      "a restore moved to another wave": {
        waves: [
          { name: "data", restores: { db, web } },
          { name: "front", restores: { content } },
        ],
      },
      "one of two restores of a machine moved before the other": {
        waves: [
          { name: "files", restores: { content } },
          { name: "data", restores: { db, web } },
        ],
      },
      "another wave first": {
        waves: [
          { name: "front", restores: { content, web } },
          { name: "data", restores: { db } },
        ],
      },
      "a wave renamed": {
        waves: [
          { name: "storage", restores: { db } },
          { name: "front", restores: { web, content } },
        ],
      },
      "all in one wave": { waves: [{ name: "all", restores: { db, web, content } }] },
      "other goals, checks and stamps": {
        goals: { dataAge: "1h" },
        wholeGoals: { recoveryTime: "1h" },
        incidentAt: "2026-11-20T09:30:00Z",
        waves: [
          {
            name: "data",
            goals: { recoveryTime: 1 },
            restores: { db: { ...db, recoveryPointTakenAt: "2026-11-20T02:00:00Z", checks: [{ tcp: "other:1" }] } },
          },
          { name: "front", restores: { web: { ...web, goals: { recoveryTime: "9h" } }, content } },
        ],
      },
      "another way on after a failure": { onFailure: "continue", onMissedGoal: "warn", kind: "recovery" },
      "other notes": { notes: { owner: "ada" } },
    };
    /** The inputs from which the engine and the provider decide whether a restore is made. The restore before it and its checks are none of them. */
    const restoresOf = async (args: RecoveryPlanArgs): Promise<unknown> => {
      const { registrations } = await runProgram(() => new RecoveryPlan("shop", args));
      const restores = registrations.filter(({ type }) => /:(VmRestore|FileRestore|RestoreIntent)$/.test(type));
      return Object.fromEntries(restores.map(({ urn, inputs }) => [urn, withoutOrder(inputs)]));
    };

    for (const [what, change] of Object.entries(changes)) {
      it(`is asked for no other restore: ${what}`, async () => {
        assert.deepEqual(await restoresOf({ ...plan, ...change }), await restoresOf(plan));
      });
    }

    it("is asked for no other restore by one that was taken out, and for all of them by a new run", async () => {
      const [data] = plan.waves;
      const whole = (await restoresOf(plan)) as Record<string, { triggers: unknown[] }>;
      const less = (await restoresOf({ ...plan, waves: [data!] })) as typeof whole;
      assert.equal(Object.keys(less).length, 2);
      for (const [urn, inputs] of Object.entries(less)) assert.deepEqual(inputs, whole[urn]);
      const again = (await restoresOf({ ...plan, run: "second" })) as typeof whole;
      assert.deepEqual(Object.keys(again), Object.keys(whole));
      for (const { triggers } of Object.values(again)) assert.equal(triggers[0], "second");
    });
  });

  it("is shown in one spelling, without what may be secret, and what is shown holds no part of a command", async () => {
    const checks = [
      { http: pulumi.secret("https://canary.example.com"), headers: { authorization: "canary" } },
      { command: ["ssh", "db", "--password", "canary"], env: { TOKEN: "canary" } },
    ];
    const run = await runProgram(
      () =>
        new RecoveryPlan("shop", {
          run: pulumi.output("first"),
          waves: [{ name: "data", restores: { db: { ...ids, checks } } }],
        }),
    );
    const { inputs } = run.find("PlanRun", "shop-run");
    assert.equal(inputs["run"], "first");
    const times = { everySeconds: 5, withinSeconds: 300, afterSeconds: 0 };
    assert.deepEqual(inputs["asGiven"], {
      onFailure: "stop",
      onMissedGoal: "fail",
      waves: [
        {
          name: "data",
          restores: {
            db: {
              virtualMachineId: "42",
              recoveryPointId: "7",
              checks: [
                { kind: "http", target: "[secret]", ...times },
                { kind: "command", target: "ssh", ...times },
              ],
            },
          },
        },
      ],
    });
    // Everything that holds a word of a check is a secret.
    for (const { inputs: of } of run.registrations)
      assert.doesNotMatch(
        JSON.stringify(of, (_key, value: unknown) => (isSecret(value) ? "secret" : value)),
        /canary/,
      );
  });

  it("shows what its checks expect, but for a secret", async () => {
    const http = "https://shop.example.com";
    const checks = [
      { http, status: [200, 204], contains: pulumi.output("ok") },
      { http, contains: pulumi.secret("canary") },
      { http, headers: {} },
    ];
    const run = await runProgram(
      () => new RecoveryPlan("shop", { run: "first", waves: [{ name: "data", restores: { db: { ...ids, checks } } }] }),
    );
    type Shown = { waves: { restores: Record<string, { checks: { expects?: string }[] }> }[] };
    const { asGiven, definition } = run.find("PlanRun", "shop-run").inputs;
    for (const form of [asGiven, openSecret(definition)]) {
      const expected = (form as Shown).waves[0]?.restores["db"]?.checks.map(({ expects }) => expects);
      assert.deepEqual(expected, ['status 200 or 204, containing "ok"', "[secret]", undefined]);
    }
    assert.doesNotMatch(JSON.stringify(asGiven), /canary/);
  });

  it("is refused under a secret as its run, which could not be told from the next one", async () => {
    const run = await runProgram(() => new RecoveryPlan("shop", { ...plan, run: pulumi.secret("canary") }));
    const { failures } = planRun.check({}, run.find("PlanRun", "shop-run").inputs);
    assert.deepEqual(
      failures.map(({ property }) => property),
      ["run"],
    );
    assert.doesNotMatch(JSON.stringify(failures), /canary/);
  });

  it("registers nothing when its arguments cannot be right", async () => {
    await assert.rejects(
      runProgram(() => new RecoveryPlan("shop", { ...plan, onFailure: "halt" as "stop", waves: [] })),
      (error: unknown) => {
        assert.ok(error instanceof pulumi.RunError);
        assert.match(
          error.message,
          /RecoveryPlan "shop" cannot be carried out, and nothing was sent:\n {2}onFailure is "halt".*\n {2}waves is empty/,
        );
        return true;
      },
    );
  });

  it("says what is wrong without a stack, and without anything that the CLI would take for a colour and panic over", async () => {
    const odd = "db<{%x%}>";
    for (const make of [
      () => new RecoveryPlan(odd, plan),
      () => new RecoveryPlan("shop", { ...plan, waves: [{ name: "data", restores: { [odd]: ids } }] }),
    ]) {
      await assert.rejects(runProgram(make), (error: unknown) => {
        assert.ok(error instanceof pulumi.RunError);
        assert.match(error.message, /db<\{ %x%\}>/);
        assert.equal(error.stack, "");
        return true;
      });
    }
  });

  it("comes whole after what it depends on", async () => {
    const run = await runProgram(() => {
      const before = new RecoveryPlan("before", {
        run: "a",
        waves: [{ name: "data", restores: { db: { virtualMachineId: 1, recoveryPointId: 1 } } }],
      });
      return new RecoveryPlan("shop", plan, { dependsOn: before });
    });
    const { dependencies } = run.find("PlanRun", "shop-run");
    assert.ok(dependencies.includes("before-verdict"), dependencies.join());
  });
});

function withoutOrder(inputs: Readonly<Record<string, unknown>>): object {
  const others = omit(inputs, "predecessor", "machineBefore", "row", "inPlan", "ofPlan");
  const { intent } = others;
  return { ...others, ...(isObject(intent) && { intent: withoutOrder(intent) }) };
}

type PlannedInputs = {
  readonly planned: Readonly<Record<string, { readonly inputs: Record<string, unknown> }>>;
} & Readonly<Record<string, unknown>>;

function isSecret(value: unknown): value is { readonly value: unknown } {
  return isObject(value) && "4dabf18193072939515e22adb298388d" in value;
}

function openSecret(value: unknown): unknown {
  assert.ok(isSecret(value), "it is a secret");
  return value.value;
}
