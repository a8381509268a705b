import assert from "node:assert/strict";
import type { OnStage } from "../stage";
import { named, onTrap, type Trap } from "../trap";
import { iso } from "../spelling";
import type { Shown } from "../taste";

const unnamed = ({ action, status }: Shown) => ({ action, status });
const idOf = ({ no }: Shown) => ({ transaction_id: no });

/** A restore has a step for each disk, and the rows of these steps name no machine. The machine's own log names all of the machine's transactions. */
const vendor: Trap = {
  row: (job) => {
    const { virtual_machine_id, ...row } = named(job);
    return job.action === "restore_disk" ? row : { ...row, virtual_machine_id };
  },
  parts: (end) => [
    { end, seconds: 15 },
    { action: "restore_disk", end },
  ],
  // The log also lists alerts.
  events: (own) => own.flatMap(({ no }) => [{ target_type: "Alert", target_id: no }, { transaction_id: no }]),
};

/** Somebody else restores other machines' disks. A restore begins every 45 seconds and takes 20 seconds. */
const othersRestore = (stage: OnStage): void => stage.othersWork(45_000, ["restore_disk"]);

describe("a restore whose rows are identified only by the machine's log", () => {
  it("is sent again after a failure, without asking the user", async () => {
    const stage = onTrap(vendor, { restoreSeconds: 20 });
    othersRestore(stage);
    await stage.upFailing();
    assert.deepEqual([stage.statuses(), stage.posted.length], [["failed"], 1]);
    await stage.time.advance(2 * 3_600_000);
    await stage.completes(2);
    assert.deepEqual(stage.faults(2), []);
  });

  it("is sent by the next `up` after a run was killed before its POST, even if the log names an earlier restore by the program", async () => {
    const stage = onTrap(vendor, { restoreSeconds: 20 });
    await stage.up();
    othersRestore(stage);
    stage.panel.work("42", "take_backup");
    stage.newTriggers(0);
    await stage.up({ kill: stage.time.pause(10_000) });
    assert.equal(stage.posted.length, 1);
    await stage.time.advance(3_600_000);
    await stage.completes(2);
  });

  for (const [what, isNamed] of Object.entries<(job: Shown) => boolean>({
    "only ended jobs": ({ hasEnded }) => hasEnded,
    "only jobs from before the run": ({ no }) => no < 131,
  }))
    it(`is not sent twice after a kill if the log names ${what}`, async () => {
      const action = "restore_virtual_machine";
      const past: Trap["past"] = (back, length) => ["42", action, (3600 + back) * 1000, length / 1000];
      const events: Trap["events"] = (own) => own.filter(isNamed).map(idOf);
      const stage = onTrap({ row: unnamed, past, events }, { restoreSeconds: 20 });
      stage.failing.add("42");
      await stage.killed(3_000);
      await stage.time.advance(600_000);
      await stage.up();
      await stage.up();
      assert.equal(stage.posted.length, 1);
    });

  it("makes `up` ask the user after a failure when the log does not reach back to the mark", async () => {
    const stage = onTrap({ ...vendor, events: (own) => own.slice(0, 3).map(idOf) }, { restoreSeconds: 20 });
    await stage.upFailing();
    for (let count = 0; count < 5; count++) stage.panel.work("42", "take_backup");
    othersRestore(stage);
    await stage.time.advance(600_000);
    await stage.asks(/so nothing was sent/);
  });
});

/** A machine's log names transactions only some seconds after they have ended. */
const lateBy =
  (ms: number): NonNullable<Trap["events"]> =>
  (own) =>
    own.filter(({ now, ends }) => now - ends >= ms).map(idOf);

const rowsOf: Readonly<Record<string, Trap["row"]>> = {
  "no machine": unnamed,
  "the machine, except in restores": (job) =>
    job.what === "restore" ? { ...named(job), virtual_machine_id: null } : named(job),
};

describe("a machine's log that names a transaction only seconds after its end", () => {
  for (const [rows, row] of Object.entries(rowsOf))
    for (const seconds of [4, 12]) {
      const stageOf = () => onTrap({ row, events: lateBy(seconds * 1_000) }, { restoreSeconds: 30 });
      const which = `after ${String(seconds)} s, rows name ${rows}`;

      it(`shows that a restore is complete, and then that the next restore is complete too: ${which}`, async () => {
        const stage = stageOf();
        for (const restores of [1, 2]) {
          await stage.completes(restores);
          stage.newTriggers(0);
        }
      });

      it(`shows that a restore failed, and that its next attempt is complete: ${which}`, async () => {
        const stage = stageOf();
        assert.match((await stage.upFailing()).errors.get(0) ?? "", /transaction 131 ended in failure/);
        await stage.completes(2);
      });
    }

  it("rules out another machine's restore even if the panel's timestamps are two hours ahead", async () => {
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
