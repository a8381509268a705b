import assert from "node:assert/strict";
import { declare, restores } from "./support/restores";
import { useScene } from "./support/scene";

const config = { "recovery:requestTimeout": "4s" };
const spec = { name: "web", args: { triggers: ["first"], timeouts: { listed: "2s" } } };

/** The ways to run a restore again must work as docs/running-again.md promises. */
describe("a restore that is run again on the real engine", () => {
  const scene = useScene();

  it("is sent only together with its intent, with --replace as well as with --target and new triggers, and the errors say so", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await restores(scene, [spec], { config });
    await stack.up();
    const restore = (await stack.resource("web", ":VmRestore")).urn;
    const both = [restore, (await stack.resource("web-vm-intent")).urn];

    const alone = await stack.upFails({ replace: [restore] });
    assert.match(alone.stdout, /nothing was restored/);
    assert.match(alone.stdout, /change triggers, or replace both: --replace '.*:Intent::web-vm-intent'/);
    assert.equal(panel.acceptedPosts(), 1);
    const { outputs } = await stack.up({ replace: both });
    assert.deepEqual([outputs["statuses"]?.value, outputs["adopted"]?.value], [["complete"], [false]]);
    assert.equal(panel.acceptedPosts(), 2);

    await stack.configure(declare([{ ...spec, args: { ...spec.args, triggers: ["second"] } }]));
    assert.doesNotMatch((await stack.preview()).stdout, /left no record/);
    const target = await stack.upFails({ target: [restore] });
    assert.match(target.stdout, /was made for another restore \(different triggers\)/);
    assert.equal(panel.acceptedPosts(), 2);
    await stack.up({ target: both });
    assert.equal(panel.acceptedPosts(), 3);
  });
});
