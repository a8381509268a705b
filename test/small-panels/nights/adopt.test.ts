import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import { Process } from "../../support/process";
import { type Declared } from "../../support/program";
import { planOf, restore } from "../../drills/engine/support/plan-lab";
import { files, web } from "../stage";
import { bare, chained, named, onTrap, trap, type Trap } from "../trap";
import { PlanOnStage } from "./plan-on-stage";

/** Adopts a transaction with this action and, if given, these paths or other fields. */
async function adopting(declared: Declared, action: string, more: object = {}, settings: Record<string, string> = {}) {
  const row: Trap["row"] = (job) => ({ ...named(job), ...(job.no === 131 && { action, ...more }) });
  const stage = onTrap({ row }, { declared: [declared], restoreSeconds: 20, settings });
  stage.panel.work("42", "restore");
  await stage.time.advance(60_000);
  stage.change(0, { adopt: "131" });
  const { errors, warnings } = await stage.up();
  assert.equal(stage.posted.length, 0);
  return { error: errors.get(0), warnings: warnings.join("\n"), status: stage.statuses()[0] };
}

/** A restore that has adopted transaction 131, which its program still names. */
async function adopted() {
  const stage = onTrap({ row: named }, { restoreSeconds: 20 });
  stage.panel.work("42", "restore");
  await stage.time.advance(60_000);
  stage.change(0, { adopt: "131" });
  await stage.completes(0);
  return stage;
}

describe("adopt", () => {
  it("stores the recovery point that the transaction names, even if the transaction ends only during a later run", async () => {
    const row: Trap["row"] = (job) => ({ ...named(job), recovery_point_id: 1009 });
    const stage = onTrap({ row }, { declared: [{ ...web, adopt: "131", timeouts: { run: 5 } }], restoreSeconds: 60 });
    stage.panel.work("42", "restore");
    await stage.asks(/131 is running, and it did not end/);
    await stage.time.advance(60_000);
    await stage.completes(0);
    assert.equal(stage.outputsOf(0)["adoptedPoint"], "1009");
  });

  const rejected: readonly (readonly [action: string, why: string, more?: object])[] = [
    ...["take_backup", "Creating backup", "startup_virtual_machine", "create_snapshot", "stop_virtual_machine"].map(
      (action) => [action, `its action is not a restore: "${action}"`] as const,
    ),
    ["restore", "it lists paths", { paths: ["/etc/hosts"] }],
  ];
  for (const [action, why, more] of rejected)
    it(`rejects a transaction for a whole machine if ${why}`, async () => {
      const { error = "", status } = await adopting(web, action, more, { "recovery:restoreActions": '["undo"]' });
      assert.ok(error.includes(`131, named in adopt, was not adopted: ${why}`), error);
      assert.doesNotMatch(error, /change triggers/);
      assert.deepEqual([error.includes(`Actions "undo,${action}"`), status], [more === undefined, undefined]);
    });

  const secret = { "recovery:password": "90909" };
  const listed = { "recovery:restoreActions": '["take_backup"]' };
  const accepted: Record<string, readonly [warning: RegExp, ...Parameters<typeof adopting>]> = {
    "with any action that restoreActions lists": [/^/, web, "take_backup", {}, listed],
    "that restores files, even though the whole machine is to be restored": [/^/, web, "restore_file_entries"],
    "that restores a machine, even though files are to be restored": [/^/, files, "restore_virtual_machine"],
    "that restores a machine from a backup file": [/^/, web, "restore_from_backup_file"],
    "whose paths differ, with a warning": [/lists other paths/, files, "restore_file_entries", { paths: ["/srv"] }],
    "from another point, masked if secret": [
      / \[secret\] instead of 1007$/,
      web,
      "restore",
      { recovery_point_id: 90909 },
      secret,
    ],
  };
  const unsure = /It is not identified as a restore/;
  for (const action of ["rollback_snapshot", "recover_vm", "vm_import", "backup_apply"])
    accepted[`whose action may mean a restore, with a warning: ${action}`] = [unsure, web, action];
  for (const [what, [warning, ...given]] of Object.entries(accepted))
    it(`accepts a transaction ${what}`, async () => {
      const { error, warnings, status } = await adopting(...given);
      assert.deepEqual([error, status], [undefined, "complete"]);
      assert.match(warnings, warning);
    });

  const ends: Readonly<Record<string, Trap>> = {
    "it ends with a status of success beside an error": {
      row: (job) => ({
        ...named(job),
        error: job.status === "failed" ? "disk full" : null,
        ...(job.status === "failed" && { status: "done" }),
      }),
      parts: () => [{ end: "failed", seconds: 300 }],
    },
    "it is complete, but its last part fails": {
      row: chained,
      parts: () => [{ seconds: 30 }, { action: "start_virtual_machine", end: "failed", seconds: 300 }],
    },
  };
  for (const [what, how] of Object.entries(ends))
    it(`of a running transaction does not make a restore complete if ${what}, but adopting it again does`, async () => {
      const stage = onTrap(how);
      await stage.killed(5_000);
      stage.change(0, { adopt: "131" });
      const isAsked = /set adopt: "131"/;
      for (let time = 0; time < 2; time++) await stage.asks(/remove adopt, run `pulumi up`, and set adopt: "131"/);
      stage.declared = [web];
      await stage.asks(isAsked);
      stage.change(0, { adopt: "131" });
      await stage.completes(1);

      const stack = new PlanOnStage(trap(how));
      const planned = (more: object = {}) => planOf({ data: { db: restore("42", "1007", more) } });
      await stack.up(planned(), { kill: { at: "after a POST", after: 0 } });
      const said = async (more?: object) => (await stack.up(planned(more)))?.join("\n") ?? "";
      for (let time = 0; time < 2; time++)
        assert.match(await said({ adopt: "131" }), /remove adopt, run `pulumi up`, and set adopt: "131"/);
      assert.match(await said(), isAsked);
      assert.equal(await said({ adopt: "131" }), "");
      assert.deepEqual([stack.verdict?.verdict, stack.stage.posted.length], ["passed with warnings", 1]);
    });

  it("is refused when it names a transaction of the previous request, and the machine is restored once `adopt` is removed", async () => {
    const stage = await adopted();
    stage.newTriggers(0);
    for (let time = 0; time < 2; time++)
      assert.match(await stage.said(), /adopt names transaction 131, .* remove adopt/);
    stage.declared = [web];
    stage.newTriggers(0);
    await stage.completes(1);
  });

  it("has no effect on a complete restore until triggers change, as the warning says", async () => {
    const stage = onTrap({ row: named }, { restoreSeconds: 20 });
    await stage.up();
    await stage.workLater(60_000);
    stage.change(0, { timeouts: { run: 60 } });
    assert.deepEqual((await stage.completes(1)).warnings, []);
    stage.change(0, { adopt: "132" });
    assert.match((await stage.completes(1)).warnings.join(), /adopt: "132" has no effect, .*change triggers as well/);
    stage.newTriggers(0);
    await stage.completes(1);
    assert.deepEqual(stage.idsOf(0), ["132"]);
  });

  for (const [what, row] of Object.entries({ "name the machine": named, "have only an id and a status": bare }))
    it(`warns if this program has restored the machine since the named transaction, when rows ${what}`, async () => {
      const stage = onTrap({ row }, { restoreSeconds: 20 });
      await stage.completes(1);
      stage.change(0, { point: "1008" });
      await stage.completes(2);
      stage.change(0, { point: web.point, adopt: "131" });
      const { warnings } = await stage.completes(2);
      assert.match(warnings.join(), /another job may have restored the machine meanwhile.* 132 /);
    });

  it("is not refused in a preview that cannot know whether the triggers have changed", async () => {
    const stage = await adopted();
    const { inputs, outputs } = stage.engine.state.find(({ urn }) => urn.includes(":VmRestore::")) ?? assert.fail();
    const transportOf = () => () => assert.fail("a preview sends no request");
    const { operations } = new Process("preview", { time: stage.time, transportOf });
    const compare = (news: object) => operations.VmRestore?.diff("131", outputs, { ...inputs, ...news });
    const changed = { recoveryPointId: runtime.unknownValue, triggers: ["2"] };
    // A refresh compares without checking first, and announces nothing.
    assert.deepEqual(await compare(changed), { replaces: ["recoveryPointId", "triggers"] });
    await operations.VmRestore?.check(outputs, inputs);
    assert.deepEqual(await compare({ triggers: runtime.unknownValue }), { replaces: ["triggers"] });
    await assert.rejects(async () => compare(changed), /adopt names transaction 131, .* remove adopt/);
  });
});
