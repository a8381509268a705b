import assert from "node:assert/strict";
import { reportMetrics } from "../../../cli/report/metrics";
import { report, toJunit, toMarkdown } from "../../../report";
import { goodFate } from "../../support/panel-at-work";
import { PlanLab, planOf, restore } from "./support/plan-lab";

const hours = 3_600_000;

describe("the recovery time of a restore", () => {
  let lab: PlanLab;
  beforeEach(() => {
    lab = new PlanLab({ tells: "point and paths" });
  });

  const web = (more: object = {}) => restore("42", "1007", more);
  const plan = (restores: object) => planOf({ data: { ...restores } }, { goals: { recoveryTime: "1h" } });
  const kill = { kill: { at: "after a POST", after: 0 } } as const;
  const failNext = (machine: string): void => {
    lab.panel.onMade = (work) => {
      if (work.machine !== machine) return;
      work.outcome = "failed";
      lab.panel.onMade = () => undefined;
    };
  };
  const up = async (restores: object, how = {}, wait = 0): Promise<void> => {
    await lab.up(plan(restores), how);
    await lab.time.advance(wait * hours);
  };
  const isNotMeasured = (name: string): void => {
    const made = report(lab.deployment);
    const goal = lab.verdict?.goals.find((one) => one.restore === name);
    const step = made.waves[0]?.restores.find((one) => one.name === name);
    assert.deepEqual([goal?.result, step?.state, step?.recoveredSeconds], ["not measured", "complete", undefined]);
    assert.equal(lab.verdict?.recoveryTimeSeconds, undefined, "nor has the whole plan a time");
  };

  it("is as unknown to every form of the report as to the verdict", async () => {
    failNext("42");
    await up({ web: web() }, kill, 3);
    await up({ web: web({ triggers: [1] }) });
    isNotMeasured("web");
    const made = report(lab.deployment);
    assert.equal(made.measured.slowest, undefined);
    assert.doesNotMatch(toMarkdown(made), /Slowest restore \| 20s|20s \/ goal/);
    assert.match(toJunit(made), /goal web: recovery time within 1h[^]*?not measured/);
    const seconds = reportMetrics([made]).find(({ name }) => name === "run_restore_recovery_seconds");
    assert.deepEqual(seconds?.samples.map(({ value }) => value), [undefined]); // prettier-ignore
  });

  it("is unknown where it was changed twice after an `up` that left no record", async () => {
    failNext("42");
    await up({ web: web() }, kill, 3);
    failNext("42");
    await up({ web: web({ triggers: [1] }) });
    await up({ web: web({ triggers: [2] }) });
    isNotMeasured("web");
  });

  const refused = { ...goodFate, answer: "refused", carriedOut: false } as const;

  it("is unknown where the last that is recorded before a change is that it may have been sent", async () => {
    lab = new PlanLab({ tells: "nothing", tie: "nothing" });
    lab.panel.fates = [refused];
    await up({ web: web() });
    lab.panel.fates = [];
    await up({ web: web() }, { kill: { at: "in the wait", after: 3 } }, 3);
    await up({ web: web() });
    await up({ web: web({ triggers: [1] }) });
    isNotMeasured("web");
  });

  it("stays missed where the check that missed it is changed, or taken out", async () => {
    let attempts = 0;
    lab.answer = () => (++attempts < 100 ? { problem: "ECONNREFUSED" } : {});
    const asking = (...tcp: string[]) =>
      planOf(
        { data: { db: restore("43", "1008", { checks: tcp.map((one) => ({ tcp: one, within: "1h" })) }) } },
        { goals: { recoveryTime: "2m" } },
      );
    for (const asked of [["10.0.0.43:5432"], ["db.example:5432"], []]) {
      await lab.up(asking(...asked));
      assert.equal(lab.verdict?.goals[0]?.result, "missed", asked.join());
    }
  });

  it("counts from the first attempt of a restore that failed and was restored again, as it was or changed", async () => {
    for (const more of [{}, { triggers: [1] }]) {
      lab = new PlanLab({ tells: "point and paths" });
      failNext("43");
      const two = { db: restore("43", "1008"), web: web() };
      await up(two);
      await up({ ...two, db: restore("43", "1008", more) });
      const [db] = lab.verdict?.goals ?? [];
      assert.ok(db?.measuredSeconds !== undefined && db.measuredSeconds > 60, JSON.stringify(db));
      assert.equal(lab.verdict?.verdict, "passed with warnings", lab.reasons);
      assert.ok((lab.verdict.recoveryTimeSeconds ?? 0) >= db.measuredSeconds);
    }
  });
});
