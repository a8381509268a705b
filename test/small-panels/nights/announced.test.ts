import assert from "node:assert/strict";
import { planOf, restore } from "../../drills/engine/support/plan-lab";
import { bare, stamped, trap, type Trap } from "../trap";
import { PlanOnStage } from "./plan-on-stage";

describe("a restore that a killed `up` may have sent, removed and then put back,", () => {
  for (const [rows, row] of Object.entries<Trap["row"]>({ "id and status": bare, stamps: stamped }))
    it(`is announced as if it had never been removed: rows with ${rows}`, async () => {
      const stack = new PlanOnStage(trap({ row }), 60);
      const db = restore("42", "1007");
      const web = restore("43", "1008");
      const both = planOf({ data: { db }, front: { web } });
      await stack.up(both, { kill: { at: "after a POST", after: 1 } });
      assert.match((await stack.up(planOf({ data: { db }, front: {} })))?.join() ?? "", /Leave web in/);
      await stack.up(both);
      assert.doesNotMatch(stack.warnings.join("\n"), /web: incidentAt changed|will be restored again: web/);
      assert.match(
        stack.warnings.join("\n"),
        /will be restored, unless an earlier run has sent them: web|first looks for what was sent before/,
      );
    });
});

describe("a restore whose point was corrected after its `up` was killed", () => {
  for (const [rows, row] of Object.entries<Trap["row"]>({ "id and status": bare, stamps: stamped }))
    it(`is announced together with the search for what was already sent: rows with ${rows}`, async () => {
      const stack = new PlanOnStage(trap({ row }), 1_200);
      const at = (point: string) => planOf({ data: { db: restore("42", point) } });
      await stack.up(at("1007"), { kill: { at: "after a POST", after: 0 } });
      assert.deepEqual(await stack.up(at("1009")), []);
      const [first = 0, second = 0] = stack.stage.postedAt;
      assert.ok(second - first > 1_200_000 + 120_000);
      assert.match(stack.warnings.join("\n"), /db: point changed: .* 1009; first looks for what was sent before/);
    });
});
