import assert from "node:assert/strict";
import { isAlive, needsProcesses } from "./support/processes";
import { restores } from "./support/restores";
import { type Sandbox, type SandboxOptions, useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";
import type { OwnProcess } from "./support/own-process";
import { posts } from "./support/posts";

const config = { "recovery:requestTimeout": "4s" };

/** How to catch a run at a moment before its POST. */
interface Before {
  readonly panel?: SandboxOptions;
  readonly reached: (panel: Sandbox, run: OwnProcess) => Promise<unknown>;
  readonly then?: (panel: Sandbox) => void;
}

const moments: Readonly<Record<string, Before>> = {
  "right before its POST": {
    panel: { faults: { get: { delay: { after: 1, times: 1, seconds: 3 } } } },
    reached: (panel) => waitUntil(() => panel.requests().length >= 2, 60_000, "the read before the POST"),
  },
  "while the machine was busy": {
    panel: {
      scenario: { machines: [{ id: 42 }], transactions: [{ machineId: 42, action: "take_backup", seconds: 3_600 }] },
    },
    reached: (_panel, run) => run.output(/waiting for transaction \[\d+\] \(take_backup/),
    // The orphan reads the list again and sees that the machine is free.
    then: (panel) => panel.endTransaction(panel.transactions().at(-1)?.id ?? "", "complete"),
  },
};

describe("a provider process whose engine was killed before the process had posted", () => {
  const scene = useScene();

  needsProcesses();

  for (const [moment, { panel: options = {}, reached, then }] of Object.entries(moments)) {
    const test = moment === "right before its POST" ? it : long.it;
    test(`exits without a POST, and the next run posts once, if the kill came ${moment}`, async () => {
      const panel = await scene.panel({ speed: 20, ...options });
      const stack = await restores(scene, [{ name: "web", args: { timeouts: { listed: "2s" } } }], { config });
      const run = await stack.start("up");
      await reached(panel, run);
      const orphans = run.killCli();
      then?.(panel);
      await run.ended;
      assert.ok(orphans.length > 0);
      await waitUntil(() => !orphans.some(isAlive), 30_000, "the orphan to be gone");
      assert.deepEqual(posts(panel), []);

      await stack.cancel();
      assert.deepEqual((await stack.up()).outputs["statuses"]?.value, ["complete"]);
      assert.equal(panel.acceptedPosts(), 1);
    });
  }
});
