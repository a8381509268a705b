import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { Group } from "./support/one-restore";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";
import { saidBy, toldByTheCli } from "./support/shown";
import { stored } from "./support/stored";
import { config, planArgs, timeouts } from "./support/two-waves";
import { long } from "../support/thorough";

describe("a recovery plan and the options of resources", () => {
  const scene = useScene();

  it("runs on an explicit provider's panel, inside another component, and stays where it was after a rename with an alias", async () => {
    const main = await scene.panel({ speed: 50 });
    const site = await scene.panel({ speed: 50, username: "drill", password: "at the site" });
    const program = (name: string, aliases: pulumi.Alias[]) =>
      inline(() => {
        const provider = new recovery.Provider("site", {
          endpoint: site.url,
          username: site.username,
          password: site.password,
          requestTimeout: "2s",
        });
        let plan: recovery.RecoveryPlan | undefined;
        new Group("drill", (parent) => (plan = new recovery.RecoveryPlan(name, planArgs(), { parent, aliases })), {
          provider,
        });
        return { verdict: plan!.verdict };
      });
    const stack = await scene.stack(program("shop", []), { config });
    const run = await stack.up();
    assert.equal(run.outputs["verdict"]?.value, "passed");
    assert.deepEqual([main.acceptedPosts(), site.acceptedPosts()], [0, 2]);

    stack.use(program("store", [{ name: "shop" }]));
    const renamed = await stack.up();
    assert.deepEqual(
      [renamed.changes.create ?? 0, renamed.changes.delete ?? 0, renamed.changes.replace ?? 0],
      [0, 0, 0],
    );
    assert.equal(site.acceptedPosts(), 2);
  });

  long.it("runs alone with --target of the whole plan", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(
      inline(() => {
        new recovery.VmRestore("other", { virtualMachineId: 44, recoveryPointId: 1009, timeouts });
        return { verdict: new recovery.RecoveryPlan("shop", planArgs()).verdict };
      }),
      { config },
    );
    await stack.up({ target: ["**RecoveryPlan**"] });
    assert.deepEqual(
      panel
        .restores()
        .map(({ machineId }) => machineId)
        .sort(),
      ["42", "43"],
    );
    assert.equal((await stack.resource("shop-verdict")).outputs?.["verdict"], "passed");
  });

  it("passes no run whose restores --target left out, takes none of the run before for this one, and is finished without it", async () => {
    const panel = await scene.panel({ speed: 50 });
    const program = (run: string) =>
      inline(() => ({ verdict: new recovery.RecoveryPlan("shop", { ...planArgs(), run }).verdict }));
    const stack = await scene.stack(program("first"), { config });
    await stack.up();
    const verdict = async (): Promise<unknown> => (await stack.resource("shop-verdict")).outputs?.["verdict"];
    assert.equal(await verdict(), "passed");

    stack.use(program("second"));
    await stack.upFails({ target: ["**shop-run", "**shop-verdict"] });
    assert.equal(await verdict(), "incomplete");
    const waves = await stack.upFails({ target: ["**shop-run", "**PlanWave**"] });
    assert.match(waves.stdout, /restore "db" of the plan was made in run "first", and this is run "second"/);
    assert.equal(panel.acceptedPosts(), 2);

    const whole = await stack.up();
    assert.equal(whole.outputs["verdict"]?.value, "passed with warnings");
    assert.deepEqual([panel.acceptedPosts(42), panel.acceptedPosts(43)], [2, 2]);
  });

  it("keeps headers, environments and what a check prints as secrets, in the state and on the terminal", async () => {
    await scene.panel({ speed: 50 });
    const checks: recovery.RecoveryCheckArgs[] = [
      {
        command: [process.execPath, "-e", "console.log('can' + 'ary-printed', process.env.TOKEN)"],
        env: { TOKEN: "canary-environment" },
      },
      {
        http: "http://127.0.0.1:1/?token=canary-query",
        headers: { authorization: "canary-header" },
        every: "1s",
        within: "1s",
      },
    ];
    const stack = await scene.stack(
      inline(() => {
        const secret = pulumi.secret("canary-secret-word");
        const plan = new recovery.RecoveryPlan(
          "shop",
          planArgs([...checks, { command: [process.execPath, "-e", "0", "canary-plain-word", secret] }]),
        );
        return { verdict: plan.verdict, restores: plan.restores };
      }),
      { config },
    );
    const run = await stack.upFails();
    assert.match(
      run.stdout,
      /check 2 of 3, http http:\/\/127\.0\.0\.1:1\/\?…, did not pass within 1s: no answer: ECONNREFUSED/,
    );
    for (const text of [saidBy(run), await stored(stack.place), await toldByTheCli(stack.place)]) {
      assert.doesNotMatch(text, /canary/);
    }
    const wave = await stack.resource("shop-wave-data");
    const steps = wave.outputs?.["restores"] as { db: { checks: { target: string; result: string }[] } };
    assert.deepEqual(
      steps.db.checks.map(({ result }) => result),
      ["passed", "failed", "passed"],
    );
    // The program alone, although another word is a secret.
    assert.equal(steps.db.checks[2]?.target, process.execPath);
  });

  long.it(
    "with a refused restore goes no further, and once that is mended posts only what was not posted",
    async () => {
      const panel = await scene.panel({ speed: 50 });
      const program = (point: number) =>
        inline(() => {
          const args = planArgs();
          args.waves[0]!.restores["web"] = { virtualMachineId: 44, recoveryPointId: point, timeouts };
          return { verdict: new recovery.RecoveryPlan("shop", { ...args, onFailure: "continue" }).verdict };
        });
      const stack = await scene.stack(program(999_999), { config });
      const refused = await stack.upFails();
      assert.match(refused.stdout, /restore "shop-web" .* was refused, nothing was carried out/);
      assert.equal(panel.acceptedPosts(43), 0);

      stack.use(program(1009));
      const run = await stack.up();
      assert.match(String(run.outputs["verdict"]?.value), /^passed/);
      assert.deepEqual(
        panel
          .restores()
          .map(({ machineId }) => machineId)
          .sort(),
        ["42", "43", "44"],
      );
    },
  );

  long.it("checks a machine whose restore has ended while others of its wave still wait for a place", async () => {
    await scene.panel({ speed: 20 });
    const command = [process.execPath, "-e", "0"];
    const stack = await scene.stack(
      inline(() => {
        const one = (virtualMachineId: number) => ({
          virtualMachineId,
          recoveryPointId: 1007,
          timeouts,
          checks: [{ command }],
        });
        const restores = { first: one(42), second: one(43), third: one(44) };
        return {
          restores: new recovery.RecoveryPlan("shop", { run: "a", waves: [{ name: "all", restores }] }).restores,
        };
      }),
      { config: { ...config, "recovery:maxConcurrent": "1" } },
    );
    const run = await stack.up();
    const results = run.outputs["restores"]?.value as Record<string, recovery.PlannedRestoreResult>;
    const order = Object.values(results).sort((a, b) => String(a.requestedAt).localeCompare(String(b.requestedAt)));
    const { startedAt } = (await stack.resource("shop-wave-all")).outputs as { startedAt: string };
    assert.ok(Date.parse(String(order[0]?.checkedAt)) < Date.parse(startedAt));
    assert.ok(Date.parse(String(order[0]?.finishedAt)) <= Date.parse(String(order[1]?.requestedAt)));
  });
});

long.describe("a recovery plan and more options of resources", () => {
  const scene = useScene();

  it("with protect keeps its record from being destroyed, and still runs anew", async () => {
    const panel = await scene.panel({ speed: 50 });
    const program = (run: string) =>
      inline(() => ({
        verdict: new recovery.RecoveryPlan("shop", { ...planArgs(), run }, { protect: true }).verdict,
      }));
    const stack = await scene.stack(program("first"), { config });
    await stack.up();
    stack.use(program("second"));
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed");
    assert.equal(panel.acceptedPosts(), 4);

    const before = (await stack.resources()).length;
    assert.match(saidBy(await stack.destroyFails()), /protect/);
    assert.equal((await stack.resources()).length, before);
  });

  it("comes after what it depends on, and before what depends on it", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(
      inline(() => {
        const before = new recovery.VmRestore("before", { virtualMachineId: 44, recoveryPointId: 1009, timeouts });
        const plan = new recovery.RecoveryPlan("shop", planArgs(), { dependsOn: before });
        new recovery.VmRestore("after", { virtualMachineId: 42, recoveryPointId: 1007, timeouts }, { dependsOn: plan });
        return { verdict: plan.verdict };
      }),
      { config },
    );
    await stack.up();
    assert.deepEqual(
      panel.restores().map(({ machineId }) => machineId),
      ["44", "42", "43", "42"],
    );
  });
});
