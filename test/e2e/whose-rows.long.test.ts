import assert from "node:assert/strict";
import { needsProcesses } from "./support/processes";
import { declare, restores } from "./support/restores";
import { useScene } from "./support/scene";
import { adoptedAfterAKill } from "./suites/adopted-after-a-kill";

const timeouts = { listed: "3s", run: "60s" };

describe("whose rows they are, on more panels", () => {
  const scene = useScene();

  it("adopt takes a restore whose identifier is its own, and every row of a chain for one", async () => {
    const panel = await scene.panel({ speed: 1, dialect: { machineTie: "target" } });
    const id = panel.postRestoreAsSomebodyElse(42, 1007, { seconds: 2 });
    panel.addTransaction({ machineId: 42, action: "take_backup", status: "complete" });
    const stack = await restores(scene, [{ name: "web", args: { timeouts, adopt: id } }], {
      config: { "recovery:requestTimeout": "2s" },
    });
    assert.deepEqual((await stack.up()).outputs["statuses"]?.value, ["complete"]);

    panel.setDialect({ chain: "dependentOnly" });
    panel.postRestoreAsSomebodyElse(42, 1007, { seconds: 60 });
    const [first = "", second = "", third = ""] = panel.restores()[1]?.transactionIds ?? [];
    panel.endTransaction(first, "failed");
    await stack.configure(declare([{ name: "web", args: { timeouts, adopt: second, triggers: ["again"] } }]));
    assert.match(
      (await stack.upFails()).stdout,
      new RegExp(`of the chain ${first}, ${second}, ${third} ended as failed`),
    );
    const stored = (await stack.resources()).filter(({ type }) => type.endsWith(":VmRestore"));
    assert.deepEqual(
      stored.map(({ outputs }) => outputs?.["status"]).filter((status) => status !== "complete"),
      ["failed"],
    );
    assert.equal(panel.acceptedPosts(), 0);
  });

  describe("after a kill", () => {
    needsProcesses();

    adoptedAfterAKill(scene, "a list sorted by change, under older work that has ended since");
  });
});
