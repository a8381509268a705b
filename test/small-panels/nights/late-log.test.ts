import assert from "node:assert/strict";
import { named, onTrap, type Trap } from "../trap";
import { iso } from "../spelling";

/** Each machine's log names its transactions only some seconds after they have ended. */
const lateBy =
  (ms: number): NonNullable<Trap["events"]> =>
  (own) =>
    own.filter(({ now, ends }) => now - ends >= ms).map(({ no }) => ({ transaction_id: no }));

const rowsOf: Readonly<Record<string, Trap["row"]>> = {
  "no machine": ({ action, status }) => ({ action, status }),
  "the machine, except those of a restore": (job) =>
    job.what === "restore" ? { ...named(job), virtual_machine_id: null } : named(job),
};

describe("a machine's log that names a transaction only seconds after its end", () => {
  for (const [rows, row] of Object.entries(rowsOf))
    for (const seconds of [4, 12]) {
      const stageOf = () => onTrap({ row, events: lateBy(seconds * 1_000) }, { restoreSeconds: 30 });
      const which = `${String(seconds)} s, rows name ${rows}`;

      it(`shows that a restore is complete, and then that the next restore is complete: ${which}`, async () => {
        const stage = stageOf();
        for (const restores of [1, 2]) {
          await stage.completes(restores);
          stage.newTriggers(0);
        }
      });

      it(`shows that a restore failed, and that its next attempt is complete: ${which}`, async () => {
        const stage = stageOf();
        stage.failing.add("42");
        assert.match(await stage.said(), /transaction 131 ended as failed/);
        stage.failing.clear();
        await stage.completes(2);
      });
    }

  it("rules out another machine's restore even if the panel's stamps are two hours ahead", async () => {
    const ahead = (ms: number): string => iso(ms + 2 * 3_600_000);
    const row: Trap["row"] = ({ action, status, hasEnded, at, ends }) => {
      return { action, status, created_at: ahead(at), finished_at: hasEnded ? ahead(ends) : null };
    };
    const stage = onTrap({ row, events: lateBy(4_000) }, { restoreSeconds: 30 });
    await stage.upFailing();
    stage.panel.work("77", "restore");
    await stage.time.advance(120_000);
    await stage.completes(2);
  });
});
