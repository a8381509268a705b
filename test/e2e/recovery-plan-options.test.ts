import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { commandOver } from "./support/command";
import { serve } from "../small-panels/serve";
import type { Shown } from "../small-panels/taste";
import { trap } from "../small-panels/trap";
import { declarePlan, planned, urnsOf } from "./support/plans";
import { Group } from "./support/one-restore";
import { inline } from "./support/inline";
import { long } from "../support/thorough";
import { useScene } from "./support/scene";
import { saidBy, toldByTheCli } from "./support/shown";
import { stored } from "./support/stored";
import { config, planArgs, timeouts } from "./support/two-waves";

describe("a recovery plan with resource options", () => {
  const scene = useScene();

  it("runs on an explicit provider's panel inside a component, and changes nothing when it is renamed with an alias", async () => {
    const main = await scene.panel({ speed: 50 });
    const site = await scene.panel({ speed: 50, username: "drill", password: "at the site" });
    const program = (name: string, aliases: pulumi.Alias[]) =>
      inline(() => {
        const { url: endpoint, username, password } = site;
        const provider = new recovery.Provider("site", { endpoint, username, password, requestTimeout: "2s" });
        let plan: recovery.RecoveryPlan | undefined;
        const make = (parent: pulumi.Resource) =>
          (plan = new recovery.RecoveryPlan(name, planArgs(), { parent, aliases }));
        new Group("drill", make, { provider });
        return { verdict: plan!.verdict };
      });
    const stack = await scene.stack(program("shop", []), { config });
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed");
    stack.use(program("store", [{ name: "shop" }]));
    const { changes } = await stack.up();
    assert.deepEqual([changes.create, changes.delete, changes.replace], [undefined, undefined, undefined]);
    await stack.up({ replace: await urnsOf(stack, /store-(run|wave-.*|verdict)$/) });
    assert.deepEqual([main.acceptedPosts(), site.acceptedPosts()], [0, 2]);
  });

  long.it("posts nothing again when adopt names the restore of a machine that was repaired", async () => {
    const row = ({ action, status, machine, at }: Shown) => ({
      action,
      status,
      virtual_machine_id: machine,
      chain_id: at,
    });
    const parts = (end: string) => [{}, { action: "startup_virtual_machine", seconds: 3, end }];
    const panel = await serve(trap({ row, parts }));
    try {
      panel.fail("42");
      const connection = { "recovery:endpoint": panel.url, "recovery:username": "operator", "recovery:password": "p" };
      const asked = (adopt?: string) => ({
        run: "first",
        waves: [
          {
            name: "data",
            restores: { db: { virtualMachineId: 42, recoveryPointId: 1007, timeouts, ...(adopt && { adopt }) } },
          },
        ],
      });
      const stack = await planned(scene, asked(), { connection: "none", config: connection });
      const line = /repair the machine and write adopt: "131"/;
      assert.match((await stack.upFails()).stdout, line);
      assert.match((await stack.preview()).stdout, line);
      await stack.configure(declarePlan(asked("131")));
      const { outputs, stdout } = await stack.up();
      assert.equal(outputs["verdict"]?.value, "passed with warnings");
      assert.match(stdout, /1 of 1 will be adopted: db/);
      assert.match(
        String(outputs["reasons"]?.value),
        /adopted transaction 131, which adopt names.*is in a job with transaction 132 /,
      );
      await stack.up({ expectNoChanges: true });
      assert.equal(panel.restores.length, 1);
    } finally {
      await panel.stop();
    }
  });

  it("hides what its checks send and print, in the preview, log, state and report", async () => {
    await scene.panel({ speed: 50 });
    const program = (header: string) =>
      inline(() => {
        const secret = pulumi.secret("canary-secret-word");
        const node = (code: string, ...words: pulumi.Input<string>[]) => [process.execPath, "-e", code, ...words];
        const plan = new recovery.RecoveryPlan(
          "shop",
          planArgs([
            { command: node("console.log('can' + 'ary-printed', process.env.TOKEN)"), env: { TOKEN: "canary-env" } },
            {
              name: "health",
              http: "http://127.0.0.1:1/canary-path?token=canary-query",
              headers: { authorization: header },
              every: "1s",
              within: "1s",
            },
            { command: node("process.exit(1)", "canary-plain-word", secret), every: "1s", within: "1s" },
          ]),
        );
        return { verdict: plan.verdict, restores: plan.restores };
      });
    const stack = await scene.stack(program("canary-header"), { config });
    const runs = [await stack.preview({ diff: true }), await stack.upFails({ diff: true })];
    assert.match(saidBy(runs[1]!), /check health did not pass: no answer: ECONNREFUSED/);
    assert.match(saidBy(runs[1]!), /check command \(2\) did not pass: /);
    stack.use(program("canary-other-header"));
    runs.push(await stack.preview({ diff: true }), await stack.upFails({ diff: true }));
    const reports = await commandOver(scene, stack, ["report"]);
    const texts = [
      ...runs.map(saidBy),
      await stored(stack.place),
      await toldByTheCli(stack.place),
      reports.out + reports.told,
    ];
    for (const text of texts) assert.doesNotMatch(text, /canary/);
    const changed = JSON.stringify((await stack.resource("shop-run")).outputs?.["changed"]);
    assert.match(changed, /waves\.data\.db/);
    const record = JSON.parse(String((await stack.resource("shop-wave-data")).outputs?.["record"])) as {
      restores: Record<string, { did: string; check?: string; passed?: boolean }[]>;
    };
    const checked = record.restores["db"]!.filter(({ did }) => did === "checked");
    assert.deepEqual(Object.fromEntries(checked.map(({ check, passed }) => [check, passed])), {
      command: true,
      health: false,
      "command (2)": false,
    });
  });
});
