import assert from "node:assert/strict";
import { join } from "node:path";
import { githubSteps, gitlabJob } from "../docs/support/pipeline-files";
import { Checkout } from "./support/checkout";
import { useScene, type Sandbox } from "./support/scene";
import { waitUntil } from "./support/wait-until";

function checkoutOf(folder: string, panel: Sandbox): Checkout {
  const summary = join(folder, "summary.md");
  return new Checkout(folder, "quickstart", panel, {
    GITHUB_STEP_SUMMARY: summary,
    STACK: "drill",
    DRILL: "2026-11",
    OUTCOME: "success",
  });
}

describe("the pipelines of the documentation on the real engine", () => {
  const scene = useScene();

  it("GitHub Actions: a job that is killed is picked up by the next one, and the outputs reach the summary", async function () {
    this.timeout(400_000);
    const panel = await scene.panel({ speed: 20 });
    panel.failNext(42, { outcome: "complete", seconds: 200 });
    const checkout = checkoutOf(scene.folder, panel);
    const scripts = githubSteps().steps.flatMap(({ run }) => (run === undefined || run === "npm ci" ? [] : [run]));
    await checkout.run("pulumi stack init drill");

    const first = checkout.start(scripts.join("\n"));
    await waitUntil(() => panel.acceptedPosts() > 0, 120_000, "the first restore to be posted");
    first.kill();
    await first.ended;
    const output = await checkout.run(scripts.join("\n"));

    assert.match(output, /adopted transaction \d+/);
    assert.equal(panel.acceptedPosts(), 2, "the machine once, and its files");
    assert.match(checkout.read("../summary.md"), /^\| status \| complete \|$/m);
    assert.match(checkout.read("../summary.md"), /^\| seconds \| \d+ \|$/m);
    const again = await checkout.run("pulumi up --yes --non-interactive --skip-preview --expect-no-changes");
    assert.doesNotMatch(again, /pending operations/);
    const figures = checkout.read("../summary.md");

    panel.failNext(42, "failed");
    const restoring = scripts.find((script) => script.includes("pulumi up")) ?? "";
    const failed = await checkout.start(`export DRILL=2026-12\n${restoring}`).ended;
    assert.notEqual(failed.code, 0);
    await checkout.run(`export OUTCOME=failure\n${scripts.at(-1) ?? ""}`);
    const added = checkout.read("../summary.md").slice(figures.length);
    assert.match(added, /^### Recovery drill: failure\nNot every restore is complete/);
    assert.doesNotMatch(added, /\|/, "no figures, which would be those of the drill before");
  });

  it("GitLab: restores once per name of the drill, and leaves the outputs as a file", async function () {
    this.timeout(400_000);
    const panel = await scene.panel({ speed: 50 });
    const checkout = checkoutOf(scene.folder, panel);
    const { before_script, script } = gitlabJob();
    assert.deepEqual(before_script, ["npm ci"]);
    await checkout.run("pulumi stack init drill");

    await checkout.run(script.join("\n"));
    await checkout.run(script.join("\n"));

    assert.equal(panel.acceptedPosts(), 2);
    assert.equal((JSON.parse(checkout.read("outputs.json")) as { status: string }).status, "complete");

    panel.failNext(42, "failed");
    const next = ["rm outputs.json", "export DRILL=2026-12", ...script].join("\n");
    assert.notEqual((await checkout.start(next).ended).code, 0);
    assert.throws(
      () => checkout.read("outputs.json"),
      /ENOENT/,
      "no figures, which would be those of the drill before",
    );
  });
});
