import assert from "node:assert/strict";
import { type Declared } from "../../support/program";
import { type OnStage, files, web } from "../stage";
import { bare, named, onTrap, stamped, type Trap } from "../trap";
import { iso } from "../spelling";
import type { Shown } from "../taste";

const hour = 3_600_000;

const stageOf = (how: Trap, declared: Declared = web): OnStage =>
  onTrap(how, { declared: [declared], restoreSeconds: 20 });

/** The first restore's status and the number of POSTs. */
const soFar = (stage: OnStage): readonly unknown[] => [stage.statuses()[0], stage.posted.length];

/** Applies the setting that the message recommends. */
function setAsSaid(stage: OnStage, text: string): void {
  const [, name = "", value = ""] = /`pulumi config set (recovery:\w+) "([^"]+)"`/.exec(text) ?? [];
  assert.match(name, /^recovery:/, text);
  stage.set({ [name]: value });
}

/** A job's start and end times. The end time is null while the job runs. */
const ended = (job: Shown) => ({ ...stamped(job), finished_at: job.hasEnded ? iso(job.ends) : null });

it("a restore with a changing percentage in its status causes only one warning", async () => {
  const percent = ({ now, at, ends }: Shown): string =>
    `running ${String(Math.floor((100 * (now - at)) / (ends - at)))}%`;
  const row: Trap["row"] = (job) => named(job.status === "running" ? { ...job, status: percent(job) } : job);
  const stage = onTrap({ row }, { restoreSeconds: 600 });
  const { warnings } = await stage.up();
  assert.deepEqual([soFar(stage), warnings.length], [["complete", 1], 1], warnings.join("\n"));
});

describe("an old job with an unknown status", () => {
  const past: Trap["past"] = () => ["42", "backup", 9 * hour, 600];
  for (const fields of [{ status: "needs review" }, { status: "partial" }, { status: null }])
    it(`does not keep the machine busy if it ended nine hours ago: ${JSON.stringify(fields)}`, async () => {
      const row: Trap["row"] = (job) => ({ ...ended(job), ...(job.no === 130 && fields) });
      await stageOf({ row, past }).completes(1);
    });

  it("keeps the machine busy on a panel without timestamps, and the message names the setting for the status", async () => {
    const row: Trap["row"] = (job) => named(job.no === 130 ? { ...job, status: "needs review" } : job);
    const stage = stageOf({ row, past });
    const text = await stage.said();
    assert.match(text, /not sent: transaction 130 .*needs review\) keeps the machine busy.*completeStatuses/s);
    setAsSaid(stage, text);
    await stage.completes(1);
  });

  for (const [how, stamp] of [
    ["equals its start time", ({ at }: Shown) => at],
    ["is in the future", ({ now }: Shown) => now + hour],
  ] as const)
    it(`keeps the machine busy if its end time ${how}`, async () => {
      const row: Trap["row"] = (job) =>
        job.no === 130 ? { ...stamped(job), status: "restoring", finished_at: iso(stamp(job)) } : ended(job);
      await stageOf({ row, past }).asks(/not sent: transaction 130 .*keeps the machine busy/);
    });
});

describe("a restore that ends with an unknown status", () => {
  const partly: Trap["parts"] = () => [{ end: "needs review" }];

  it("makes `up` ask the user as soon as its end time is listed, and is complete once the status is configured", async () => {
    const stage = stageOf({ row: ended, parts: partly });
    const began = stage.time.now();
    const text = await stage.said();
    assert.ok(stage.time.now() - began < 5 * 60_000, `${String((stage.time.now() - began) / 1_000)} s`);
    assert.match(text, /machine 42.*transaction 131.*needs review/s);
    for (let count = 0; count < 2; count++) assert.match(await stage.said(), /needs review/);
    assert.deepEqual(soFar(stage), ["running", 1]);
    setAsSaid(stage, text);
    await stage.completes(1);
  });

  it("does not keep its machine busy once its end time is listed", async () => {
    const stage = stageOf({ row: ended, parts: partly });
    await stage.up();
    stage.newTriggers(0);
    await stage.up();
    assert.equal(stage.posted.length, 2);
  });
});

/** A panel that shows this final status and these fields in the row of a restore that has ended. */
const beside = (word: string, fields: object, base: Trap["row"] = named): Trap => ({
  row: (job) => ({ ...base(job), ...(job.no > 130 && job.hasEnded && { status: word, ...fields }) }),
});

describe("a restore whose final status is contradicted by another field", () => {
  const against: readonly (readonly [word: string, fields: object, shown?: RegExp])[] = [
    ["done", { error: "disk full" }, /disk full/],
    ["complete", { success: false }],
    ["complete", { result_code: 1 }, /result_code: 1/],
    ["finished", { outcome: "partial" }, /partial/],
    ["closed", {}],
  ];
  for (const [word, fields, shown = /./] of against)
    it(`makes \`up\` ask the user about its outcome, and is never sent again automatically: ${word} with ${JSON.stringify(fields)}`, async () => {
      const stage = stageOf(beside(word, fields));
      const text = await stage.said();
      assert.match(text, new RegExp(`machine 42.*transaction 131\\b.*${word}`, "s"));
      assert.match(text, shown);
      for (let count = 0; count < 2; count++) assert.match(await stage.said(), /transaction 131\b/);
      assert.deepEqual(soFar(stage), ["running", 1]);
      // A status that means complete on other rows must not be set to mean complete regardless of the row's other fields.
      if (word === "closed") setAsSaid(stage, text);
      else stage.change(0, { adopt: /set adopt: "(\d+)"/.exec(text)?.[1] ?? "" });
      await stage.completes(1);
    });

  it("is reported by a refresh, which stores no outcome", async () => {
    const stage = stageOf(beside("done", { error: "disk full" }), { ...web, wait: false });
    await stage.up();
    await stage.time.advance(60_000);
    assert.match((await stage.refresh()).warnings.join(), /machine 42.*transaction 131 is "done, error: disk full"/);
    assert.notEqual(stage.statuses()[0], "complete");
    stage.change(0, { wait: true });
    await stage.asks(/transaction 131 is "done, error: disk full"/);
  });

  it("is complete if somebody else sent it and adopt names it", async () => {
    const stage = stageOf(beside("complete", { result_code: 1 }), { ...web, adopt: "131" });
    await stage.workLater(0);
    await stage.completes(0);
  });

  it("is waited for if another field shows that it is running, and the message contains both words and the setting", async () => {
    const stage = stageOf(beside("complete", { state: "running" }), { ...web, timeouts: { run: 60 } });
    const asked = /If "complete, running" means that it has ended, set the status field in recovery:fields/;
    assert.match(await stage.said(), asked);
    stage.set({ "recovery:fields": '{"status":"status"}' });
    await stage.completes(1);
  });

  for (const fields of [{ result: "error" }, { result: { code: "error" } }, { success: false }])
    it(`counts as failed if its status shows only that it has ended and a second field shows a failure: ${JSON.stringify(fields)}`, async () => {
      const stage = stageOf(beside("closed", fields));
      assert.match(await stage.said(), /failed: transaction 131/);
      await stage.up();
      assert.deepEqual(soFar(stage), ["failed", 2]);
    });
});

describe("a restore in which another part failed", () => {
  const parts: Trap["parts"] = () => [
    { action: "restore_virtual_machine" },
    { action: "restore_disk" },
    { action: "restore_disk", end: "failed" },
  ];
  /** A stop that fails without ending the job: the restore waits in the queue behind the stop, and then takes a minute. */
  const queued = (seconds: number, row: Trap["row"] = named): Trap => ({
    row: ({ at, now, ...job }) => {
      const begins = at + seconds * 1_000;
      const isQueued = job.action === "restore_virtual_machine" && job.no > 130 && now < begins + 60_000;
      const status = isQueued ? (now < begins ? "pending" : "running") : job.status;
      return { ...row({ ...job, at, now, status }), chain_id: at };
    },
    parts: () => [{ action: "stop_virtual_machine", seconds: 1, end: "failed" }, { seconds: 1 }],
  });
  const withParent: Trap["row"] = (job) => ({ ...named(job), parent_id: job.parent ?? null });

  it("is not complete if a step failed, even if the parent is complete, and is never sent again automatically", async () => {
    const stage = stageOf({ row: withParent, parts });
    assert.match(await stage.said(), /machine 42.*complete on the panel, but transaction 133 in the same job failed/s);
    assert.equal(stage.outputsOf(0)["failedPart"], "133");
    for (let count = 0; count < 2; count++) assert.match(await stage.said(), /transaction 133.*adopt: "13\d"/s);
    assert.deepEqual(soFar(stage), ["failed", 1]);
    stage.change(0, { adopt: "131" });
    for (let count = 0; count < 2; count++) await stage.completes(1);
  });

  it("is not reported as failed by a refresh while it waits behind the failed part", async () => {
    const stage = stageOf(queued(60), { ...web, wait: false });
    await stage.up();
    await stage.time.advance(5_000);
    await stage.refresh();
    assert.deepEqual(soFar(stage), ["running", 1]);
    await stage.time.advance(300_000);
    await stage.refresh();
    assert.deepEqual([...soFar(stage), stage.outputsOf(0)["failedPart"]], ["failed", 1, "131"]);
  });

  for (const [how, row] of Object.entries({ "a machine": named, timestamps: stamped }))
    for (const seconds of [60, 600])
      it(`is waited for, and is not posted again, even if it spends ${String(seconds)} s in the queue behind the failed part (rows with ${how})`, async () => {
        const stage = stageOf(queued(seconds, row));
        if (seconds === 600) await stage.up();
        if (seconds === 600) await stage.time.advance(900_000);
        for (let count = 0; count < 3; count++)
          assert.match(await stage.said(), /complete on the panel, but transaction 131 .*adopt: "132"/s);
        assert.deepEqual([...soFar(stage), stage.idsOf(0)], ["failed", 1, ["131", "132"]]);
        stage.change(0, { adopt: "132" });
        await stage.completes(1);
      });
});

describe("a killed run's restore whose action is the panel's own word", () => {
  for (const [own, others] of [
    ["load_snapshot", "restore_snapshot"],
    ["start_from_snapshot", "Restore network settings"],
    ["recover_virtual_machine", "restore_backup"],
  ] as const)
    it(`makes \`up\` ask the user, and is not posted twice, when an old row for another machine is also listed: actions "${own}" and "${others}"`, async () => {
      const actionOf = ({ what, no }: Shown): string => (what === "restore" ? own : no === 125 ? others : "start");
      const stage = onTrap({ row: (job) => ({ ...stamped(job), action: actionOf(job) }) }, { restoreSeconds: 60 });
      await stage.killed(3_000);
      await stage.time.advance(120_000);
      const asked = `may have been posted by an earlier attempt.*131 \\(${own}.*; is not identified as a restore\n`;
      assert.match(await stage.said(), new RegExp(asked, "s"));
      assert.deepEqual(soFar(stage), [undefined, 1]);
      stage.change(0, { adopt: "131" });
      await stage.completes(1);
    });

  it("makes `up` ask the user when the panel's word for a machine restore is known but its word for a file restore is not", async () => {
    const row: Trap["row"] = (job) => ({ ...stamped(job), action: job.what === "files" ? "entries" : "restore_disk" });
    const stage = onTrap({ row }, { declared: [web, files], restoreSeconds: 60 });
    await stage.killed(3_000, 2);
    await stage.time.advance(120_000);
    assert.match((await stage.up()).errors.get(1) ?? "", /may have been posted by an earlier attempt/);
    assert.equal(stage.posted.length, 2);
  });
});

for (const word of ["Restoring virtual machine", "machine restoration", "restore_vm_from_restore_point"])
  it(`the action "${word}" is recognized as a restore`, async () => {
    const row: Trap["row"] = (job) => ({ ...named(job), action: job.what === "restore" ? word : job.action });
    await stageOf({ row }).completes(1);
  });

for (const word of ["needs a look", "half restored"])
  it(`a restore that still has the status "${word}" at its time limit fails with an error that names the setting`, async () => {
    const row: Trap["row"] = (job) =>
      named({ ...job, ...(job.what === "restore" && job.hasEnded && { status: word }) });
    const stage = stageOf({ row }, { ...web, timeouts: { run: 600 } });
    const text = await stage.said();
    assert.match(
      text,
      /has not ended: transaction 131 .*recovery:failedStatuses; otherwise, it continues on the panel/,
    );
    setAsSaid(stage, text);
    await stage.completes(1);
  });

describe("a failed job", () => {
  for (const [rows, row] of Object.entries({ "id and status": bare, "a machine": named })) {
    it(`is reported as changed since it failed if the panel has run it again (rows with ${rows})`, async () => {
      const stage = stageOf({ row });
      await stage.upFailing();
      stage.panel.work("42", "run again");
      const { warnings } = await stage.up();
      assert.match(
        warnings.join("\n"),
        /transaction 131 \([^)]*complete[^)]*\) failed in an earlier attempt, but no longer counts/,
      );
    });

    it(`is adopted with a warning that it failed if adopt names it (rows with ${rows})`, async () => {
      const stage = stageOf({ row }, { ...web, adopt: "131" });
      stage.failing.add("42");
      stage.panel.work("42", "restore");
      await stage.time.advance(60_000);
      assert.match((await stage.up()).warnings.join("\n"), /sent nothing\. It is 131 \([^)]*failed/);
    });
  }
});
