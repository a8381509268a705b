import assert from "node:assert/strict";
import { type Declared } from "../../support/program";
import { type OnStage, web } from "../stage";
import { named, onTrap, stamped, type Trap } from "../trap";

const stageOf = (row: Trap["row"], declared: Declared = web, settings: Record<string, string> = {}): OnStage =>
  onTrap({ row }, { declared: [declared], restoreSeconds: 20, settings });

describe("the quiet time before a later attempt", () => {
  for (const row of [named, stamped])
    it(`ends on time if the machine has only short jobs of other kinds (rows ${row === named ? "without" : "with"} timestamps)`, async () => {
      const stage = stageOf(row);
      await stage.upFailing();
      stage.othersWork(120_000, ["collect_statistics"], ["42"]);
      await stage.time.advance(300_000);
      const began = stage.time.now();
      await stage.completes(2);
      assert.ok((stage.postedAt[1] ?? 0) - began < 5 * 60_000, "posted within five minutes");
    });

  it("makes `up` ask the user instead of sending the restore if somebody restores the machine in the meantime", async () => {
    const stage = stageOf((job) => ({ ...stamped(job), recovery_point_id: Number(job.point ?? 998) }));
    await stage.upFailing();
    await stage.time.advance(300_000);
    stage.time.after(100_000, () => stage.panel.work("42", "restore"));
    await stage.asks(/so nothing was sent.*adopt: "132"/s);
  });

  it("ends with another look at the failed restore, which may have been run again on the panel while the machine was busy", async () => {
    const stage = onTrap({ row: stamped, cap: 10 }, { restoreSeconds: 600 });
    await stage.upFailing();
    for (let nth = 0; nth < 15; nth++) stage.panel.work(String(7_300 + nth), "start");
    await stage.time.advance(3_600_000);
    stage.panel.work("42", "backup");
    stage.time.after(599_000, () => stage.panel.work("42", "backup"));
    stage.time.after(1_000_000, () => stage.panel.work("42", "run again"));
    await stage.completes(1);
  });

  it("ends within its limit even if timeouts.busy is 0 and a request may take only a second", async () => {
    const stage = stageOf(stamped, { ...web, timeouts: { busy: 0 } }, { "recovery:requestTimeout": "1s" });
    await stage.upFailing();
    for (let count = 0; count < 3 && stage.posted.length < 2; count++) await stage.up();
    assert.deepEqual([stage.statuses(), stage.posted.length], [["complete"], 2]);
  });

  it("is shown in a progress message, which says that new triggers skip it", async () => {
    const stage = stageOf(stamped);
    stage.failing.add("42");
    await stage.up();
    // The quiet time is two and a half minutes. Its end is shown on the runner's clock, rounded up to the minute.
    const ends = new Date(stage.time.wallTime().getTime() + 150_000 + 59_999);
    const [hours, minutes] = [ends.getHours(), ends.getMinutes()].map((part) => String(part).padStart(2, "0"));
    const { progress } = await stage.up();
    assert.ok(
      progress.includes(
        `looking for a newer restore of the machine, until ${hours!}:${minutes!}; to restore at once, change triggers`,
      ),
      progress.join("\n"),
    );
  });
});
