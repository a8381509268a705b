import assert from "node:assert/strict";
import { OnStage, web } from "../stage";
import { bare, named, onTrap, refusing, stamped, trap, type Trap, wrapped } from "../trap";
import { iso } from "../spelling";

it("a restore whose run was killed is adopted within a minute, however many rows are newer", async () => {
  const stage = onTrap({ row: stamped }, { restoreSeconds: 20 });
  await stage.killed(3_000);
  for (let nth = 0; nth < 400; nth++) stage.panel.work(String(7_300 + nth), "start");
  await stage.time.advance(600_000);
  const began = stage.time.now();
  await stage.completes(1);
  assert.ok(stage.time.now() - began < 60_000, `${String(stage.time.now() - began)} ms`);
});

it("a killed run's restore is adopted with a warning if the machine was restored again later, even if rows name no point", async () => {
  const stage = onTrap({ row: stamped }, { restoreSeconds: 20 });
  await stage.killed(3_000);
  await stage.workLater(300_000);
  const { warnings } = await stage.completes(1);
  assert.match(warnings.join(), /another job may have restored the machine meanwhile.*: transaction 132 /);
});

describe("a restore whose point was corrected after its run was killed", () => {
  const minute = 60_000;
  /** Checks that the next run sends the restore only after the first restore, which takes twenty minutes, has ended. */
  const waitsForFirst = async (stage: OnStage): Promise<void> => {
    await stage.completes(2);
    assert.ok(stage.gaps[0]! > 1_200, `${String(stage.gaps[0])} s`);
  };

  for (const [rows, row] of Object.entries({ "id and status": bare, "a machine": named }))
    for (const [waited, newer] of [
      [5_000, 0],
      [10 * minute, 15],
    ] as const)
      it(`is not sent ${String(waited / 1_000)} s after the kill if the killed run's restore is still running behind ${String(newer)} newer jobs (rows with ${rows})`, async () => {
        const stage = onTrap({ row, cap: 10, parts: () => [{ seconds: 1_200 }] }, { restoreSeconds: 20 });
        await stage.killed(3_000);
        for (let nth = 0; nth < newer; nth++) stage.panel.work(String(7_300 + nth), "start");
        await stage.time.advance(waited);
        stage.change(0, { point: "1009" });
        await waitsForFirst(stage);
      });

  for (const [rows, row] of Object.entries({ "id and status": bare, "a machine": named, timestamps: stamped })) {
    it(`makes \`up\` ask the user instead of sending it when the killed attempt followed a failed attempt (rows with ${rows})`, async () => {
      const stage = onTrap({ row }, { restoreSeconds: 1_200 });
      await stage.upFailing();
      await stage.killed(3_000);
      stage.change(0, { point: "1009" });
      await stage.asks(/failed before \(transaction 131\), and this job.*132/);
      stage.change(0, { generation: 1 });
      await stage.completes(3);
    });
  }

  it("does not wait for another restore in the program when rows name no machine", async () => {
    const parts: Trap["parts"] = (end, machine) => [{ end, seconds: machine === "43" ? 7_200 : 300 }];
    const other = { ...web, machine: "43", wait: false };
    const stage = onTrap({ row: bare, parts }, { declared: [other], restoreSeconds: 1_200 });
    await stage.up();
    stage.declared = [other, web];
    await stage.killed(3_000);
    await stage.time.advance(10 * minute);
    stage.change(1, { point: "1009" });
    assert.deepEqual((await stage.up()).errors, new Map());
    assert.deepEqual([stage.posted.length, stage.statuses()], [3, ["pending", "complete"]]);
    assert.ok(stage.gaps[1]! < 1_200, `${String(stage.gaps[1])} s`);
  });

  it("makes `up` ask the user when the killed run's restore is listed late", async () => {
    const stage = onTrap({ row: named, lateMs: 20_000 }, { restoreSeconds: 1_200 });
    await stage.killed(3_000);
    stage.change(0, { point: "1009" });
    await stage.asks(/may have been posted by an earlier attempt.*adopt: "131".*change triggers/s);
    stage.change(0, { generation: 1 });
    await stage.completes(2);
  });

  it("is sent at once with new triggers, or if the previous restore was recorded", async () => {
    const stage = onTrap({ row: named }, { restoreSeconds: 20 });
    await stage.killed(3_000);
    await stage.time.advance(minute);
    stage.change(0, { point: "1009", generation: 1 });
    await stage.up();
    stage.change(0, { point: "1010" });
    assert.deepEqual((await stage.up()).warnings, []);
    assert.ok(stage.gaps[1]! < 120, `${String(stage.gaps[1])} s`);
    assert.deepEqual([stage.posted.length, stage.statuses()], [3, ["complete"]]);
  });

  it("is searched for again if the run that was searching for it was also killed", async () => {
    const stage = onTrap({ row: bare }, { restoreSeconds: 1_200 });
    await stage.killed(3_000);
    stage.change(0, { point: "1009" });
    await stage.up({ kill: stage.time.pause(minute) });
    assert.equal(stage.posted.length, 1);
    await waitsForFirst(stage);
  });

  it("makes `up` ask about the unrecorded request when the run with the corrected point is also killed", async () => {
    const stage = onTrap({ row: stamped }, { restoreSeconds: 60 });
    await stage.killed(3_000);
    await stage.time.advance(2 * minute);
    stage.change(0, { point: "1009" });
    await stage.up({ kill: stage.time.pause(3 * minute) });
    assert.equal(stage.posted.length, 2);
    const asked = /the panel lists this job, perhaps from an unrecorded request\. If transaction 132/;
    assert.match(await stage.said(), asked);
  });

  it("makes `up` ask the user instead of posting again when the point is changed back after a run was killed while searching", async () => {
    const stage = onTrap({ row: named }, { restoreSeconds: 60 });
    await stage.killed(3_000);
    await stage.time.advance(2 * minute);
    stage.change(0, { point: "1009" });
    await stage.up({ kill: stage.time.pause(minute) });
    stage.change(0, { point: "1007" });
    await stage.asks(/may have been posted by an earlier attempt.*adopt: "131"/s);
  });

  it("is sent only after a search if the previous restore was sent but never listed", async () => {
    const stage = onTrap({ row: named, lateMs: 60 * minute }, { restoreSeconds: 60 });
    assert.match(await stage.said(), /was sent, but the panel has not listed it/);
    const from = stage.time.now();
    stage.change(0, { point: "1009" });
    await stage.up();
    assert.ok((stage.postedAt[1] ?? 0) - from > 2 * minute);
  });
});

describe("a change that is reverted after its run was killed", () => {
  const changes: Readonly<Record<string, (stage: OnStage) => void>> = {
    point: (stage) => stage.change(0, { point: "1008" }),
    triggers: (stage) => stage.newTriggers(0),
  };
  for (const [what, change] of Object.entries(changes))
    for (const [rows, row] of Object.entries({ "id and status": bare, timestamps: stamped })) {
      const takenBack = async (isFailed = false, make = trap({ row })): Promise<OnStage> => {
        const stage = new OnStage(make, "json", { declared: [web], restoreSeconds: 300 });
        await (isFailed ? stage.upFailing() : stage.completes(1));
        change(stage);
        await stage.killed(2_000);
        stage.change(0, web);
        return stage;
      };

      it(`makes every \`up\` ask about what the killed run sent, until the user decides (${what}, rows with ${rows})`, async () => {
        const isAsked =
          /is complete \(transaction 131\), but its inputs were changed and changed back, .* set adopt: "131"; if one is, .*132/s;
        const kept = await takenBack();
        for (let time = 0; time < 2; time++) await kept.asks(isAsked);
        kept.change(0, { adopt: "131" });
        await kept.completes(2);
        const { requests } = kept;
        await kept.completes(2);
        assert.deepEqual([kept.idsOf(0), kept.requests], [["131"], requests]);

        const other = await takenBack();
        await other.asks(isAsked);
        other.change(0, { adopt: "132" });
        await other.completes(2);
        assert.deepEqual(other.idsOf(0), ["132"]);

        const again = await takenBack();
        await again.asks(isAsked);
        again.newTriggers(0);
        again.newTriggers(0);
        await again.completes(3);
      });

      it(`makes \`up\` ask if the restore had failed before (${what}, rows with ${rows})`, async () =>
        (await takenBack(true)).asks(/failed before \(transaction 131\), and this job may have .* adopt: "132"/s));

      it(`sends nothing if the panel had rejected the change (${what}, rows with ${rows})`, async () => {
        let posts = 0;
        const make = wrapped({ row }, ({ method }, usual) =>
          method === "POST" && ++posts > 1 ? { status: 422 } : usual(),
        );
        await (await takenBack(false, make)).completes(1);
      });
    }
});

it("a killed run's intent causes a warning when its machine is then corrected", async () => {
  const stage = onTrap({ row: stamped }, { restoreSeconds: 60 });
  await stage.killed(2_000);
  stage.change(0, { machine: "43" });
  const { warnings } = await stage.completes(2);
  assert.match(warnings.join("\n"), /requested a restore of machine 42 .* and left no record: .* may have been sent/);
});

it("a row that is listed late is assigned to the killed run's restore once the log names the machine, even if another restore had claimed the row", async () => {
  const events: Trap["events"] = (own) =>
    own.filter(({ at, now }) => now - at > 30_000).map(({ no }) => ({ transaction_id: no }));
  const row: Trap["row"] = ({ action, at, status }) => ({ action, status, created_at: iso(at) });
  const db = { ...web, machine: "43" };
  const stage = onTrap({ row, lateMs: 10_000, events }, { declared: [db], restoreSeconds: 40 });
  for (const { machine } of [web, db]) stage.panel.work(machine, "backup");
  await stage.time.advance(120_000);
  await stage.killed(500);
  stage.declared = [db, web];
  assert.deepEqual((await stage.up()).errors, new Map());
  assert.deepEqual([stage.idsOf(0), stage.idsOf(1), stage.posted.length], [["133"], ["134"], 2]);
});

it("a restore that the panel rejected twice, with two different points, is not reported as running once the next `up` completes it", async () => {
  const { make, accept } = refusing({ row: named }, { status: 422 });
  const stage = new OnStage(make, "json", { declared: [web] });
  await stage.up();
  stage.change(0, { point: "1008" });
  await stage.up();
  accept();
  stage.change(0, { point: "1009" });
  const { warnings } = await stage.completes(1);
  assert.doesNotMatch(warnings.join(), /no longer wait for it/);
  stage.declared = [];
  assert.deepEqual((await stage.up()).warnings, []);
});

it("a killed run's restore that is still running at the time limit causes an error that shows which `adopt` line adopts it", async () => {
  const stage = onTrap({ row: named }, { restoreSeconds: 7_200 });
  await stage.killed(20_000);
  const text = await stage.said();
  assert.match(text, /may have been sent before, and was not sent now: transaction 131 .*busy/);
  stage.change(0, { adopt: /set (adopt: "131")/.test(text) ? "131" : "" });
  await stage.completes(1);
});
