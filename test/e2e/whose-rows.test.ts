import assert from "node:assert/strict";
import { needsProcesses } from "./support/processes";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { adoptedAfterAKill } from "./suites/adopted-after-a-kill";

const timeouts = { listed: "3s", run: "60s" };
const config = { "recovery:requestTimeout": "2s" };
const spec = { name: "web", args: { timeouts } };

/** What the rows of a panel tell, and what they do not, on the real engine. */
describe("whose rows they are", () => {
  const scene = useScene();

  const backup = { machineId: 42, action: "take_backup", status: "complete" } as const;

  it("an identifier that is the recovery point's own: the restore is found through the machine's log", async () => {
    const panel = await scene.panel({ speed: 10, dialect: { machineTie: "target" } });
    panel.addTransaction(backup);
    const stack = await restores(scene, [spec], { config });
    const run = await stack.up();
    assert.deepEqual(run.outputs["statuses"]?.value, ["complete"]);
    assert.deepEqual(run.outputs["transactions"]?.value, [panel.restores()[0]?.transactionId]);
    assert.equal(panel.acceptedPosts(), 1);
  });

  it("a chain that failed and is left pending: failed soon, with the row that never began, and restored by the next run", async () => {
    const panel = await scene.panel({ speed: 10, dialect: { chain: "chain", restOfChain: "pending" } });
    panel.failNext(42, "failed");
    const impatient = { name: "web", args: { timeouts: { listed: "3s", run: "10s" } } };
    const stack = await restores(scene, [impatient], { config });
    const run = await stack.upFails();
    const left = panel.restores()[0]?.transactionIds[2] ?? "";
    assert.match(run.stdout, new RegExp(`${left} \\(startup_virtual_machine, pending, made [^)]+\\) never began`));
    assert.match(run.stdout, /first looks for 5s/);
    assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["status"], "failed");

    panel.endTransaction(left, "cancelled");
    assert.deepEqual((await stack.up()).outputs["statuses"]?.value, ["complete"]);
    assert.equal(panel.acceptedPosts(), 2);
  });

  describe("after a kill", () => {
    needsProcesses();

    adoptedAfterAKill(scene, "an identifier that is the recovery point's own");
  });
});
