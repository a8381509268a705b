import assert from "node:assert/strict";
import { needsProcesses } from "./support/processes";
import { restores, declare } from "./support/restores";
import { useScene } from "./support/scene";
import { long } from "../support/thorough";
import { waitUntil } from "./support/wait-until";

const timeouts = { listed: "3s", run: "60s" };
const config = { "recovery:requestTimeout": "4s" };
const spec = { name: "web", args: { timeouts } };
const backup = { machineId: 42, action: "take_backup", status: "complete" } as const;

/** What the rows of a panel tell, and what they do not, on the real engine. */
describe("whose rows they are", () => {
  const scene = useScene();

  it("an identifier that is the recovery point's own: the restore is found through the machine's log", async () => {
    const panel = await scene.panel({ speed: 10, dialect: { machineTie: "target" } });
    panel.addTransaction(backup);
    const stack = await restores(scene, [spec], { config });
    const run = await stack.up();
    assert.deepEqual(run.outputs["statuses"]?.value, ["complete"]);
    assert.deepEqual(run.outputs["transactions"]?.value, [panel.restores()[0]?.transactionId]);
    assert.equal(panel.acceptedPosts(), 1);
  });

  long.it("a chain that failed and is left pending: failed soon, and restored by the next run", async () => {
    const panel = await scene.panel({ speed: 10, dialect: { chain: "chain", restOfChain: "pending" } });
    panel.failNext(42, "failed");
    const impatient = { name: "web", args: { timeouts: { listed: "3s", run: "10s" } } };
    const stack = await restores(scene, [impatient], { config });
    const run = await stack.upFails();
    const left = panel.restores()[0]?.transactionIds[2] ?? "";
    assert.match(run.stdout, new RegExp(`, ${left} ended as failed`));
    assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["status"], "failed");

    panel.endTransaction(left, "cancelled");
    assert.deepEqual((await stack.up()).outputs["statuses"]?.value, ["complete"]);
    assert.equal(panel.acceptedPosts(), 2);
  });

  describe("after a kill", () => {
    needsProcesses();

    it("an identifier that is the recovery point's own: the restore is adopted and nothing is posted", async () => {
      const panel = await scene.panel({ speed: 1, dialect: { machineTie: "target" } });
      panel.failNext(42, { seconds: 4 });
      const stack = await restores(scene, [spec], { config });

      const run = await stack.start("up");
      await waitUntil(() => panel.acceptedPosts() === 1, 60_000, "the restore to be posted");
      run.killCli();
      await run.ended;
      await stack.cancel();
      await waitUntil(() => panel.restores()[0]?.status === "complete", 30_000, "the restore to end");
      panel.addTransaction(backup);
      const next = await stack.up();

      assert.deepEqual(next.outputs["statuses"]?.value, ["complete"]);
      assert.deepEqual(next.outputs["adopted"]?.value, [true]);
      assert.equal(panel.acceptedPosts(), 1);
    });
  });
});

long.describe("whose rows they are, on more panels", () => {
  const scene = useScene();

  it("adopt takes a restore whose identifier is its own, and every row of a chain for one", async () => {
    const panel = await scene.panel({ speed: 1, dialect: { machineTie: "target" } });
    const id = panel.postRestoreAsSomebodyElse(42, 1007, { seconds: 2 });
    panel.addTransaction(backup);
    const stack = await restores(scene, [{ name: "web", args: { timeouts, adopt: id } }], { config });
    assert.deepEqual((await stack.up()).outputs["statuses"]?.value, ["complete"]);

    panel.setDialect({ chain: "chain" });
    panel.postRestoreAsSomebodyElse(42, 1007, { seconds: 60 });
    const [first = "", second = "", third = ""] = panel.restores()[1]?.transactionIds ?? [];
    panel.endTransaction(first, "failed");
    await stack.configure(declare([{ name: "web", args: { timeouts, adopt: second, triggers: ["again"] } }]));
    assert.match((await stack.upFails()).stdout, new RegExp(`${first}, ${second}, ${third} ended as failed`));
    const stored = (await stack.resources()).filter(({ type }) => type.endsWith(":VmRestore"));
    assert.deepEqual(
      stored.map(({ outputs }) => outputs?.["status"]).filter((status) => status !== "complete"),
      ["failed"],
    );
    assert.equal(panel.acceptedPosts(), 0);
  });
});
