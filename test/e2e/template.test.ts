import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import { repositoryRoot } from "../../tools/engine/cli";
import { Project } from "./support/project";
import { useScene } from "./support/scene";
import { long } from "../support/thorough";

const template = join(repositoryRoot, "examples", "template");

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

describe("the template", () => {
  const scene = useScene();

  long.it("produces a project with `pulumi new` that restores once on the simulated panel", async () => {
    const panel = await scene.panel({ speed: 20 });
    const project = Project.create(scene.folder, join(scene.folder, "fresh"), {}, { panel });
    const endpoint = `recovery:endpoint=${panel.url}`;
    await project.pulumi("new", template, "--yes", "--name", "fresh", "--stack", "fresh", "--config", endpoint);
    project.link();

    await project.pulumi("up", "--yes", "--skip-preview");
    const { status, seconds } = await project.outputs();
    assert.equal(status, "complete");
    assert.equal(typeof seconds, "number");
    await project.upAgainAndDestroy();
    assert.equal(panel.acceptedPosts(), 1);
  });

  it("requires this package and a supported SDK", () => {
    const { dependencies } = manifestIn(template);
    const { version, peerDependencies } = manifestIn(repositoryRoot);
    assert.ok(semver.satisfies(version, dependencies["pulumi-recovery"]!));
    assert.equal(dependencies["@pulumi/pulumi"], peerDependencies["@pulumi/pulumi"]);
  });
});
