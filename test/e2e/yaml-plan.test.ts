import assert from "node:assert/strict";
import type { PlannedRestoreResult } from "pulumi-recovery";
import { needs } from "./support/needs";
import { quick } from "./support/plans";
import { useScene, type Sandbox } from "./support/scene";
import { planInYaml, withService } from "./support/yaml-plan";
import { connection, YamlProject } from "./support/yaml-project";

const up = ["up", "--yes", "--skip-preview"];

describe("a plan in YAML", () => {
  const scene = useScene();

  needs("yaml-host");

  const opened = (panel: Sandbox, program: string): Promise<YamlProject> =>
    YamlProject.open(scene.folder, program, { ...connection(panel), ...quick });

  it("is carried out once, does nothing unchanged, restores by itself what failed, and keeps its secrets", async () => {
    const panel = await scene.panel({ speed: 50 });
    panel.failNext(43, "failed");
    await withService(async (http, asked) => {
      const project = await opened(panel, planInYaml({ http }));
      const { code, text } = await project.run(...up);
      assert.notEqual(code, 0);
      assert.match(text, /restore "mail" \(machine 43, recovery point 1007\) failed/);
      assert.match(await project.expect("preview"), /1 of 1 will be restored again: mail \(failed\)/);
      await project.expect(...up);
      const { verdict, counts, restores } = await project.outputs();
      assert.deepEqual([verdict, counts], ["passed with warnings", { complete: 3 }]);
      const statuses = Object.values(restores as Record<string, PlannedRestoreResult>).map(({ status }) => status);
      assert.deepEqual(new Set(statuses), new Set(["complete"]));
      assert.deepEqual([asked, panel.acceptedPosts()], [["Bearer canary-token"], 4]);
      await project.expect(...up, "--expect-no-changes");
      assert.doesNotMatch((await project.state()) + text, /canary-/);
    });
  });

  it("is refused in the preview with everything that is wrong, by its path and without what checks send, and nothing is made", async () => {
    const panel = await scene.panel({ speed: 50 });
    const wrong = planInYaml({
      http: "ftp://canary-shop",
      within: "soon",
      plan: { onFailure: "halt", notes: { owner: "" } },
    });
    const project = await opened(panel, wrong);
    for (const command of [["preview"], up]) {
      const { code, text } = await project.run(...command);
      assert.notEqual(code, 0);
      assert.match(text, /RecoveryPlan "shop" was not made, and nothing was sent/);
      for (const path of ["onFailure", "notes.owner"])
        assert.ok(text.includes(`property ${path} with value`), `${path} in:\n${text}`);
      assert.match(text, /property waves \(not shown\) has a problem: waves\[1\]\.restores\.web\.checks\[0\]\.http /);
      assert.doesNotMatch(text, /canary/);
      assert.match(text, /checks\[0\]\.within is .*, which is not a duration/);
    }
    assert.ok((await project.resources()).every(({ type }) => !type.startsWith("recovery:")));
    assert.equal(panel.requests().length, 0);
  });
});
