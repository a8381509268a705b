import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { freshProject, npm, restoresOnce } from "./support/fresh-install";
import { typescript, javascript, modules } from "./support/fresh-programs";
import { expect } from "./support/ended";
import { useScene } from "./support/scene";
import { long } from "../support/thorough";

/** TypeScript programs that install the package with npm are tested with each SDK in versions.test.ts. */
long.describe("the packed package", () => {
  const scene = useScene();

  for (const [what, program, type] of [
    ["a JavaScript program", javascript, "commonjs"],
    ["an ES module", modules, "module"],
  ] as const) {
    it(`works in ${what} when installed with npm`, async () => {
      const panel = await scene.panel({ speed: 20 });
      const project = await freshProject(scene.folder, program, { panel, type });
      await npm(project);
      await restoresOnce(project, panel);
    });
  }

  it("works in a TypeScript program with pnpm, where each package sees only its declared dependencies", async () => {
    const panel = await scene.panel({ speed: 20 });
    const project = await freshProject(scene.folder, typescript, { panel });
    const tools = join(scene.folder, "tools");
    mkdirSync(tools);
    writeFileSync(join(tools, "package.json"), JSON.stringify({ dependencies: { pnpm: "^10.0.0" } }));
    await npm({ folder: tools });
    await expect(join(tools, "node_modules", ".bin", "pnpm"), ["install", "--ignore-scripts", "--prefer-offline"], {
      cwd: project.folder,
    });
    assert.match(realpathSync(join(project.folder, "node_modules", "pulumi-recovery")), /\.pnpm/);
    await restoresOnce(project, panel);
  });

  it("works in a TypeScript program in a workspace, where it is installed in the parent folder", async () => {
    const panel = await scene.panel({ speed: 20 });
    const top = join(scene.folder, "workspace");
    const project = await freshProject(scene.folder, typescript, { panel, folder: join(top, "infrastructure") });
    writeFileSync(
      join(top, "package.json"),
      JSON.stringify({ name: "top", private: true, workspaces: ["infrastructure"] }),
    );
    await npm({ folder: top });
    const found = createRequire(join(project.folder, "index.js")).resolve("pulumi-recovery");
    assert.ok(realpathSync(found).startsWith(realpathSync(join(top, "node_modules"))), found);
    await restoresOnce(project, panel);
  });
});
