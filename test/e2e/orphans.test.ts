import assert from "node:assert/strict";
import { needsProcesses, isAlive } from "./support/processes";
import { restores } from "./support/restores";
import { useScene, type Sandbox } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";
import type { OwnProcess } from "./support/own-process";
import { posts } from "./support/posts";

const config = { "recovery:requestTimeout": "30s" };
const specs = [{ name: "web" }];

/** What was left running ends by itself, and has posted nothing by then. */
async function endsWithoutPosting(panel: Sandbox, run: OwnProcess, orphans: readonly number[]): Promise<void> {
  await run.ended;
  assert.ok(orphans.length > 0);
  await waitUntil(() => !orphans.some(isAlive), 30_000, "the orphan to be gone");
  assert.deepEqual(posts(panel), []);
}

describe("a provider process whose engine was killed", () => {
  const scene = useScene();

  needsProcesses();

  long.it(
    "before it had posted, because the machine was busy: posts nothing when the machine is free, and ends",
    async () => {
      const panel = await scene.panel();
      const backup = panel.addTransaction({ machineId: 42, action: "take_backup", seconds: 3_600 });
      const stack = await restores(scene, specs, { config });

      const run = await stack.start("up");
      await run.output(/take_backup/);
      const orphans = run.killCli();
      // The orphan still looks, and sees the machine free.
      panel.endTransaction(backup, "complete");
      await endsWithoutPosting(panel, run, orphans);
    },
  );

  it("right before its POST: does not send it, and ends", async () => {
    const panel = await scene.panel({ faults: { get: { delay: { after: 1, times: 1, seconds: 3 } } } });
    const stack = await restores(scene, specs, { config });

    const run = await stack.start("up");
    await waitUntil(() => panel.requests().length > 1, 60_000, "the read before the POST");
    await endsWithoutPosting(panel, run, run.killCli());
  });
});

long.describe("a provider process whose engine was killed early", () => {
  const scene = useScene();

  needsProcesses();

  it("while it made an intent and nothing else: ends", async () => {
    const panel = await scene.panel({ faults: { get: { delay: { first: 1, seconds: 8 } } } });
    const stack = await restores(scene, specs, { config });

    const run = await stack.start("up");
    await waitUntil(() => panel.requests().length > 0, 60_000, "the read for the intent");
    await endsWithoutPosting(panel, run, run.killCli());
  });
});
