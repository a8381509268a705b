import assert from "node:assert/strict";
import { readMetrics } from "../cli/support/prometheus";
import { jobSteps, playSteps } from "../docs/support/pipeline-files";
import { long } from "../support/thorough";
import { drillOf, panelOptions } from "./support/drill";
import { useScene } from "./support/scene";

const machines = Array.from({ length: 12 }, (_, index) => 301 + index);

long.describe("the workflows in docs/pipelines, on the real engine,", () => {
  const scene = useScene();

  for (const on of ["GitHub", "GitLab"] as const)
    it(`preview without a POST, restore once in a drill and keep its report, find everything ready the next morning, and fail after an up that did nothing: ${on}`, async function () {
      this.timeout(20 * 60_000);
      const panel = await scene.panel(panelOptions(100));
      const drill = await drillOf(scene.folder, panel);
      await drill.run(
        "git init -q --bare -b recovery-reports ../reports.git && git -C ../reports.git config receive.advertisePushOptions true && git clone -q ../reports.git reports && cd reports &&" +
          "git -c user.name=x -c user.email=x@localhost commit -qm 'Reports of drills' --allow-empty && git push -q",
      );
      if (on === "GitLab") await drill.run("rm -r reports");
      const play = async (job: "ready" | "preview" | "drill", RUN: string, allowed: readonly number[] = machines) => {
        const env = { RUN, RECOVERY_ALLOWED_MACHINES: allowed.join() };
        const steps = jobSteps(on, job).map(({ run, ...step }) => ({
          ...step,
          ...(run !== undefined && run !== "npm ci" && { run: run.replace(/^npm ci$/m, ":") }),
        }));
        const played = await playSteps(steps, env, (script, given) =>
          drill.script(script, given).ended.then(({ code, text }) => ({ code, output: text })),
        );
        if (on === "GitLab") await drill.run("rm -rf reports");
        return played;
      };
      const kept = () => drill.run("git -C ../reports.git ls-tree -r --name-only recovery-reports");
      const { isGood, output, left } = await play("preview", "2026-11");
      assert.ok(isGood, output);
      assert.match(output, /shop-wave-front/);
      for (const machine of machines) assert.match(output, new RegExp(`machine ${String(machine)}\\b`));
      assert.equal(panel.acceptedPosts(), 0);
      if (on === "GitHub") assert.deepEqual(left, { run: "2026-11" });

      const first = await play("drill", "2026-11");
      assert.ok(first.isGood, first.output);
      assert.equal(panel.acceptedPosts(), 12);
      assert.match(await kept(), /^(?:77|78)\/report\.json\n$/);
      const { run, verdict } = JSON.parse(drill.read("recovery-report/report.json")) as {
        readonly run: { readonly name: string };
        readonly verdict: { readonly result: string };
      };
      assert.deepEqual([run.name, verdict.result], ["2026-11", "passed"]);

      const ready = await play("ready", "2026-11");
      assert.ok(ready.isGood, ready.output);
      assert.match(drill.read("recovery-ready/ready.md"), /^### ✅ Ready\? drill: ready$/m);
      const proven = readMetrics(drill.read("recovery-ready/ready.prom")).filter(({ name }) => /_proven_/.test(name));
      assert.equal(proven.length, 12);

      const again = await play("drill", "2026-11");
      assert.match(again.output, /\d+ unchanged/);
      assert.match(again.output, /^--since: nothing has been recorded .*; the last activity was at /m);
      assert.ok(!again.isGood);

      // If the variable is not set, no machine is allowed.
      const refused = await play("preview", "2027-02", []);
      assert.match(refused.output, /RECOVERY_ALLOWED_MACHINES/);
      assert.ok(!refused.isGood);
      assert.equal(panel.acceptedPosts(), 12);
    });
});
