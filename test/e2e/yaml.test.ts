import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlannedRestoreResult, StoredCounts } from "pulumi-recovery";
import { repositoryRoot } from "../../tools/engine/cli";
import { needs } from "./support/needs";
import { canFindProcesses } from "./support/processes";
import { posts } from "./support/posts";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { planInYaml, withService } from "./support/yaml-plan";
import { connection, YamlProject } from "./support/yaml-project";
import { oneRestore } from "./support/yaml-restores";

const example = readFileSync(join(repositoryRoot, "examples", "yaml", "Pulumi.yaml"), "utf8");

interface PlanOutputs {
  readonly verdict: string;
  readonly counts: StoredCounts;
  readonly restores: Readonly<Record<string, PlannedRestoreResult>>;
}

describe("a program in YAML", () => {
  const scene = useScene();

  needs("yaml-host");

  it("restores once, is unchanged, is refreshed and destroyed", async () => {
    const panel = await scene.panel({ speed: 50 });
    const project = await YamlProject.open(scene.folder, example, connection(panel));
    const up = await project.expect("up", "--yes");
    assert.match(up, /status\s*: "complete"/);
    assert.match(up, /newest\s*: "\d+"/);
    assert.equal(panel.acceptedPosts(), 2);
    await project.expect("up", "--yes", "--expect-no-changes");
    await project.expect("refresh", "--yes", "--expect-no-changes");
    await project.expect("destroy", "--yes");
    assert.equal(panel.acceptedPosts(), 2);
    assert.deepEqual(await project.resources(), []);
  });

  it("is told in the preview what is wrong with a restore, all of it, and nothing is made", async () => {
    const panel = await scene.panel({ speed: 50 });
    const wrong = oneRestore("      adopt: atuo\n      timeouts: { busy: soon }\n      captureLog: maybe\n");
    const project = await YamlProject.open(scene.folder, wrong, connection(panel));
    for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const { code, text } = await project.run(...command);
      assert.notEqual(code, 0);
      assert.match(text, /VmRestore "web" was not made, and nothing was sent/);
      for (const named of [/adopt is "atuo"/, /timeouts.*busy/, /captureLog is "maybe"/]) assert.match(text, named);
    }
    assert.deepEqual(posts(panel), []);
    assert.deepEqual(
      (await project.resources()).filter(({ type }) => type.startsWith("recovery:")),
      [],
    );
  });

  it("killed while it restores, is finished by the next run with the one POST", async function () {
    if (!canFindProcesses) this.skip();
    const panel = await scene.panel({ speed: 2 });
    const project = await YamlProject.open(scene.folder, oneRestore("      timeouts: { listed: 2s }\n"), {
      ...connection(panel),
      "recovery:requestTimeout": "2s",
    });
    const run = project.start("up", "--yes", "--skip-preview");
    await waitUntil(() => panel.acceptedPosts() === 1, 60_000, "the restore to be posted");
    run.child.kill("SIGKILL");
    await run.ended;
    const types = (await project.resources()).map(({ type }) => type);
    assert.ok(types.includes("recovery:index:RestoreIntent"), types.join());
    await project.cancel();
    const up = await project.expect("up", "--yes");
    assert.match(up, /adopted\s*: true/);
    assert.match(up, /status\s*: "complete"/);
    assert.equal(posts(panel).length, 1);
  });

  it("carries out a plan of three waves with checks and goals, and an unchanged one does nothing", async () => {
    const panel = await scene.panel({ speed: 50 });
    await withService(async (http, asked) => {
      const project = await YamlProject.open(scene.folder, planInYaml({ http }), connection(panel));
      await project.expect("up", "--yes", "--skip-preview");
      const { verdict, counts, restores } = (await project.outputs()) as unknown as PlanOutputs;
      assert.equal(verdict, "passed");
      assert.deepEqual([counts.complete, counts.checks.passed], [3, 1]);
      assert.deepEqual(
        Object.values(restores).map(({ status }) => status),
        ["complete", "complete", "complete"],
      );
      assert.deepEqual(asked, ["Bearer canary-token"]);
      await project.expect("preview", "--expect-no-changes");
      await project.expect("up", "--yes", "--skip-preview", "--expect-no-changes");
      assert.equal(panel.acceptedPosts(), 3);
      assert.doesNotMatch(await project.state(), /canary-/);
    });
  });
});
