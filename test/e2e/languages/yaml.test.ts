import assert from "node:assert/strict";
import { needs } from "../support/needs";
import { useScene } from "../support/scene";
import { connection, YamlProject } from "../support/yaml-project";
import { programOnPage } from "./support/page";
import { long } from "../../support/thorough";

long.describe("a program in yaml", () => {
  const scene = useScene();

  needs("yaml-host");

  it("the page's: sends nothing in the preview, restores once, and is unchanged then", async () => {
    const panel = await scene.panel({ speed: 50 });
    const project = await YamlProject.open(scene.folder, programOnPage("yaml"), connection(panel));

    await project.expect("preview");
    assert.equal(panel.acceptedPosts(), 0);
    const up = await project.expect("up", "--yes", "--skip-preview");
    assert.match(up, /files\s*: "complete"/);
    assert.match(up, /newest\s*: "\d+"/);
    assert.equal(panel.acceptedPosts(), 2);
    await project.expect("up", "--yes", "--skip-preview", "--expect-no-changes");
    assert.equal(panel.acceptedPosts(), 2);
  });
});
