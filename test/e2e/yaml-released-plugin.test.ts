import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/engine/cli";
import { expect } from "./support/ended";
import { needs } from "./support/needs";
import { useScene } from "./support/scene";
import { connection, yamlProject } from "./support/yaml-project";
import { restoresInYaml } from "./support/yaml-restores";
import { long } from "../support/thorough";

const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as { version: string };

long.describe("a release's plugin file", () => {
  const scene = useScene();

  needs("yaml-host");

  it("can be installed, returns its schema, and carries out a restore exactly once, in a project without any npm packages", async function () {
    this.timeout(20 * 60_000);
    const files = join(scene.folder, "files");
    await expect(process.execPath, [join(repositoryRoot, "tools", "release", "plugin.mjs"), files], {
      cwd: repositoryRoot,
    });
    assert.equal(readdirSync(files).length, 5);

    const panel = await scene.panel({ speed: 50 });
    const program = restoresInYaml([{ name: "web" }]).replace(/packages:\n.*\n/, "");
    // This puts the Node.js language host, which the installation needs, next to the CLI.
    const startedBy = { startedBy: "PulumiPlugin.yaml" } as const;
    const project = await yamlProject(scene.folder, program, connection(panel), startedBy);
    rmSync(join(project.folder, "node_modules"), { recursive: true });

    const file = join(files, `pulumi-resource-recovery-v${version}-linux-amd64.tar.gz`);
    await project.pulumi("plugin", "install", "resource", "recovery", version, "--file", file);
    assert.match(await project.pulumi("package", "get-schema", `recovery@${version}`), /"recovery:index:VmRestore"/);
    await project.pulumi("package", "add", `recovery@${version}`);
    await project.pulumi("up", "--yes", "--skip-preview");
    assert.deepEqual((await project.outputs())["statuses"], ["complete"]);
    await project.pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    assert.equal(panel.acceptedPosts(), 1);
  });
});
