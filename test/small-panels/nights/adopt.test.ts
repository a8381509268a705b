import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import { Process } from "../../support/process";
import { type Declared } from "../../support/program";
import { files, web } from "../stage";
import { named, onTrap, type Trap } from "../trap";

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
  const stage = onTrap({ row: named }, { declared: [web], restoreSeconds: 20 });
  stage.panel.work("42", "restore");
  await stage.time.advance(60_000);
  stage.change(0, { adopt: "131" });
  await stage.completes(0);
  return stage;
}

describe("adopt", () => {
  for (const action of [
    "take_backup",
    "Creating backup",
    "startup_virtual_machine",
    "create_snapshot",
    "stop_virtual_machine",
  ])
    it(`rejects a transaction whose action is not a restore (${action})`, async () => {
      const { error = "", status } = await adopting(web, action);
      assert.match(error, /131, named in adopt, was not adopted: its action is ".*", which is not a restore/);
      assert.equal(status, undefined);
    });

  it("accepts a transaction with any action that restoreActions lists", async () => {
    const settings = { "recovery:restoreActions": '["take_backup"]' };
    const { error, status } = await adopting(web, "take_backup", {}, settings);
    assert.deepEqual([error, status], [undefined, "complete"]);
  });

  for (const action of ["rollback_snapshot", "recover_vm", "vm_import", "backup_apply"])
    it(`accepts, with a warning, a transaction whose action may mean a restore (${action})`, async () => {
      const { error, warnings, status } = await adopting(web, action);
      assert.deepEqual([error, status], [undefined, "complete"]);
      assert.match(warnings, /It is not identified as a restore/);
    });

  it("rejects a transaction that lists paths if the whole machine is to be restored", async () => {
    const { error = "", status } = await adopting(web, "restore", { paths: ["/etc/hosts"] });
    assert.match(error, /131, named in adopt, was not adopted: it lists paths/);
    assert.equal(status, undefined);
  });

  for (const [what, declared, action] of [
    ["files, according to its action, even though the whole machine is to be restored", web, "restore_file_entries"],
    ["a machine, according to its action, even though files are to be restored", files, "restore_virtual_machine"],
    ["a machine from a backup file", web, "restore_from_backup_file"],
  ] as const)
    it(`accepts a transaction that restores ${what}`, async () => {
      const { error, status } = await adopting(declared, action);
      assert.deepEqual([error, status], [undefined, "complete"]);
    });

  it("is refused when it names a transaction of the previous request, and the machine is restored once it is removed", async () => {
    const stage = await adopted();
    stage.newTriggers(0);
    for (let time = 0; time < 2; time++)
      assert.match(await stage.said(), /adopt names transaction 131, .* remove adopt/);
    stage.declared = [web];
    stage.newTriggers(0);
    await stage.completes(1);
  });

  it("is not refused in a preview in which it is unknown whether the triggers have changed", async () => {
    const stage = await adopted();
    const { inputs, outputs } = stage.engine.state.find(({ urn }) => urn.includes(":VmRestore::")) ?? assert.fail();
    const transportOf = () => () => assert.fail("a preview sends no request");
    const { operations } = new Process("preview", { time: stage.time, transportOf });
    const diff = await operations.VmRestore?.diff("131", outputs, { ...inputs, triggers: runtime.unknownValue });
    assert.deepEqual(diff, { replaces: ["triggers"] });
  });

  it("accepts, with a warning, a transaction whose paths differ from those of the file restore", async () => {
    const { error, warnings, status } = await adopting(files, "restore_file_entries", { paths: ["/srv"] });
    assert.deepEqual([error, status], [undefined, "complete"]);
    assert.match(warnings, /lists other paths/);
  });
});
