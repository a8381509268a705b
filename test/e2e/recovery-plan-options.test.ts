import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { call } from "../cli/support/call";
import { planArgs, quick as config, urnsOf } from "./support/plans";
import { Group } from "./support/one-restore";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";
import { saidBy, toldByTheCli } from "./support/shown";
import { stored } from "./support/stored";

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
    const first = await stack.upFails({ diff: true });
    assert.match(saidBy(first), /check health did not pass: no response: ECONNREFUSED/);
    assert.match(saidBy(first), /check command \(2\) did not pass: /);
    stack.use(program("canary-other-header"));
    const runs = [first, await stack.preview({ diff: true }), await stack.upFails({ diff: true })];
    const state = JSON.stringify(await stack.exportState());
    const { out, err } = await call(["report", "-", "--out", scene.folder], {}, state);
    assert.match(out, /report\.html/, err);
    const texts = [...runs.map(saidBy), await stored(stack.place), await toldByTheCli(stack.place), out + err];
    for (const text of texts) assert.doesNotMatch(text, /canary/);
  });
});
