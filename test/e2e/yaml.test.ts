import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/engine/cli";
import { useScene } from "./support/scene";
import { connection, YamlProject } from "./support/yaml-project";

const example = readFileSync(join(repositoryRoot, "examples", "yaml", "Pulumi.yaml"), "utf8");

describe("a program in YAML", () => {
  const scene = useScene();

  it("restores once, is unchanged, is refreshed and destroyed", async () => {
    const panel = await scene.panel({ speed: 50 });
    const project = await YamlProject.open(scene.folder, example, connection(panel));
    const up = await project.expect("up", "--yes");
    console.log(up);
    assert.match(up, /status\s*: "complete"/);
    assert.equal(panel.acceptedPosts(), 2);
    console.log(await project.expect("up", "--yes", "--expect-no-changes"));
    console.log(await project.expect("refresh", "--yes", "--expect-no-changes"));
    await project.expect("destroy", "--yes");
    assert.equal(panel.acceptedPosts(), 2);
    assert.deepEqual(await project.resources(), []);
  });
});
