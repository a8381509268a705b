import assert from "node:assert/strict";
import { call } from "../../cli/support/call";
import type { Report } from "../../../report";
import { OnStage, web } from "../stage";
import { bare, named, onTrap, refusing, stamped, type Trap } from "../trap";
import { iso } from "../spelling";

/** What a command prints with --json. */
async function printed<Result>(command: string, deployment: object): Promise<Result> {
  const args = command === "report" ? ["report", "-"] : [command, "--state", "-"];
  const { out, err } = await call([...args, "--json"], {}, JSON.stringify({ version: 3, deployment }));
  assert.notEqual(out, "", err);
  return JSON.parse(out) as Result;
}

/** The state that a run leaves when its engine is killed while creating a restore. */
function leftBy(stage: OnStage): object {
  const typeOf = (urn: string): string | undefined => urn.split("::")[2];
  const resources = stage.engine.state.map(({ urn, id, inputs, outputs, delete: isOld }) => {
    return { urn, type: typeOf(urn), id, inputs, outputs, delete: isOld };
  });
  const { urn = "" } = stage.stored(0) ?? {};
  const begun = { urn, type: typeOf(urn), inputs: { __intent: { id: stage.stored(0, "intent")?.id } } };
  return { resources, pending_operations: [{ type: "creating", resource: begun }] };
}

describe("the report on a killed run", () => {
  for (const [rows, row] of Object.entries({ "the machine": named, stamps: stamped }))
    it(`shows neither a time nor a transaction from the previous run: rows with ${rows}`, async () => {
      const stage = onTrap({ row }, { restoreSeconds: 60 });
      await stage.up();
      await stage.time.advance(3_600_000);
      stage.newTriggers(0);
      await stage.killed(5_000);
      const state = leftBy(stage);
      const { run, verdict, waves } = await printed<Report>("report", state);
      assert.deepEqual([run.name, run.startedAt, verdict.result], ["generation 1", undefined, "incomplete"]);
      assert.deepEqual(waves[0]?.restores, [
        {
          name: "r0",
          kind: "VmRestore",
          virtualMachineId: "42",
          recoveryPointId: "1007",
          state: "sent",
          reason: "may have been sent: an `up` is under way, or has left no record of it",
          adopted: false,
          transactionIds: [],
          checks: [],
          warnings: [],
        },
      ]);
      const { restores } = await printed<{ restores: readonly Record<string, unknown>[] }>("status", state);
      assert.deepEqual([restores[0]?.["state"], restores[0]?.["transactions"]], ["sent", []]);
    });
});

describe("a restore whose point was corrected after its run was killed", () => {
  const minute = 60_000;

  for (const [rows, row] of Object.entries({ "id and status": bare, "the machine": named }))
    for (const waited of [5_000, 10 * minute])
      it(`is not sent while the killed run's restore is running, ${String(waited / 1_000)} s after the kill: rows with ${rows}`, async () => {
        const stage = onTrap({ row }, { restoreSeconds: 1_200 });
        await stage.killed(3_000);
        await stage.time.advance(waited);
        stage.change(0, { point: "1009" });
        assert.deepEqual((await stage.up()).errors, new Map());
        const [first = 0, second = 0] = stage.postedAt;
        assert.deepEqual([stage.postedAt.length, stage.statuses()], [2, ["complete"]]);
        assert.ok(second - first > 20 * minute, `${String(second - first)} ms`);
      });

  for (const [rows, row] of Object.entries({ "id and status": bare, "the machine": named, stamps: stamped })) {
    it(`raises a question, and is not sent, if the killed attempt followed a failed attempt: rows with ${rows}`, async () => {
      const stage = onTrap({ row }, { restoreSeconds: 1_200 });
      await stage.upFailing();
      await stage.killed(3_000);
      stage.change(0, { point: "1009" });
      assert.match(await stage.said(), /failed before \(transaction 131\), and this job.*132/);
      assert.equal(stage.posted.length, 2);
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
    assert.ok((stage.postedAt[2] ?? Infinity) - (stage.postedAt[1] ?? 0) < 20 * minute);
  });

  it("raises a question if the killed run's restore is listed late", async () => {
    const stage = onTrap({ row: named, lateMs: 20_000 }, { restoreSeconds: 1_200 });
    await stage.killed(3_000);
    stage.change(0, { point: "1009" });
    assert.match(await stage.said(), /may have been posted by an earlier attempt.*adopt: "131".*change triggers/s);
    assert.equal(stage.posted.length, 1);
    stage.change(0, { generation: 1 });
    await stage.completes(2);
  });

  it("is sent at once with new triggers, or when the previous restore has a record", async () => {
    const stage = onTrap({ row: named }, { restoreSeconds: 20 });
    await stage.killed(3_000);
    await stage.time.advance(minute);
    stage.change(0, { point: "1009", generation: 1 });
    await stage.up();
    const [, second = 0] = stage.postedAt;
    stage.change(0, { point: "1010" });
    assert.deepEqual((await stage.up()).warnings, []);
    assert.ok((stage.postedAt[2] ?? Infinity) - second < 2 * minute);
    assert.deepEqual([stage.posted.length, stage.statuses()], [3, ["complete"]]);
  });

  it("is searched for again if the run that searched was also killed", async () => {
    const stage = onTrap({ row: bare }, { restoreSeconds: 1_200 });
    await stage.killed(3_000);
    stage.change(0, { point: "1009" });
    await stage.up({ kill: stage.time.pause(minute) });
    assert.equal(stage.posted.length, 1);
    assert.deepEqual((await stage.up()).errors, new Map());
    const [first = 0, second = 0] = stage.postedAt;
    assert.deepEqual([stage.postedAt.length, stage.statuses()], [2, ["complete"]]);
    assert.ok(second - first > 20 * minute, `${String(second - first)} ms`);
  });

  it("raises a question that gives the reason if the run with the corrected point is killed as well", async () => {
    const stage = onTrap({ row: stamped }, { restoreSeconds: 60 });
    await stage.killed(3_000);
    await stage.time.advance(2 * minute);
    stage.change(0, { point: "1009" });
    await stage.up({ kill: stage.time.pause(3 * minute) });
    assert.equal(stage.posted.length, 2);
    const asked =
      /the panel lists this job, which an earlier request without a record may have made\. If transaction 132/;
    assert.match(await stage.said(), asked);
  });

  it("raises a question, and is not posted twice, if the point is changed back after a run that was stopped while searching", async () => {
    const stage = onTrap({ row: named }, { restoreSeconds: 60 });
    await stage.killed(3_000);
    await stage.time.advance(2 * minute);
    stage.change(0, { point: "1009" });
    await stage.up({ kill: stage.time.pause(minute) });
    stage.change(0, { point: "1007" });
    assert.match(await stage.said(), /may have been posted by an earlier attempt.*adopt: "131"/s);
    assert.equal(stage.posted.length, 1);
  });

  it("is also searched for if the previous restore was sent and never listed", async () => {
    const stage = onTrap({ row: named, lateMs: 60 * minute }, { restoreSeconds: 60 });
    assert.match(await stage.said(), /was sent, and the panel has not listed it/);
    const from = stage.time.now();
    stage.change(0, { point: "1009" });
    await stage.up();
    assert.ok((stage.postedAt[1] ?? 0) - from > 2 * minute);
  });
});

it("a late row stays with the killed run's restore, although another restore claims the row until the log names its machine", async () => {
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

it("a restore that the panel refused with its first and its second point is not reported as running once the next `up` completes it", async () => {
  const { make, accept } = refusing({ row: named }, { status: 422 });
  const stage = new OnStage(make, "json", { declared: [web] });
  await stage.up();
  stage.change(0, { point: "1008" });
  await stage.up();
  accept();
  stage.change(0, { point: "1009" });
  const { warnings } = await stage.completes(1);
  assert.doesNotMatch(warnings.join(), /nothing here waits for it/);
  stage.declared = [];
  assert.deepEqual((await stage.up()).warnings, []);
});
