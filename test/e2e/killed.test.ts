import assert from "node:assert/strict";
import { isAlive, needsProcesses } from "./support/processes";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";

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

const timeouts = { listed: "3s" };

long.describe("a run killed while restores of one machine stand in line", () => {
  const scene = useScene();

  needsProcesses();

  it("with two restores of one machine: neither takes the other's transaction", async () => {
    const panel = await scene.panel({ speed: 1 });
    panel.failNext(42, { seconds: 2 });
    panel.failNext(42, { seconds: 15 });
    const stack = await restores(
      scene,
      [
        { name: "one", args: { timeouts } },
        { name: "two", args: { timeouts } },
      ],
      { config },
    );

    const run = await stack.start("up");
    await waitUntil(() => panel.acceptedPosts() === 2, 60_000, "the second restore to be posted");
    await run.output(/running .*[\s\S]*running/);
    run.killCli();
    await run.ended;
    await stack.cancel();
    const next = await stack.up();

    assert.deepEqual(next.outputs["statuses"]?.value, ["complete", "complete"]);
    assert.deepEqual(next.outputs["adopted"]?.value, [false, true]);
    assert.deepEqual(
      next.outputs["transactions"]?.value,
      panel.restores().map(({ transactionId }) => transactionId),
    );
    assert.equal(panel.acceptedPosts(), 2);
  });

  it("with restores of one machine waiting in the lane: none of them is posted afterwards", async () => {
    const panel = await scene.panel({ speed: 1 });
    panel.failNext(42, { seconds: 10 });
    const names = ["one", "two", "three"];
    const stack = await restores(
      scene,
      names.map((name) => ({ name, args: { timeouts } })),
      { config },
    );

    const run = await stack.start("up");
    await run.output(/running/);
    const orphans = run.killCli();
    await run.ended;
    await waitUntil(() => !orphans.some(isAlive), 30_000, "the provider process to be gone");
    assert.equal(panel.acceptedPosts(), 1);
  });
});
