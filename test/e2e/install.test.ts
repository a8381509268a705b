import { join } from "node:path";
import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { npm, packed, restoresOnce } from "./support/fresh-install";
import { compilers, manifest, typescript, javascript, modules } from "./support/fresh-programs";
import { expect } from "./support/ended";
import { Project } from "./support/project";
import { useScene } from "./support/scene";
import { long } from "../support/thorough";

/** A TypeScript program that installs the package with npm is covered by versions.test.ts, with each SDK. */
long.describe("the packed package", () => {
  const scene = useScene();

  /** A project in a folder of its own, with its dependencies. */
  const fresh = async (program: Readonly<Record<string, string>>, more: object = {}) => {
    const panel = await scene.panel({ speed: 20 });
    const recovery = `file:${await packed(scene.folder)}`;
    const installed = { "pulumi-recovery": recovery, "@pulumi/pulumi": "3.248.0", ...compilers };
    const files = { ...program, ...manifest(installed, more) };
    return { panel, project: Project.create(scene.folder, join(scene.folder, "fresh"), files, { panel }) };
  };

  for (const [what, program, more] of [
    ["a JavaScript program", javascript, {}],
    ["an ES module", modules, { type: "module" }],
  ] as const) {
    it(`works in ${what} when installed with npm`, async () => {
      const { panel, project } = await fresh(program, more);
      await npm(project);
      await restoresOnce(project, panel);
    });
  }

  it("works in a TypeScript program with pnpm, where each package sees only its declared dependencies", async () => {
    const { panel, project } = await fresh(typescript);
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
    const recovery = `file:${await packed(scene.folder)}`;
    const top = join(scene.folder, "workspace");
    const project = Project.create(
      scene.folder,
      join(top, "infrastructure"),
      {
        ...typescript,
        ...manifest({ "pulumi-recovery": recovery, "@pulumi/pulumi": "3.248.0", ...compilers }),
      },
      { panel },
    );
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
