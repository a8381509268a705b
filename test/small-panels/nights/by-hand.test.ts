import assert from "node:assert/strict";
import { type Declared } from "../../support/program";
import { files, OnStage, web } from "../stage";
import { bare, onTrap, refusing, stamped, type Trap, wrapped } from "../trap";

/** Ordinary rows, which show the job's user and the backup that the job restores. */
const ordinary: Trap["row"] = (job) => ({ ...stamped(job), user_id: 3, backup_id: Number(job.point ?? 998) });
const withPoints: Trap["row"] = (job) => ({ ...stamped(job), recovery_point_id: Number(job.point ?? 1007) });

const stageOf = (row: Trap["row"], declared: Declared = web): OnStage =>
  onTrap({ row }, { declared: [declared], restoreSeconds: 60 });

describe("a restore made by hand", () => {
  // Restored from the same point, but the rows do not show which files.
  for (const [what, declared, operation, row] of [
    ["machine restore", web, "restore", ordinary],
    ["file restore", files, "restore_file_entries", ordinary],
    ["file restore from the same point", files, "restore_file_entries", withPoints],
  ] as const)
    for (const minutes of [3, 10, 25])
      it(`makes the next \`up\` ask the user when it begins ${String(minutes)} minutes after the program's ${what} failed`, async () => {
        const stage = stageOf(row, declared);
        await stage.upFailing();
        await stage.workLater(minutes * 60_000, operation);
        assert.match(await stage.said(), /so nothing was sent.*adopt: "132".*change triggers/s);
        assert.deepEqual([stage.statuses(), stage.idsOf(0), stage.posted.length], [["failed"], ["131"], 1]);
      });

  for (const [rows, row] of Object.entries({ "id and status": bare, "a user id": ordinary, points: withPoints }))
    it(`is not overwritten without asking the user when the failed restore's point is corrected (rows with ${rows})`, async () => {
      const stage = stageOf(row);
      await stage.upFailing();
      await stage.workLater(10 * 60_000);
      stage.change(0, { point: "1009" });
      await stage.asks(/so nothing was sent.*adopt: "132".*change triggers/s);
    });

  for (const how of ["by hand", "by a killed retry"])
    it(`does not make the next up ask the user if it failed too: ${how}`, async () => {
      const stage = stageOf(ordinary);
      await stage.upFailing();
      stage.failing.add("42");
      if (how === "by hand") stage.panel.work("42", "restore");
      else await stage.killed(1_000);
      await stage.time.advance(3 * 60_000);
      stage.failing.clear();
      await stage.completes(how === "by hand" ? 2 : 3);
    });

  it("can be adopted, with a warning about a newer restore of the machine but not about a restore a month older", async () => {
    const stage = stageOf(withPoints, { ...web, point: "1008", adopt: "132" });
    await stage.workLater(60_000);
    await stage.workLater(30 * 86_400_000);
    assert.doesNotMatch((await stage.completes(0)).warnings.join(), /131/);
    const older = stageOf(stamped, { ...web, adopt: "131" });
    for (const what of ["restore", "restore", "restore_file_entries"]) await older.workLater(60_000, what);
    assert.match(
      (await older.completes(0)).warnings.join(),
      /another job may have restored the machine .* 132 (?!.* 133 )/,
    );
  });

  it("is suspected if retryFailed is false and a killed run's attempt with a corrected point has failed too", async () => {
    const stage = stageOf(ordinary, { ...web, retryFailed: false });
    await stage.upFailing();
    stage.change(0, { point: "1009" });
    stage.failing.add("42");
    await stage.killed(1_000);
    await stage.time.advance(3 * 60_000);
    await stage.asks(/failed before \(transaction 131\), .*To restore again, change triggers.*132/s);
  });

  it("is suspected within five minutes if the failed restore's point is corrected, even while other users keep the panel busy", async () => {
    const stage = stageOf(bare);
    await stage.upFailing();
    stage.othersWork(45_000);
    await stage.time.advance(3_600_000);
    stage.change(0, { point: "1009" });
    const began = stage.time.now();
    assert.match(await stage.said(), /failed before \(transaction 131\), and these jobs may have .* change triggers/s);
    assert.ok(stage.time.now() - began < 5 * 60_000, String(stage.time.now() - began));
    stage.newTriggers(0);
    await stage.up();
    assert.equal(stage.posted.length, 2);
  });

  for (const [rows, row] of Object.entries({ "id and status": bare, timestamps: stamped }))
    for (const points of [["1009"], ["1009", "1010"], ["1009", "1007"]])
      it(`makes \`up\` ask the user, and can be adopted, when it is a rerun of the failed attempt and the point is then changed to ${points.join(", then ")} (rows with ${rows})`, async () => {
        const stage = stageOf(row);
        await stage.upFailing();
        stage.panel.work("42", "run again");
        for (const point of points) {
          stage.change(0, { point });
          await stage.asks(/so nothing was sent.*adopt: "131"/s);
        }
        stage.change(0, { adopt: "131" });
        if (points.at(-1) !== "1007")
          await stage.asks(/131, which belongs to its previous request.*point and paths back/s);
        stage.change(0, { point: "1007" });
        await stage.completes(1);
      });

  it("makes `up` ask the user when it is a rerun of a failed attempt whose point had already been corrected once", async () => {
    const make = wrapped({ row: stamped }, ({ path }, usual) => (path.includes("/1007/") ? { status: 404 } : usual()));
    const stage = new OnStage(make, "json", { declared: [web] });
    await stage.up();
    stage.change(0, { point: "1008" });
    await stage.upFailing();
    stage.panel.work("42", "run again");
    stage.change(0, { point: "1009" });
    await stage.asks(/so nothing was sent.*adopt: "131"/s);
  });

  it("is not asked about again if it was adopted but failed too; instead, the restore is sent again", async () => {
    const stage = stageOf(withPoints);
    await stage.upFailing();
    stage.failing.add("42");
    await stage.workLater(60_000);
    stage.change(0, { adopt: "132" });
    assert.match(await stage.said(), /failed: transaction 132/);
    stage.failing.clear();
    await stage.completes(2);
  });

  it("is adopted even hours after the program's restore failed if it names the same recovery point", async () => {
    const stage = stageOf(withPoints);
    await stage.upFailing();
    await stage.workLater(3 * 3_600_000);
    const { errors, warnings } = await stage.up();
    assert.match(warnings.join("\n"), /adopted transaction 132 .*2m ago/);
    assert.deepEqual([errors, stage.statuses(), stage.idsOf(0)], [new Map(), ["complete"], ["132"]]);
    assert.equal(stage.posted.length, 1);
  });

  it("makes the next `up` ask the user when it began just before the program's restore failed, even if the response named that restore", async () => {
    const answer = ([id]: readonly number[]) => ({ status: 202, body: { transaction: { id } } });
    const stage = onTrap({ row: stamped, answer }, { restoreSeconds: 120 });
    stage.failing.add("42");
    stage.time.after(100_000, () => {
      stage.failing.clear();
      stage.panel.work("42", "restore");
    });
    await stage.up();
    await stage.time.advance(5 * 60_000);
    assert.match(await stage.said(), /so nothing was sent.*adopt: "132"/s);
    assert.deepEqual([stage.statuses(), stage.idsOf(0), stage.posted.length], [["failed"], ["131"], 1]);
  });

  it("makes `up` ask the user when older rows disappeared from the list before the program's restore failed", async () => {
    const stage = stageOf(stamped);
    stage.failing.add("42");
    stage.time.after(20_000, () => stage.panel.work("7", "purge"));
    await stage.up();
    stage.failing.clear();
    await stage.asks(/failed before .*the list cannot be read down to that attempt/);
  });

  it("makes the next `up` ask the user when it began twelve minutes after a run was killed while waiting for the machine", async () => {
    const stage = stageOf(ordinary);
    stage.panel.work("42", "backup");
    await stage.time.advance(1_000);
    await stage.up({ kill: stage.time.pause(10_000) });
    assert.equal(stage.posted.length, 0);
    await stage.workLater(12 * 60_000);
    await stage.asks(/so nothing was sent.*132 .*adopt: "132"|adopt: "132".*132 /s);
  });

  for (const [word, fileWord, why] of [
    ["restore_virtual_machine", undefined, "perhaps restores a machine"],
    ["restore_virtual_machine", "restore_files", "; restores a machine"],
    ["restore", "restore_files", "perhaps restores a machine"],
  ] as const)
    it(`of the whole machine is not mistaken for a file restore that the panel had rejected (${word} beside ${fileWord ?? "no word for files"})`, async () => {
      const action = (what: string): string => (what === "restore" ? word : (fileWord ?? what));
      const { make, accept } = refusing({ row: stamped, action }, { status: 422 });
      const stage = new OnStage(make, "json", { declared: [files], restoreSeconds: 60 });
      await stage.workLater(0, fileWord === undefined ? "backup" : "files");
      await stage.up();
      accept();
      await stage.workLater(60_000);
      await stage.asks(new RegExp(`so nothing was sent.*132 .*${why}`, "s"));
    });

  it("is not assumed when a run was killed right after sending the program's restore", async () => {
    const stage = stageOf(ordinary);
    await stage.killed(3_000);
    await stage.time.advance(3 * 3_600_000);
    const { warnings } = await stage.completes(1);
    assert.match(warnings.join("\n"), /adopted transaction 131 /);
  });
});

for (const at of [20_000, 62_000])
  it(`a complete restore causes a warning if another restore, from another point, began ${String(at / 1_000)} s after the POST`, async () => {
    const row: Trap["row"] = (job) => ({ ...stamped(job), recovery_point_id: Number(job.point ?? 990) });
    const stage = stageOf(row);
    stage.time.after(at, () => stage.panel.work("42", "restore"));
    const { warnings } = await stage.completes(1);
    assert.match(
      warnings.join("\n"),
      /^another job may have restored the machine meanwhile, so check .*: transaction 132 \(.*names another recovery point$/,
    );
  });

it("a complete restore causes no warning about an earlier restore, even if a late part of that restore began in the meantime", async () => {
  const row: Trap["row"] = (job) => ({
    ...stamped(job),
    recovery_point_id: Number(job.point ?? 990),
    ...([131, 133].includes(job.no) && { chain_id: 7 }),
  });
  const stage = stageOf(row);
  stage.panel.work("42", "restore");
  await stage.time.advance(120_000);
  stage.time.after(20_000, () => stage.panel.work("42", "start"));
  const { errors, warnings } = await stage.up();
  assert.deepEqual([errors, warnings, stage.statuses(), stage.idsOf(0)], [new Map(), [], ["complete"], ["132"]]);
});

it("a complete file restore causes a warning if the whole machine was restored at the same time", async () => {
  const stage = stageOf(stamped, files);
  stage.time.after(20_000, () => stage.panel.work("42", "restore"));
  const { errors, warnings } = await stage.up();
  assert.deepEqual([errors, stage.statuses(), stage.idsOf(0)], [new Map(), ["complete"], ["131"]]);
  assert.match(warnings.join("\n"), /^another job may have restored the machine meanwhile.*132.*restores a machine$/);
});

describe("a restored folder whose files the panel lists one by one", () => {
  const inside: Trap["row"] = (job) => ({
    ...stamped(job),
    ...(job.what === "files" && { paths: ["/var/www/a", "/var/www/b"] }),
  });

  it("is complete in the run that restored it", async () => {
    const stage = stageOf(inside, { ...files, paths: ["/var/www"] });
    await stage.completes(1);
  });

  it("makes a later run ask the user, because somebody may have restored only some of its files", async () => {
    const stage = stageOf(inside, { ...files, paths: ["/var/www"] });
    await stage.killed(3_000);
    await stage.time.advance(120_000);
    await stage.asks(/so nothing was sent.*lists other paths/s);
  });
});
