import { join } from "node:path";
import { npm, restoresOnce } from "./support/fresh-install";
import { compilers, manifest, typescript } from "./support/fresh-programs";
import { FreshProject, packed } from "./support/fresh-project";
import { useScene } from "./support/scene";

describe("the packed package", () => {
  const scene = useScene();

  it("installed with npm into a fresh folder: a TypeScript program restores", async () => {
    const panel = await scene.panel({ speed: 20 });
    const tarball = await packed(scene.folder);
    const project = FreshProject.create(scene.folder, join(scene.folder, "fresh"), panel, {
      ...typescript,
      ...manifest({ "pulumi-recovery": `file:${tarball}`, "@pulumi/pulumi": "3.248.0", ...compilers }),
    });
    await npm(project);
    await restoresOnce(project, panel);
  });
});
