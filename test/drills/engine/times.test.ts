import assert from "node:assert/strict";
import { reportMetrics } from "../../../cli/report/metrics";
import { report, toJunit, toMarkdown } from "../../../report";
import { goodFate } from "../../support/panel-at-work";
import { PlanLab, planOf, restore } from "./support/plan-lab";

describe("the recovery time of a restore", () => {
  it("is unknown in the verdict and in every form of the report when the restore was changed after a kill", async () => {
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

  it("lasts until the changed check has passed when it replaced a check that failed", async () => {
    const lab = new PlanLab({ tells: "point and paths" });
    const plan = (tcp: string) =>
      planOf({ data: { db: restore("43", "1008", { checks: [{ name: "port", tcp, within: 1 }] }) } });
    lab.answer = () => ({ problem: "ECONNREFUSED" });
    await lab.up(plan("wrong:1"));
    await lab.time.advance(3_600_000);
    lab.answer = () => ({});
    await lab.up(plan("right:1"));
    assert.ok((lab.verdict?.recoveryTimeSeconds ?? 0) > 3_600, lab.reasons);
  });
});
