import assert from "node:assert/strict";
import { declare, restores } from "./support/restores";
import { useScene } from "./support/scene";
import type { TestStack } from "./support/stack";
import { long } from "../support/thorough";

const config = { "recovery:requestTimeout": "4s" };
const spec = { name: "web", args: { triggers: ["first"], timeouts: { listed: "2s" } } };

/** What the page "Running a restore again, and not by accident" promises for each way. */
describe("a restore that is run again on the real engine", () => {
  const scene = useScene();

  const urns = async (stack: TestStack): Promise<{ restore: string; intent: string }> => ({
    restore: (await stack.resource("web", ":VmRestore")).urn,
    intent: (await stack.resource("web-vm-intent")).urn,
  });

  it("is not sent with --replace of the restore alone, which the error explains", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await restores(scene, [spec], { config });
    await stack.up();
    const { restore } = await urns(stack);

    const run = await stack.upFails({ replace: [restore] });
    assert.match(run.stdout, /nothing was restored/);
    assert.match(run.stdout, /change triggers, or replace both: --replace '.*:Intent::web-vm-intent'/);
    assert.equal(panel.acceptedPosts(), 1);
  });

  long.it("is sent again with --replace of the restore and its intent", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await restores(scene, [spec], { config });
    await stack.up();
    const { restore, intent } = await urns(stack);

    const run = await stack.up({ replace: [restore, intent] });
    assert.deepEqual(run.outputs["statuses"]?.value, ["complete"]);
    assert.deepEqual(run.outputs["adopted"]?.value, [false]);
    assert.equal(panel.acceptedPosts(), 2);
  });

  it("is not sent with --target of the restore alone and changed triggers", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await restores(scene, [spec], { config });
    await stack.up();
    const { restore, intent } = await urns(stack);

    await stack.configure(declare([{ ...spec, args: { ...spec.args, triggers: ["second"] } }]));
    assert.doesNotMatch((await stack.preview()).stdout, /left no record/);
    const run = await stack.upFails({ target: [restore] });
    assert.match(run.stdout, /was made for another restore \(triggers differ\)/);
    assert.equal(panel.acceptedPosts(), 1);

    await stack.up({ target: [restore, intent] });
    assert.equal(panel.acceptedPosts(), 2);
  });
});
