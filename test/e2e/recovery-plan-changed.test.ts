import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { RecoveryPlanArgs } from "pulumi-recovery";
import { report } from "../../report";
import { declarePlan, planned } from "./support/plans";
import { useScene } from "./support/scene";
import type { StoredRun } from "../../provider/plan/stored";
import { config, timeouts } from "./support/two-waves";
import { long } from "../support/thorough";
import { listening } from "../support/listening";

const files = (paths: string[], triggers: string[] = []): RecoveryPlanArgs => ({
  run: "first",
  waves: [
    { name: "data", restores: { db: { virtualMachineId: 42, recoveryPointId: 1007, timeouts } } },
    { name: "front", restores: { etc: { virtualMachineId: 43, recoveryPointId: 1008, paths, triggers, timeouts } } },
  ],
});

describe("a recovery plan that was changed", () => {
  const scene = useScene();

  it("passes no restore whose paths or triggers changed within the run and that --target left out, and is finished without it", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await planned(scene, files(["/srv"]), { config });
    const verdicts = async (): Promise<readonly unknown[]> => [
      (await stack.resource("shop-verdict")).outputs?.["verdict"],
      report(await stack.exportState()).verdict.result,
    ];
    await stack.up();
    assert.deepEqual(await verdicts(), ["passed", "passed"]);
    let posted = 2;
    for (const changed of [files(["/srv", "/etc"]), files(["/srv", "/etc"], ["again"])]) {
      await stack.configure(declarePlan(changed));
      await stack.upFails({ target: ["**shop-run", "**shop-verdict"] });
      assert.deepEqual(await verdicts(), ["incomplete", "incomplete"]);
      assert.equal(panel.acceptedPosts(), posted);
      await stack.up();
      assert.deepEqual(await verdicts(), ["passed with warnings", "passed with warnings"], "the plan was changed");
      assert.equal(panel.acceptedPosts(), ++posted, "what was changed is restored again, and nothing else");
    }
    await stack.up({ expectNoChanges: true });
  });

  it("shows in a preview what changes and nothing else, and refuses a wave whose run is left out", async () => {
    const panel = await scene.panel({ speed: 50 });
    const service = createServer((_, response) => response.end("all good"));
    const http = `http://127.0.0.1:${await listening(service)}/`;
    const plan = (contains: string, triggers: string[] = []): RecoveryPlanArgs => ({
      run: "first",
      waves: [
        {
          name: "data",
          restores: {
            db: { virtualMachineId: 42, recoveryPointId: 1007, timeouts, triggers, checks: [{ http, contains }] },
          },
        },
        { name: "front", restores: { web: { virtualMachineId: 43, recoveryPointId: 1008, timeouts } } },
      ],
    });
    try {
      const stack = await planned(scene, plan("all"), { config });
      await stack.up();
      await stack.configure(declarePlan(plan("good")));
      // The run, the wave of the check, and the verdict.
      assert.match((await stack.preview()).stdout, /~ 3 to update\n\s+7 unchanged/);
      await stack.up();
      await stack.preview({ expectNoChanges: true });
      await stack.configure(declarePlan(plan("good", ["again"])));
      const left = await stack.upFails({ target: ["**shop-db-vm-intent", "**shop-db", "**shop-wave-data"] });
      assert.match(
        left.stdout + left.stderr,
        /the run's own record has restore "db" otherwise than this program: a part of the plan was left out; run `pulumi up` without --target/,
      );
      // The verdict of before is of another posting by now.
      const state = await stack.exportState();
      assert.equal(report(state).verdict.result, "incomplete");
      assert.equal(panel.acceptedPosts(), 3);
      const { outputs } = await stack.up();
      assert.equal(outputs["verdict"]?.value, "passed with warnings");
      assert.equal(panel.acceptedPosts(), 3, "it is taken over");
    } finally {
      service.closeAllConnections();
      service.close();
    }
  });

  it("keeps what had failed where --replace makes the wave, its restore and its intent anew, and leaves the waves after it alone", async () => {
    const panel = await scene.panel({ speed: 20 });
    panel.failNext(42, "failed");
    const stack = await planned(scene, files(["/srv"]), { config });
    await stack.upFails();
    const urns = await stack.resources();
    const made = urns.filter(({ urn }) => /shop-(db|db-vm-intent|wave-data)$/.test(urn)).map(({ urn }) => urn);
    assert.equal(made.length, 3);
    const { outputs } = await stack.up({ replace: made });
    assert.deepEqual([outputs["verdict"]?.value, panel.acceptedPosts()], ["passed with warnings", 3]);
    assert.match(
      String(outputs["reasons"]?.value),
      /db \(wave data\): it came back at try 2: the one before was last seen failed/,
    );
    const wave = made.filter((urn) => urn.endsWith("wave-data"));
    const again = await stack.up({ replace: wave });
    assert.deepEqual([again.outputs["reasons"]?.value, panel.acceptedPosts()], [outputs["reasons"]?.value, 3]);
    await stack.up({ expectNoChanges: true });
  });

  it("calls no restore complete whose machine was restored again since, whatever --target leaves out, and loses none in a wave's second round", async () => {
    const panel = await scene.panel({ speed: 50 });
    const web = { virtualMachineId: 42, recoveryPointId: 1007, timeouts };
    const content = { ...web, paths: ["/srv"] };
    const plan = (triggers: string[], waves: RecoveryPlanArgs["waves"] = []): RecoveryPlanArgs => ({
      run: "first",
      waves: [{ name: "data", restores: { web: { ...web, triggers }, etc: content } }, ...waves],
    });
    const front = [{ name: "front", restores: { content } }];
    const stack = await planned(scene, plan([], front), { config });
    await stack.up();
    await stack.configure(declarePlan(plan(["again"], front)));
    const target = ["**shop-run", "**shop-web-vm-intent", "**shop-web", "**shop-wave-data", "**shop-verdict"];
    await stack.upFails({ target });
    const { verdict, reasons } = (await stack.resource("shop-verdict")).outputs ?? {};
    const overwritten = ["etc (wave data)", "content (wave front)"].map(
      (who) => `${who}: overwritten, because its machine was restored again since`,
    );
    assert.deepEqual([verdict, reasons], ["incomplete", overwritten]);
    const made = report(await stack.exportState());
    assert.deepEqual(
      [made.verdict.result, made.verdict.reasons, made.verdict.from],
      ["incomplete", overwritten, "stored"],
    );
    assert.equal(panel.acceptedPosts(), 4);
    // The record of the second round would be gone with it.
    await stack.configure(declarePlan({ run: "first", waves: [{ name: "data", restores: { web } }, ...front] }));
    const refused = await stack.previewFails();
    assert.match(refused.stdout + refused.stderr, /round-2 of wave "data" is in the run "first", which has begun/);
  });

  it("is judged by the incident that the run has, whatever the program says where --target leaves the run out", async () => {
    await scene.panel({ speed: 50 });
    const taken = Date.now() - 3_600_000;
    const incident = { incidentAt: new Date(taken - 3_600_000).toISOString() };
    const recoveryPointTakenAt = new Date(taken).toISOString();
    const db = { virtualMachineId: 42, recoveryPointId: 1007, recoveryPointTakenAt, timeouts };
    const plan = { run: "first", goals: { dataAge: "24h" }, waves: [{ name: "data", restores: { db } }] };
    const stack = await planned(scene, { ...plan, ...incident }, { config });
    await stack.upFails();
    await stack.configure(declarePlan(plan));
    const { stdout, stderr } = await stack.upFails({ target: ["**shop-verdict"] });
    assert.match(stdout + stderr, /run "first": incomplete.*the recovery point was taken after the incident/s);
    const { outputs } = await stack.up();
    assert.equal(outputs["verdict"]?.value, "passed with warnings");
    assert.match(String(outputs["reasons"]?.value), /incidentAt was taken out, it was/);
    await stack.up({ expectNoChanges: true });
    await stack.preview({ expectNoChanges: true });
  });

  it("does not become passed by taking out what failed, raising a goal or dropping a check", async () => {
    const panel = await scene.panel({ speed: 50 });
    panel.failNext(44, "failed");
    const web = { virtualMachineId: 42, recoveryPointId: 1007, timeouts };
    const plan = (
      restores: RecoveryPlanArgs["waves"][number]["restores"],
      recoveryTime: string,
      wave = "data",
    ): RecoveryPlanArgs => ({ run: "first", wholeGoals: { recoveryTime }, waves: [{ name: wave, restores }] });
    const mail = { virtualMachineId: 44, recoveryPointId: 1009, timeouts };
    const stack = await planned(scene, plan({ web, mail }, "1s"), { config });
    await stack.upFails();
    // A wave that was begun keeps its name, and so its record.
    await stack.configure(declarePlan(plan({ web }, "1h", "base")));
    const refused = await stack.previewFails();
    assert.match(
      refused.stdout + refused.stderr,
      /wave "data" is in the run "first", which has begun.*Nothing was sent/,
    );
    await stack.configure(declarePlan(plan({ web }, "1h")));
    const { outputs } = await stack.up();
    const reasons = (outputs["reasons"]?.value as readonly string[]).join("\n");
    assert.equal(outputs["verdict"]?.value, "passed with warnings");
    assert.match(
      reasons,
      /the plan was changed during the run, at .*: mail was taken out of wave data after it had failed; wholeGoals\.recoveryTimeSeconds was 1, is 3600/,
    );
    const made = report(await stack.exportState());
    assert.deepEqual([made.verdict.result, made.verdict.reasons.join("\n")], ["passed with warnings", reasons]);
    assert.equal(panel.acceptedPosts(), 2);
    await stack.preview({ expectNoChanges: true });
    // Its record stays where it is put back and taken out again.
    await stack.configure(declarePlan(plan({}, "1h")));
    await stack.upFails();
    await stack.configure(declarePlan(plan({ web }, "1h")));
    const again = await stack.up();
    assert.match(
      (again.outputs["reasons"]?.value as readonly string[]).join("\n"),
      /mail was taken out of wave data after it had failed/,
    );
  });

  long.it(
    "tries a restore that failed again with one command, measures it from its first try, and does not call that passed",
    async () => {
      const panel = await scene.panel({ speed: 10 });
      panel.failNext(43, "failed");
      const stack = await planned(scene, files(["/srv"]), { config });
      const failed = await stack.upFails();
      assert.match(
        failed.stdout + failed.stderr,
        /To try it again, change its triggers, or run `pulumi up --refresh`\./,
      );
      await stack.upFails();
      assert.equal(panel.acceptedPosts(), 2, "alone it sends nothing");
      const again = await stack.up({ refresh: true });
      assert.equal(again.outputs["verdict"]?.value, "passed with warnings");
      assert.equal(panel.acceptedPosts(), 3);
      const made = report(await stack.exportState());
      assert.deepEqual([made.verdict.result, made.verdict.from], ["passed with warnings", "stored"]);
      const etc = made.waves[1]?.restores[0];
      assert.deepEqual(
        etc?.earlierTries?.map(({ result }) => result),
        ["failed"],
      );
      assert.ok((etc?.recoveredSeconds ?? 0) >= (etc?.durationSeconds ?? Infinity));
    },
  );

  long.it("measures a check that was added to a run that had passed by itself: it makes no restore late", async () => {
    const panel = await scene.panel({ speed: 50 });
    const service = createServer();
    const tcp = `127.0.0.1:${await listening(service)}`;
    const plan = (checks: { tcp: string; after: string }[]): RecoveryPlanArgs => ({
      run: "first",
      // The engine alone takes longer from one run to the next, and the check waits as long before its first try.
      goals: { recoveryTime: "2s" },
      waves: [{ name: "data", restores: { db: { virtualMachineId: 42, recoveryPointId: 1007, timeouts, checks } } }],
    });
    try {
      const stack = await planned(scene, plan([]), { config });
      await stack.up();
      const before = report(await stack.exportState());
      assert.equal(before.verdict.result, "passed", before.verdict.reasons.join());
      await stack.configure(declarePlan(plan([{ tcp, after: "2s" }])));
      assert.equal((await stack.up()).outputs["verdict"]?.value, "passed with warnings");
      const { verdict, goals, waves } = report(await stack.exportState());
      assert.deepEqual([verdict.result, verdict.from], ["passed with warnings", "stored"]);
      assert.deepEqual(goals, before.goals, "what was measured stays what it was");
      const { recoveredSeconds, checks } = waves[0]?.restores[0] ?? {};
      assert.equal(recoveredSeconds, before.waves[0]?.restores[0]?.recoveredSeconds);
      assert.deepEqual(
        checks?.map(({ result, addedLater }) => [result, addedLater]),
        [["passed", true]],
      );
      assert.equal(panel.acceptedPosts(), 1);
    } finally {
      await new Promise((resolve) => service.close(resolve));
    }
  });

  long.it(
    "says so where a check asks otherwise than in the run before, whatever is shown of it, and shows no value",
    async () => {
      await scene.panel({ speed: 50 });
      const service = createServer((_, response) => response.end("all good"));
      const http = `http://127.0.0.1:${await listening(service)}/`;
      const plan = (run: string, contains: string, authorization = "hunter2hunter2"): RecoveryPlanArgs => ({
        run,
        waves: [
          {
            name: "data",
            restores: {
              db: {
                virtualMachineId: 42,
                recoveryPointId: 1007,
                timeouts,
                checks: [{ http, contains, headers: { authorization } }],
              },
            },
          },
        ],
      });
      try {
        const stack = await planned(scene, plan("first", "all good"), { config });
        await stack.up();
        await stack.configure(declarePlan(plan("second", "all good")));
        await stack.up();
        assert.equal(report(await stack.exportState()).plan?.changed, false);
        await stack.configure(declarePlan(plan("third", "all")));
        await stack.up();
        const state = await stack.exportState();
        const { changed, changedPaths } = report(state).plan ?? {};
        assert.deepEqual([changed, changedPaths], [true, ["waves.data.restores.db.checks[0].expects"]]);
        // Within the run, too: what it asks is written down anew.
        await stack.configure(declarePlan(plan("third", "all", "swordfish")));
        await stack.up();
        // The settings of the stack hold the plan of this test as a text.
        const ofPlan = (await stack.resources()).filter(({ type }) => /recovery[:/]/.test(type));
        assert.doesNotMatch(JSON.stringify(ofPlan), /hunter2|swordfish/);
        const history = (await stack.resource("shop-run")).outputs?.["history"] as StoredRun["history"];
        assert.deepEqual(
          history.map(({ changes }) => changes.map(({ path }) => path)),
          [["waves.data.restores.db.checks[0].headers.authorization"]],
        );
      } finally {
        service.closeAllConnections();
        service.close();
      }
    },
  );
});
