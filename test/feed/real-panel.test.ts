import assert from "node:assert/strict";
import type { MachineId, RecoveryPointId, Transaction } from "../../provider/panel/types";
import { dialects, type DialectPreset } from "../../sandbox";
import { virtualPanel } from "../support/virtual-panel";
import { Recorder } from "./support/recorder";

const machine = "42" as MachineId;
const point = "1007" as RecoveryPointId;

/** The feed with the real client on the sandbox, in every dialect: whatever the pages look like, ends are heard of. */
describe("the feed on a panel", () => {
  for (const preset of Object.keys(dialects) as DialectPreset[]) {
    for (const format of ["json", "xml"] as const) {
      it(`hears of a row's appearance and end, dialect ${preset}, ${format}`, async () => {
        const panel = virtualPanel(format, {
          dialect: preset,
          scenario: { background: { perSecond: 2 } },
        });
        const { clock, sandbox } = panel;
        await clock.advance(120_000);
        const { client, feed } = panel.newSite();
        const head = await clock.run(feed.head());
        const [newest] = head.rows;
        const posted = client.restoreMachine(machine, point);
        assert.equal((await clock.run(posted)).kind, "accepted");
        const ours = (): readonly string[] => sandbox.restores()[0]?.transactionIds ?? [];

        const watch = new Recorder({ above: newest!.id, aboveIds: head.rows.map(({ id }) => id) }, (row: Transaction) =>
          ours().includes(row.id),
        );
        watch.urgencyNow = "listing";
        watch.then = ({ changed }) => {
          if (changed.length > 0) watch.floorNow = { ids: changed.map(({ id }) => id) };
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
