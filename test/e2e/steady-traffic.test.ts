import assert from "node:assert/strict";
import { moments } from "./killing/moments";
import { needsProcesses } from "./support/processes";
import { restores } from "./support/restores";
import { type Sandbox, useScene } from "./support/scene";
import { long } from "../support/thorough";

const config = { "recovery:requestTimeout": "2s", "recovery:pageSize": "10" };
const spec = { name: "web", args: { timeouts: { listed: "3s", run: "60s" } } };
/** `requestTimeout` and `listed` together. */
const quietMs = 5_000;

/** Ten rows a second of others, some of them restores, and only a machine's log tells whose a row is. */
const traffic = { background: { perSecond: 10 }, dialect: { machineTie: "none", pageCap: 10 } } as const;

long.describe("a panel on which others restore all the time", () => {
  const scene = useScene();

  /** Our restore takes so long that a person would notice if its end were told with the next ones of others. */
  const panelOf = async (options: Parameters<typeof scene.panel>[0] = {}): Promise<Sandbox> => {
    const panel = await scene.panel({ ...traffic, ...options });
    panel.failNext(42, { seconds: 6 });
    return panel;
  };

  it("has the end of a restore told within ten seconds", async () => {
    const panel = await panelOf();
    const stack = await restores(scene, [spec], { config });
    const run = await stack.up();
    const [restore] = panel.restores();
    assert.deepEqual(run.outputs["statuses"]?.value, ["complete"]);
    assert.deepEqual(run.outputs["transactions"]?.value, [restore?.transactionId]);
    const engineMs = 5_000;
    const lateMs = Date.now() - (restore?.endedAt ?? 0);
    assert.ok(lateMs < 10_000 + engineMs, `${String(lateMs / 1_000)} s`);
  });

  describe("after a kill", () => {
    needsProcesses();

    it("has what was posted taken up", async () => {
      const panel = await panelOf();
      const stack = await restores(scene, [spec], { config });
      const run = await stack.start("up");
      await moments["while running"].reached(panel, run);
      run.killCli();
      await run.ended;
      await stack.cancel();
      const next = await stack.up();
      assert.deepEqual(next.outputs["adopted"]?.value, [true]);
      assert.deepEqual(next.outputs["statuses"]?.value, ["complete"]);
      assert.equal(panel.acceptedPosts(), 1);
    });

    it("has what was not posted sent when the quiet time has passed", async () => {
      // The intent reads two pages, because the first one is short.
      const panel = await panelOf({ faults: { get: { delay: { after: 2, times: 50, seconds: 1.5 } } } });
      const stack = await restores(scene, [spec], { config });
      const run = await stack.start("up");
      await run.output(/web-vm-intent created/);
      run.killCli();
      await run.ended;
      panel.setFaults({ get: {} });
      await stack.cancel();
      assert.equal(panel.acceptedPosts(), 0);
      const began = Date.now();
      const next = await stack.up();
      const [restore] = panel.restores();
      assert.deepEqual(next.outputs["statuses"]?.value, ["complete"]);
      assert.equal(panel.acceptedPosts(), 1);
      const afterMs = (restore?.requestedAt ?? 0) - began;
      assert.ok(afterMs >= quietMs && afterMs < quietMs + 25_000, `${String(afterMs / 1_000)} s`);
    });
  });
});
