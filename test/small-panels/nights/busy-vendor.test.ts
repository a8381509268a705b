import assert from "node:assert/strict";
import type { OnStage } from "../stage";
import { named, onTrap, type Trap } from "../trap";
import type { Shown } from "../taste";

/** A restore has a step for each disk, which names no machine. The machine's own log names all of its transactions. */
const vendor: Trap = {
  row: (job) => {
    const { virtual_machine_id, ...row } = named(job);
    return job.action === "restore_disk" ? row : { ...row, virtual_machine_id };
  },
  parts: (end) => [
    { end, seconds: 15 },
    { action: "restore_disk", end },
  ],
  // Its log also lists alerts.
  events: (own) => own.flatMap(({ no }) => [{ target_type: "Alert", target_id: no }, { transaction_id: no }]),
};

/** Somebody restores another machine's disks, one every 45 seconds, each of which takes 20 seconds. */
const othersRestore = (stage: OnStage): void => {
  const next = (): void => {
    stage.panel.work("9", "restore_disk");
    stage.time.after(45_000, next);
  };
  next();
};

describe("a panel where only the machines' logs show whose a disk restore is", () => {
  it("receives a failed restore again without a question", async () => {
    const stage = onTrap(vendor, { restoreSeconds: 20 });
    othersRestore(stage);
    await stage.upFailing();
    assert.deepEqual([stage.statuses(), stage.posted.length], [["failed"], 1]);
    await stage.time.advance(2 * 3_600_000);
    await stage.completes(2);
    assert.deepEqual(stage.faults(2), []);
  });

  it("receives the restore after a run killed before its POST, even though the log names an earlier restore by the program", async () => {
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

  for (const [what, isNamed] of [
    ["only ended jobs", ({ hasEnded }) => hasEnded],
    ["only jobs that were already there", ({ no }) => no < 131],
  ] as readonly (readonly [string, (job: Shown) => boolean])[])
    it(`receives nothing twice after a kill if the log names ${what}`, async () => {
      const past: Trap["past"] = (back, length) => [
        "42",
        "restore_virtual_machine",
        (3600 + back) * 1000,
        length / 1000,
      ];
      const events: Trap["events"] = (own) => own.filter(isNamed).map(({ no }) => ({ transaction_id: no }));
      const row: Trap["row"] = ({ action, status }) => ({ action, status });
      const stage = onTrap({ row, past, events }, { restoreSeconds: 20 });
      stage.failing.add("42");
      await stage.killed(3_000);
      await stage.time.advance(600_000);
      await stage.up();
      await stage.up();
      assert.equal(stage.posted.length, 1);
    });

  it("does not receive a failed restore again if the log does not reach back to the mark", async () => {
    const events: Trap["events"] = (own) => own.slice(0, 3).map(({ no }) => ({ transaction_id: no }));
    const stage = onTrap({ ...vendor, events }, { restoreSeconds: 20 });
    await stage.upFailing();
    for (let count = 0; count < 5; count++) stage.panel.work("42", "take_backup");
    othersRestore(stage);
    await stage.time.advance(600_000);
    await stage.asks(/so nothing was sent/);
  });
});
