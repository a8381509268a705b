import assert from "node:assert/strict";
import { gitlabJob } from "../docs/support/pipeline-files";
import { useScene } from "./support/scene";
import { drillOf, panelOptions } from "./support/drill";

describe("the other pipeline of the documentation on the real engine", () => {
  const scene = useScene();

  it("GitLab: runs the drill's plan once per name, and leaves the report as a file, of a failed job too", async function () {
    this.timeout(400_000);
    const panel = await scene.panel(panelOptions(50));
    const checkout = await drillOf(scene.folder, panel);
    const { before_script, script, after_script } = gitlabJob();
    const verdict = (): string =>
      (JSON.parse(checkout.read("recovery-report/report.json")) as { verdict: { result: string } }).verdict.result;
    assert.deepEqual(before_script, ["npm ci"]);

    await checkout.run(script.join("\n"));
    await checkout.run([...script, ...after_script].join("\n"));

    assert.equal(panel.acceptedPosts(), 12);
    assert.equal(verdict(), "passed");
    assert.match(checkout.read("recovery-report/report.junit.xml"), /failures="0" errors="0"/);

    panel.failNext(301, "failed");
    assert.notEqual((await checkout.start(["export DRILL=2026-12", ...script].join("\n")).ended).code, 0);
    await checkout.run(after_script.join("\n"));
    assert.equal(verdict(), "failed");
    assert.equal(panel.acceptedPosts(), 15, "the first wave, and after its failure no other");
  });
});
