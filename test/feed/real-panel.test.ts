import assert from "node:assert/strict";
import type { MachineId, RecoveryPointId, Transaction } from "../../provider/panel/types";
import { markOf } from "../../provider/rows/mark";
import { dialects, type DialectPreset } from "../../sandbox";
import { sandboxFeed } from "./support/sandbox-feed";
import { Recorder } from "./support/recorder";

const machine = "42" as MachineId;
const point = "1007" as RecoveryPointId;

/** The feed with the real client on the sandbox, in every dialect: whatever the pages look like, ends are reported. */
describe("the feed on a panel", () => {
  for (const preset of Object.keys(dialects) as DialectPreset[]) {
    for (const format of ["json", "xml"] as const) {
      it(`reports a row's appearance and end, dialect ${preset}, ${format}`, async () => {
        const panel = sandboxFeed(format, { dialect: preset, scenario: { background: { perSecond: 2 } } });
        const { clock, sandbox, client, feed } = panel;
        await clock.advance(120_000);
        const newestPage = await clock.run(feed.newestPage());
        const posted = client.restoreMachine(machine, point);
        assert.equal((await clock.run(posted)).kind, "accepted");
        const ours = (): readonly string[] => sandbox.restores()[0]?.transactionIds ?? [];

        const subscriber = new Recorder({ mark: markOf(newestPage, "this panel") }, (row: Transaction) =>
          ours().includes(row.id),
        );
        subscriber.awaitedSinceNow = clock.now();
        subscriber.afterRead = ({ rows }) => {
          if (rows.length > 0) subscriber.ruleNow = { awaitedIds: rows.map(({ id }) => id) };
        };
        const subscription = feed.subscribe(subscriber);
        await clock.advance(300_000);
        const [restore] = sandbox.restores();
        assert.ok(restore?.endedAt !== undefined);
        for (const id of ours()) {
          const statuses = subscriber.statusesOf(id as Transaction["id"]);
          assert.equal(statuses.at(-1)?.toLowerCase(), "complete", `${id}: ${statuses.join(" ")}`);
          assert.equal(new Set(statuses).size, statuses.length, `${id}: ${statuses.join(" ")}`);
        }
        subscription.close();
        const asked = panel.listRequests();
        await clock.advance(60_000);
        assert.equal(panel.listRequests(), asked);
        assert.equal(clock.pending, 0);
      });
    }
  }
});
