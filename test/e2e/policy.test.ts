import assert from "node:assert/strict";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/engine/cli";
import { blocksOf } from "../docs/support/pages";
import { long } from "../support/thorough";
import { drillOf, panelOptions } from "./support/drill";
import { useScene } from "./support/scene";

long.describe("the example policy pack on the real engine", () => {
  const scene = useScene();

  it("stops the drill until every restore has a ticket, when run with the commands from its README", async () => {
    const panel = await scene.panel(panelOptions(50));
    const drill = await drillOf(scene.folder, panel);
    const pack = join(scene.folder, "policy");
    cpSync(join(repositoryRoot, "examples", "policy"), pack, { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules"), join(pack, "node_modules"));
    const [block] = blocksOf("examples/policy/README.md").filter(({ language }) => language === "sh");
    const [install, ...commands] = block?.code.trim().split("\n") ?? [];
    assert.equal(install, "npm install");
    const asWritten = commands.join("\n");
    const refused = await drill.fails(`cd ../policy\n${asWritten}`);
    for (const name of ["db-01", "web-01"])
      assert.ok(refused.includes(`none of the triggers of ${name} is a ticket`), refused);
    assert.doesNotMatch(refused, /machines would be restored/);

    const anyHour = asWritten.replace('"from": 20, "to": 6', '"from": 0, "to": 24');
    await drill.run(`pulumi config set run "2026-Q4 CHG-1234"\ncd ../policy\n${anyHour}`);
    const tooMany = anyHour.replace('"machines": 12', '"machines": 11');
    assert.match(await drill.fails(`cd ../policy\n${tooMany}`), /12 machines would be restored, but at most 11/);
    assert.equal(panel.acceptedPosts(), 0);
  });
});
