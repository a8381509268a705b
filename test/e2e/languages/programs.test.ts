import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/engine/cli";
import { long } from "../../support/thorough";
import { needs } from "../support/needs";
import { useScene, type Sandbox } from "../support/scene";
import { connection, yamlProject } from "../support/yaml-project";
import { go } from "./support/go";
import type { Language } from "./support/language";
import { programOnPage } from "./support/page";
import { python } from "./support/python";
import { usePackages } from "./support/sdks";

const limitMs = 20 * 60_000;

runsIn(go, { "the page's": () => programOnPage("go") });
runsIn(python, {
  "the page's": () => programOnPage("python"),
  "the example's": () => readFileSync(join(repositoryRoot, "examples", "python", "__main__.py"), "utf8"),
});

/** Tests a program in another language on the real engine. `programs` have the same names and restores as the program on the page. */
function runsIn(language: Language, programs: Readonly<Record<string, () => string>>): void {
  long.describe(`a program in ${language.name}, with the package generated for it,`, () => {
    const scene = useScene();

    needs("yaml-host");

    const made = usePackages(language.prepare);

    const projectFor = (panel: Sandbox) =>
      yamlProject(
        scene.folder,
        `name: restore\nruntime: ${language.name}\npackages:\n  recovery: ./node_modules/pulumi-recovery/plugin\n`,
        connection(panel),
      );

    for (const [whose, program] of Object.entries(programs)) {
      it(`sends nothing in the preview, restores once, and then has no changes: ${whose} program`, async function () {
        this.timeout(limitMs);
        const panel = await scene.panel({ speed: 50 });
        const project = await projectFor(panel);

        const preview = await made.ready.runs(project, "preview", program());
        assert.equal(preview.error, null);
        assert.deepEqual(preview.changes, { create: 7 });
        assert.equal(panel.acceptedPosts(), 0);

        const up = await made.ready.runs(project, "up", program());
        assert.equal(up.error, null);
        assert.deepEqual(up.changes, { create: 7 });
        assert.equal(up.outputs["files"], "complete");
        assert.equal(typeof up.outputs["seconds"], "number");
        assert.match(String(up.outputs["newest"]), /^\d+$/);
        assert.equal(panel.acceptedPosts(), 2);

        const again = await made.ready.runs(project, "up", program());
        assert.equal(again.error, null);
        assert.deepEqual(again.changes, { same: 7 });
        assert.equal(panel.acceptedPosts(), 2);
      });
    }
  });
}
