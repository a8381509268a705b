import assert from "node:assert/strict";
import type { MachineId, RecoveryPointId, Transaction } from "../../provider/panel/types";
import { floorAbove, markOf } from "../../provider/rows/mark";
import { dialects, type DialectPreset } from "../../sandbox";
import { sandboxFeed } from "./support/sandbox-feed";
import { Recorder } from "./support/recorder";

const machine = "42" as MachineId;
const point = "1007" as RecoveryPointId;

/** The feed with the real client on the sandbox, in every dialect: whatever the pages look like, ends are heard of. */
describe("the feed on a panel", () => {
  for (const preset of Object.keys(dialects) as DialectPreset[]) {
    for (const format of ["json", "xml"] as const) {
      it(`hears of a row's appearance and end, dialect ${preset}, ${format}`, async () => {
        const panel = sandboxFeed(format, { dialect: preset, scenario: { background: { perSecond: 2 } } });
        const { clock, sandbox, client, feed } = panel;
        await clock.advance(120_000);
        const head = await clock.run(feed.head());
        const posted = client.restoreMachine(machine, point);
        assert.equal((await clock.run(posted)).kind, "accepted");
        const ours = (): readonly string[] => sandbox.restores()[0]?.transactionIds ?? [];

        const watch = new Recorder(floorAbove(markOf(head, "this panel")), (row: Transaction) =>
          ours().includes(row.id),
        );
        watch.sinceNow = clock.now();
        watch.then = ({ rows }) => {
          if (rows.length > 0) watch.floorNow = { ids: rows.map(({ id }) => id), needs: "ids" };
        };
        const watching = feed.watch(watch);
        await clock.advance(300_000);
        const [restore] = sandbox.restores();
        assert.ok(restore?.endedAt !== undefined);
        for (const id of ours()) {
          const heard = watch.heardOf(id as Transaction["id"]);
          assert.equal(heard.at(-1)?.toLowerCase(), "complete", `${id}: ${heard.join(" ")}`);
          assert.equal(new Set(heard).size, heard.length, `${id}: ${heard.join(" ")}`);
        }
        watching.close();
        const asked = panel.listRequests();
        await clock.advance(60_000);
        assert.equal(panel.listRequests(), asked);
        assert.equal(clock.pending, 0);
      });
    }
  }
});
