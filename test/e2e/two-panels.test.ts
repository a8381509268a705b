import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { useScene } from "./support/scene";
import { inline } from "./support/inline";
import { vm } from "./support/one-restore";

describe("two panels in one program", () => {
  const scene = useScene();

  it("are kept apart in requests, restores, lists and credentials, and nothing is restored again when a provider's endpoint or other settings change", async () => {
    const main = await scene.panel({ speed: 20, username: "main", password: "main-password" });
    const site = await scene.panel({ speed: 20, username: "site", password: "site-password" });
    // Makes the two panels' transaction ids differ.
    site.addTransaction({ machineId: 42, action: "take_backup", status: "complete", seconds: 1, ageSeconds: 60 });
    const program = (change: recovery.ProviderArgs = {}) =>
      inline(() => {
        const { url: endpoint, username, password } = site;
        const provider = new recovery.Provider("site", { endpoint, username, password, ...change });
        const here = vm("here");
        const there = new recovery.FileRestore(
          "there",
          { virtualMachineId: 42, recoveryPointId: 1008, paths: ["/etc"], timeouts: { settle: 0 } },
          { provider },
        );
        const newest = (result: pulumi.Output<recovery.GetTransactionsResult>) => result.transactions[0]!.id;
        return {
          here: here.transactionId,
          there: there.transactionId,
          newestHere: newest(recovery.getTransactionsOutput({ limit: 1 }, { dependsOn: here })),
          newestThere: newest(recovery.getTransactionsOutput({ limit: 1, provider }, { dependsOn: there })),
        };
      });
    const stack = await scene.stack(program());
    await stack.preview();
    assert.deepEqual([...main.requests(), ...site.requests()], [], "a preview reads no list that waits for a restore");

    const { here, there, newestHere, newestThere } = (await stack.up()).outputs;
    const restored = [main, site].map((panel) => panel.restores().map((one) => `${one.kind} ${one.recoveryPointId}`));
    assert.deepEqual(restored, [["machine 1007"], ["files 1008"]]);
    const ids = [main, site].map((panel) => panel.restores()[0]?.transactionId);
    assert.deepEqual([here?.value, there?.value], ids);
    assert.deepEqual([newestHere?.value, newestThere?.value], ids);
    assert.notEqual(ids[0], ids[1]);
    for (const panel of [main, site]) assert.ok(panel.requests().every(({ status }) => status !== 401));

    stack.use(program({ requestTimeout: "20s" }));
    const changes = { update: 1, same: 5 };
    assert.deepEqual((await stack.up()).changes, changes);
    const { url: endpoint, username, password } = main;
    stack.use(program({ requestTimeout: "20s", endpoint, username, password }));
    const moved = await stack.up();
    assert.deepEqual(moved.changes, changes);
    assert.equal(moved.outputs["there"]?.value, there?.value);
    assert.deepEqual([main.acceptedPosts(), site.acceptedPosts()], [1, 1]);
  });
});
