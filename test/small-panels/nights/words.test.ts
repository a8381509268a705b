import assert from "node:assert/strict";
import { calm, type Declared } from "../../support/program";
import { OnStage } from "../stage";
import { named, trap, type Trap } from "../trap";

const web: Declared = { ...calm, point: "1007" };

const stageOf = (how: Trap, declared: Declared = web, settings: Readonly<Record<string, string>> = {}): OnStage =>
  new OnStage(trap(how), "json", { declared: [declared], restoreSeconds: 20, settings });

/** The error of the next `pulumi up`, if it has one. */
const said = async (stage: OnStage): Promise<string> => (await stage.up()).errors.get(0) ?? "no error";

/** What follows the first `pulumi up`: the status, and how many restores were posted by then. */
const soFar = (stage: OnStage): readonly unknown[] => [stage.statuses()[0], stage.posted.length];

describe("a restore whose action names a file and a backup", () => {
  const action: Trap["action"] = (what) => (what === "restore" ? "restore_from_backup_file" : what);

  it("is known as the machine's restore in the run that posted it", async () => {
    const stage = stageOf({ row: named, action });
    assert.equal(await said(stage), "no error");
    assert.deepEqual(soFar(stage), ["complete", 1]);
  });

  it("is taken when adopt names it", async () => {
    const stage = stageOf({ row: named, action }, { ...web, adopt: "131" });
    stage.panel.work("42", "restore");
    assert.equal(await said(stage), "no error");
    assert.deepEqual(soFar(stage), ["complete", 0]);
  });

  it("is known as the machine's restore by a word of restoreActions, which says no kind", async () => {
    const how: Trap = { row: named, action: (what) => (what === "restore" ? "revert_to_file" : what) };
    const stage = stageOf(how, web, { "recovery:restoreActions": '["revert_to_file"]' });
    assert.equal(await said(stage), "no error");
    assert.deepEqual(soFar(stage), ["complete", 1]);
  });
});
