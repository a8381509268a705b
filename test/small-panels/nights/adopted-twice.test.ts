import assert from "node:assert/strict";
import { planOf, restore } from "../../drills/engine/support/plan-lab";
import { web } from "../stage";
import { bare, onTrap, trap } from "../trap";
import { PlanOnStage } from "./plan-on-stage";

// Both questions say `set adopt: "131" or "132"`, and the operator takes the first for both restores.
describe("a transaction that two restores adopt in the same `up`", () => {
  it("is assigned to only one of them if they are in the same program and restore different machines", async () => {
    const stage = onTrap({ row: bare }, { declared: [web, { ...web, machine: "43" }], restoreSeconds: 60 });
    stage.failing.add("43");
    await stage.killed(500, 2);
    stage.failing.clear();
    await stage.time.advance(120_000);
    const questions = [...(await stage.up()).errors.values()];
    assert.equal(questions.filter((text) => text.includes('set adopt: "131" or "132"')).length, 2);
    for (const each of [0, 1]) stage.change(each, { adopt: "131" });
    const after = await stage.up();
    // The restore of machine 43 is transaction 132, which failed.
    assert.deepEqual([stage.statuses().filter((status) => status === "complete").length, after.errors.size], [1, 1]);
  });

  it("is assigned to only one of them if they are in the same wave and restore different machines", async () => {
    const plan = (more: object = {}) =>
      planOf({ data: { db: restore("42", "1007", more), web: restore("43", "1008", more) } });
    const stack = new PlanOnStage(trap({ row: bare }), 60);
    stack.stage.failing.add("43");
    await stack.up(plan(), { kill: { at: "after a POST", after: 1 } });
    stack.stage.failing.clear();
    await stack.time.advance(120_000);
    await stack.up(plan());
    await stack.up(plan({ adopt: "131" }));
    assert.notEqual(stack.verdict?.verdict, "passed with warnings");
  });
});

it("a restore that failed in the first of two waves keeps its run from passing even if adopt names a transaction for the other wave's machine", async () => {
  const front = { web: restore("43", "1008") };
  const plan = (more: object = {}) =>
    planOf({ data: { db: restore("42", "1007", more) }, front }, { onFailure: "continue" });
  const stack = new PlanOnStage(trap({ row: bare }), 60);
  await stack.upFailing(plan());
  await stack.up(plan());
  // The question suggests `To keep what transaction 132 restored, set adopt: "132"`, but machine 42 was never restored.
  await stack.up(plan({ adopt: "132" }));
  assert.ok(!["passed", "passed with warnings"].includes(stack.verdict?.verdict ?? ""), stack.verdict?.verdict);
});
