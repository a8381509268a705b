import assert from "node:assert/strict";
import { githubSteps, gitlabJob } from "../docs/support/pipeline-files";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { drillOf, makeReportsBranch, panelOptions } from "./support/drill";
import { long } from "../support/thorough";

long.describe("the pipelines of the documentation on the real engine", () => {
  const scene = useScene();

  it("GitHub Actions: a job that is killed is picked up by the next one, and each has its report", async function () {
    this.timeout(400_000);
    const panel = await scene.panel(panelOptions(50));
    panel.failNext(301, { outcome: "complete", seconds: 500 });
    const checkout = await drillOf(scene.folder, panel);
    await makeReportsBranch(checkout);
    // As the second checkout of the job.
    await checkout.run("git clone -q --branch recovery-reports ../reports.git reports");
    const scripts = githubSteps().steps.flatMap(({ run }) => (run === undefined || run === "npm ci" ? [] : [run]));
    const reporting = scripts.at(-1) ?? "";

    const first = checkout.start(scripts.join("\n"));
    // The engine notes what it is about to make: all of the first wave is posted then.
    const state = "../backend/.pulumi/stacks/recovery-drill/drill.json";
    await waitUntil(() => checkout.read(state).includes("recovery:Wave::shop-wave-data"), 120_000, "the first wave");
    first.kill();
    await first.ended;
    // No passphrase, no panel, and the stack still locked.
    await checkout.run(`unset PULUMI_CONFIG_PASSPHRASE RECOVERY_ENDPOINT RECOVERY_PASSWORD\n${reporting}`);
    const killed = checkout.read("../summary.md");
    assert.match(killed, /^### ⏸️ Recovery drill: shop · 2026-11: Incomplete: the run is under way, or broke off$/m);
    assert.match(killed, /^- an update of shop-wave-data is under way, or broke off$/m);
    const output = await checkout.run(scripts.join("\n"));

    assert.match(output, /verdict\s*: "passed/);
    assert.equal(panel.acceptedPosts(), 12, "each machine once");
    const picked = checkout.read("../summary.md");
    assert.match(
      picked.slice(killed.length),
      /^### (✅|⚠️) Recovery drill: shop · 2026-11: Passed( with warnings)?$/mu,
    );
    const again = await checkout.run("pulumi up --yes --non-interactive --skip-preview --expect-no-changes");
    assert.doesNotMatch(again, /pending operations/);

    panel.failNext(301, "failed");
    const restoring = scripts.find((script) => script.includes("pulumi up")) ?? "";
    const failed = await checkout.start(`export DRILL=2026-12\n${restoring}`).ended;
    assert.notEqual(failed.code, 0);
    await checkout.run(reporting);
    const added = checkout.read("../summary.md").slice(picked.length);
    assert.match(added, /^### ❌ Recovery drill: shop · 2026-12: Failed$/m);
    assert.match(added, /^- db-01 failed &#40;transaction \d+&#41;$/m);
    const gated = await checkout.start(`${reporting.split("\n")[0] ?? ""} --gate`).ended;
    assert.equal(gated.code, 1);
  });

  it("GitLab: runs the drill's plan once per name, and leaves the report as a file, of a failed job too", async function () {
    this.timeout(400_000);
    const panel = await scene.panel(panelOptions(50));
    const checkout = await drillOf(scene.folder, panel);
    await makeReportsBranch(checkout);
    const { before_script, script, after_script } = gitlabJob();
    const verdict = (): string =>
      (JSON.parse(checkout.read("recovery-report/report.json")) as { verdict: { result: string } }).verdict.result;
    assert.deepEqual(before_script, ["npm ci"]);

    await checkout.run(script.join("\n"));
    await checkout.run([...script, ...after_script].join("\n"));

    assert.equal(panel.acceptedPosts(), 12);
    assert.equal(verdict(), "passed");
    assert.match(checkout.read("recovery-report/report.junit.xml"), /failures="0" errors="0"/);
    assert.match(checkout.read("recovery-report/runbook.md"), /^# Runbook: restores of drill$/m);

    panel.failNext(301, "failed");
    assert.notEqual((await checkout.start(["export DRILL=2026-12", ...script].join("\n")).ended).code, 0);
    await checkout.run(["rm -rf reports", ...after_script].join("\n"));
    assert.equal(verdict(), "failed");
    assert.equal(panel.acceptedPosts(), 15, "the first wave, and after its failure no other");
  });
});
