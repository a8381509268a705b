import assert from "node:assert/strict";
import { join } from "node:path";
import { githubSteps, gitlabJob } from "../docs/support/pipeline-files";
import { Checkout } from "./support/checkout";
import { useScene, type Sandbox } from "./support/scene";
import { waitUntil } from "./support/wait-until";

function checkoutOf(folder: string, panel: Sandbox): Checkout {
  const summary = join(folder, "summary.md");
  return new Checkout(folder, "quickstart", panel, { GITHUB_STEP_SUMMARY: summary, STACK: "drill", DRILL: "2026-11" });
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
  });

  it("GitLab: restores once per name of the drill, and leaves the outputs as a file", async function () {
    this.timeout(400_000);
    const panel = await scene.panel({ speed: 50 });
    const checkout = checkoutOf(scene.folder, panel);
    const { before_script, script, after_script } = gitlabJob();
    assert.deepEqual(before_script, ["npm ci"]);
    await checkout.run("pulumi stack init drill");

    await checkout.run([...script, ...after_script].join("\n"));
    await checkout.run(script.join("\n"));

    assert.equal(panel.acceptedPosts(), 2);
    assert.equal((JSON.parse(checkout.read("outputs.json")) as { status: string }).status, "complete");
  });
});
