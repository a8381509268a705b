import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/engine/cli";
import { needs } from "./support/needs";
import { canFindProcesses, isAlive } from "./support/processes";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { connection, YamlProject } from "./support/yaml-project";
import { restoresInYaml } from "./support/yaml-restores";
import { long } from "../support/thorough";

const folder = "./node_modules/pulumi-recovery/plugin";
const startedBy = { startedBy: "PulumiPlugin.yaml" } as const;
const program = restoresInYaml([{ name: "web", args: { timeouts: { listed: "2s" } } }]);

/** Where its executable cannot be started, as on Windows, the engine reads PulumiPlugin.yaml and has Node's language host start the plugin. */
long.describe("the plugin, started by what its PulumiPlugin.yaml says", () => {
  const scene = useScene();

  needs("yaml-host");

  it("has the schema that lies in its folder", async () => {
    const panel = await scene.panel({ speed: 50 });
    const project = await YamlProject.open(scene.folder, program, connection(panel), startedBy);
    const { code, stdout, text } = await project.run("package", "get-schema", folder);
    assert.equal(code, 0, text);
    const schema = JSON.parse(stdout.slice(stdout.indexOf("{"))) as Record<string, unknown>;
    const written = JSON.parse(readFileSync(join(repositoryRoot, "plugin", "schema.json"), "utf8")) as typeof schema;
    for (const part of ["resources", "types", "functions"]) {
      assert.deepEqual(Object.keys(schema[part] as object).sort(), Object.keys(written[part] as object).sort());
    }
  });

  it("restores once, is killed with the engine, and is finished by the next run with the one POST", async function () {
    if (!canFindProcesses) this.skip();
    const panel = await scene.panel({ speed: 2 });
    const settings = { ...connection(panel), "recovery:requestTimeout": "2s" };
    const project = await YamlProject.open(scene.folder, program, settings, startedBy);
    const run = project.start("up", "--yes", "--skip-preview");
    await waitUntil(() => panel.acceptedPosts() === 1, 120_000, "the restore to be posted");
    const pids = run.processes().flatMap(({ kind, pid }) => (kind === "provider" ? [pid] : []));
    assert.ok(pids.length > 0);
    run.killCli();
    await waitUntil(() => !pids.some(isAlive), 30_000, "the plugin of the killed run to be gone");
    await project.cancel();
    await project.expect("up", "--yes", "--skip-preview");
    const { statuses, adopted } = await project.outputs();
    assert.deepEqual([statuses, adopted], [["complete"], [true]]);
    assert.equal(panel.acceptedPosts(), 1);
    await project.expect("refresh", "--yes", "--expect-no-changes");
  });
});
