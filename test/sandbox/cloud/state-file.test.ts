import assert from "node:assert/strict";
import { join } from "node:path";
import { createSandbox } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";
import { ask, restoreLine, withSandbox } from "../support/ask";
import { inDirectory } from "../support/temporary-directory";

describe("the sandbox's state file", () => {
  it("lets running work continue while the panel is off, and lets waiting work start once the panel is back", () =>
    inDirectory(async (directory) => {
      const stateFile = join(directory, "state.json");
      const clock = new VirtualClock();
      const start = clock.now();
      const before = createSandbox({ clock, stateFile });
      const running = before.postRestoreAsSomebodyElse(42, 1007);
      const waiting = before.postRestoreAsSomebodyElse(42, 1008);
      await clock.advance(4000);
      const statuses = before.restores().map(({ status }) => status);
      assert.deepEqual(statuses, ["running", "pending"]);
      await clock.advance(60_000);
      const after = createSandbox({ clock, stateFile });
      await clock.advance(30_000);
      const seconds = (at: number | undefined): number => ((at ?? NaN) - start) / 1000;
      const ended = after.restores().map(({ transactionId, startedAt, endedAt, status }) => {
        return [transactionId, seconds(startedAt), seconds(endedAt), status];
      });
      assert.deepEqual(ended, [
        [running, 1, 10, "complete"],
        [waiting, 64, 73, "complete"],
      ]);
    }));

  it("keeps machines, history, accepted POSTs and the row numbering", () =>
    inDirectory(async (directory) => {
      const stateFile = join(directory, "state.json");
      const clock = new VirtualClock();
      const options = { clock, stateFile, scenario: { background: { perSecond: 2 } } };
      const list = await withSandbox(options, async (sandbox) => {
        sandbox.addMachine({ id: 77, label: "extra" });
        sandbox.addRecoveryPoint(77, { state: "merging" });
        await clock.advance(3000);
        assert.equal((await ask(sandbox.url, restoreLine)).status, 201);
        await clock.advance(3000);
        return (await ask(sandbox.url, "GET /transactions.json/per_page/100")).text;
      });
      await withSandbox(options, async (sandbox) => {
        assert.equal((await ask(sandbox.url, "GET /transactions.json/per_page/100")).text, list);
        const machines = sandbox.machines().map(({ id }) => id);
        assert.equal(machines.join(), "42,43,44,77");
        assert.equal(sandbox.machines()[3]?.recoveryPoints[3]?.state, "merging");
        assert.equal(sandbox.acceptedPosts(42), 1);
        assert.deepEqual(sandbox.requests().length, 1);
      });
    }));
});
