import assert from "node:assert/strict";
import { reportMetrics } from "../../../cli/report/metrics";
import { report, toJunit, toMarkdown } from "../../../report";
import { goodFate } from "../../support/panel-at-work";
import { PlanLab, planOf, restore } from "./support/plan-lab";

describe("the recovery time of a restore", () => {
  it("is as unknown to every form of the report as to the verdict, where it was changed after a kill", async () => {
    const lab = new PlanLab({ tells: "point and paths" });
    const plan = (more: object) =>
      planOf({ data: { web: restore("42", "1007", more) } }, { goals: { recoveryTime: "1h" } });
    lab.panel.fates = [{ ...goodFate, outcome: "failed" }];
    await lab.up(plan({}), { kill: { at: "after a POST", after: 0 } });
    await lab.time.advance(3 * 3_600_000);
    await lab.up(plan({ triggers: [1] }));
    const made = report(lab.deployment);
    const step = made.waves[0]?.restores[0];
    assert.deepEqual([step?.state, step?.recoveredSeconds], ["complete", undefined]);
    assert.deepEqual([lab.verdict?.goals[0]?.result, lab.verdict?.recoveryTimeSeconds], ["not measured", undefined]);
    assert.equal(made.measured.slowest, undefined);
    assert.doesNotMatch(toMarkdown(made), /Slowest restore \| 20s|20s \/ goal/);
    assert.match(toJunit(made), /goal web: recovery time within 1h[^]*?not measured/);
    const seconds = reportMetrics([made]).find(({ name }) => name === "run_restore_recovery_seconds");
    assert.deepEqual(seconds?.samples.map(({ value }) => value), [undefined]); // prettier-ignore
  });

  it("stays missed where the check that missed it is changed, or taken out", async () => {
    const lab = new PlanLab({ tells: "point and paths" });
    let attempts = 0;
    lab.answer = () => (++attempts < 100 ? { problem: "ECONNREFUSED" } : {});
    for (const asked of [["10.0.0.43:5432"], ["db.example:5432"], []]) {
      const checks = asked.map((tcp) => ({ tcp, within: "1h" }));
      await lab.up(planOf({ data: { db: restore("43", "1008", { checks }) } }, { goals: { recoveryTime: "2m" } }));
      assert.equal(lab.verdict?.goals[0]?.result, "missed", asked.join());
    }
  });
});
