import assert from "node:assert/strict";
import { declare, impatient, restores } from "./support/restores";
import { useScene } from "./support/scene";

const config = { "recovery:requestTimeout": "2s" };
const spec = { name: "web", args: { timeouts: impatient } };

describe("a POST on the real engine", () => {
  const scene = useScene();

  it("leaves nothing in the state if it was refused, is not sent again if its response was lost, and is not repeated when a hook asks for a retry", async () => {
    const lost = { after: 1, times: 1, handled: true };
    const panel = await scene.panel({ speed: 50, faults: { post: { refuse: { first: 1 }, timeout: lost } } });
    const stack = await restores(scene, [spec], { config });
    const refused = await stack.upFails();
    assert.match(refused.stdout, /was refused by the panel, and changed nothing: .*status 422/);
    assert.equal((await stack.resources()).filter(({ type }) => type.endsWith(":VmRestore")).length, 0);

    const { outputs, stdout } = await stack.up();
    assert.match(stdout, /the panel did not confirm the restore/);
    assert.deepEqual(outputs["statuses"]?.value, ["complete"]);
    assert.equal(panel.acceptedPosts(), 1);

    panel.failNext(42, "failed");
    const again = { ...spec, args: { ...spec.args, triggers: ["again"] }, alwaysRetry: true };
    await stack.configure(declare([again]));
    await stack.upFails();
    assert.equal(panel.acceptedPosts(), 2);
  });
});
