import assert from "node:assert/strict";
import { isAlive, needsProcesses } from "./support/processes";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

const config = { "recovery:requestTimeout": "2s" };

describe("a run killed in the middle", () => {
  const scene = useScene();

  needsProcesses();

  it("while a restore is unlisted: the next run adopts it and says so, and posts nothing", async () => {
    const panel = await scene.panel({ speed: 1, dialect: { listingDelaySeconds: 8 } });
    const stack = await restores(scene, [{ name: "web", args: { timeouts: { listed: "15s" } } }], { config });

    const run = await stack.start("up");
    await run.output(/accepted, not listed yet/);
    const orphans = run.killCli();
    await run.ended;
    await stack.cancel();
    const next = await stack.up();

    assert.deepEqual(next.outputs["statuses"]?.value, ["complete"]);
    assert.deepEqual(next.outputs["adopted"]?.value, [true]);
    assert.match(next.stdout, /adopted transaction \d+/);
    assert.equal(panel.acceptedPosts(), 1);
    await waitUntil(() => !orphans.some(isAlive), 30_000, "the provider process of the killed run to be gone");
  });
});
