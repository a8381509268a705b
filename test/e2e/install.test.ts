import { join } from "node:path";
import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { npm, restoresOnce } from "./support/fresh-install";
import { compilers, manifest, typescript, javascript, modules } from "./support/fresh-programs";
import { FreshProject, packed, run } from "./support/fresh-project";
import { useScene } from "./support/scene";
import { repositoryRoot } from "../../tools/engine/cli";
import { enginesOf, newestOf, supported } from "../../tools/supported/versions";
import { long } from "../support/thorough";

const sdks = enginesOf(supported).map(({ sdk }) => sdk);

long.describe("the packed package, installed", () => {
  const scene = useScene();

  /** A project in a folder of its own; `files` receive the path of the tarball. */
  const fresh = async (files: (recovery: string) => Readonly<Record<string, string>>) => {
    const panel = await scene.panel({ speed: 20 });
    const recovery = `file:${await packed(scene.folder)}`;
    const project = FreshProject.create(scene.folder, join(scene.folder, "fresh"), panel, files(recovery));
    return { panel, project };
  };

  it("with npm: a TypeScript program restores", async () => {
    const { panel, project } = await fresh((recovery) => ({
      ...typescript,
      ...manifest({ "pulumi-recovery": recovery, "@pulumi/pulumi": "3.248.0", ...compilers }),
    }));
    await npm(project);
    await restoresOnce(project, panel);
  });

  const programs = { "a JavaScript program": javascript, "an ES module": modules };
  for (const [what, program] of Object.entries(programs)) {
    it(`with npm: ${what} restores`, async () => {
      const { panel, project } = await fresh((recovery) => ({
        ...program,
        ...manifest(
          { "pulumi-recovery": recovery, "@pulumi/pulumi": "3.248.0" },
          program === modules ? { type: "module" } : {},
        ),
      }));
      await npm(project);
      await restoresOnce(project, panel);
    });
  }

  for (const version of [newestOf(sdks), `${supported.oldest.pulumi}.0`]) {
    it(`with npm, beside @pulumi/pulumi ${version}: a TypeScript program restores`, async () => {
      const { panel, project } = await fresh((recovery) => ({
        ...typescript,
        ...manifest({ "pulumi-recovery": recovery, "@pulumi/pulumi": version, ...compilers }),
      }));
      await npm(project);
      assert.equal(project.installed("@pulumi/pulumi"), version);
      await restoresOnce(project, panel);
    });
  }

  it("with pnpm, which shows each package only what it declares: a TypeScript program restores", async () => {
    const { panel, project } = await fresh((recovery) => ({
      ...typescript,
      ...manifest({ "pulumi-recovery": recovery, "@pulumi/pulumi": "3.248.0", ...compilers }),
    }));
    const tools = join(scene.folder, "tools");
    mkdirSync(tools);
    writeFileSync(join(tools, "package.json"), JSON.stringify({ dependencies: { pnpm: "^10.0.0" } }));
    await npm({ folder: tools });
    await run(join(tools, "node_modules", ".bin", "pnpm"), ["install", "--ignore-scripts", "--prefer-offline"], {
      cwd: project.folder,
    });
    assert.match(realpathSync(join(project.folder, "node_modules", "pulumi-recovery")), /\.pnpm/);
    await restoresOnce(project, panel);
  });

  it("in a workspace, where it lies above the program: a TypeScript program restores", async () => {
    const panel = await scene.panel({ speed: 20 });
    const recovery = `file:${await packed(scene.folder)}`;
    const top = join(scene.folder, "workspace");
    const project = FreshProject.create(scene.folder, join(top, "infrastructure"), panel, {
      ...typescript,
      ...manifest({ "pulumi-recovery": recovery, "@pulumi/pulumi": "3.248.0", ...compilers }),
    });
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

long.describe("the package linked by its folder", () => {
  const scene = useScene();

  it("with npm and file: a TypeScript program restores", async () => {
    const panel = await scene.panel({ speed: 20 });
    const project = FreshProject.create(scene.folder, join(scene.folder, "fresh"), panel, {
      ...typescript,
      ...manifest({ "pulumi-recovery": `file:${repositoryRoot}`, "@pulumi/pulumi": "3.248.0", ...compilers }),
    });
    await npm(project);
    assert.equal(realpathSync(join(project.folder, "node_modules", "pulumi-recovery")), realpathSync(repositoryRoot));
    await restoresOnce(project, panel);
  });
});
