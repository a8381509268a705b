import assert from "node:assert/strict";
import { goodFate } from "../../support/panel-at-work";
import { planOf, PlanLab, restore } from "./support/plan-lab";

const hour = 3_600_000;
const hoursAgo = (lab: PlanLab, hours: number): string => new Date(lab.time.now() - hours * hour).toISOString();
const near = (seconds: number | undefined, expected: number): void =>
  assert.ok(Math.abs((seconds ?? NaN) - expected) < 60, `${String(seconds)} s instead of ${String(expected)} s`);
/** A lab whose panel fails restores of this kind, or all restores, until `repair` is called. */
function failing(kind?: string) {
  const lab = new PlanLab();
  let isFailing = true;
  lab.panel.onMade = (work) =>
    void (work.outcome = isFailing && (kind ?? work.kind) === work.kind ? "failed" : "complete");
  return { lab, repair: () => void (isFailing = false) };
}
const db = (more: object = {}) => ({ db: restore("1", "10", more) });
const check = { checks: [{ tcp: "db:1", within: 1 }] };

describe("a plan's measurements", () => {
  it("include the wait for a check that is first run an hour later, because files of the machine failed", async () => {
    const { lab, repair } = failing("FileRestore");
    const dump = restore("1", "11", { paths: ["/dump"] });
    const plan = planOf({ data: { ...db({ ...check, goals: { recoveryTime: "2m" } }), dump } });
    await lab.up(plan);
    repair();
    await lab.time.advance(hour);
    await lab.up(plan);
    near(lab.verdict?.goals.find((one) => one.restore === "db")?.measuredSeconds, 3_933);
    assert.equal(lab.verdict?.verdict, "failed");
  });

  it("do not include a check that was added to a complete restore and then held back", async () => {
    const { lab, repair } = failing("FileRestore");
    const plan = (more: object, triggers: number) =>
      planOf({
        data: {
          ...db({ goals: { recoveryTime: "2m" }, ...more }),
          dump: restore("1", "11", { paths: ["/d"], triggers: [triggers] }),
        },
      });
    await lab.up(planOf({ data: db({ goals: { recoveryTime: "2m" } }) }));
    await lab.time.advance(24 * hour);
    await lab.up(plan(check, 1));
    repair();
    await lab.up(plan(check, 1));
    assert.equal(lab.verdict?.goals.find((one) => one.restore === "db")?.result, "met");
  });

  it("say which restore has no recovery time, and why, if the whole plan's is not measured", async () => {
    const lab = new PlanLab();
    const plan = planOf({ data: db(check) }, { wholeGoals: { recoveryTime: "2h" } });
    await lab.up(plan, { kill: { at: "after a POST", after: 0 } });
    await lab.time.advance(hour);
    await lab.up(plan);
    assert.match(lab.reasons, /the whole plan: recovery time not measured, goal 2h; db: the restore ended while/);
  });

  it("of a restore whose first request was lost begin with that request, and need a new run for the recovery time", async () => {
    const lab = new PlanLab();
    const taken = hoursAgo(lab, 1);
    const of = (triggers: number) =>
      planOf(
        { data: db({ triggers: [triggers], recoveryPointTakenAt: taken }) },
        { goals: { dataAge: "24h", recoveryTime: "1h" } },
      );
    lab.panel.fates = [{ ...goodFate, answer: "lost", carriedOut: false }];
    await lab.up(of(0));
    await lab.time.advance(24 * hour);
    await lab.up(of(1));
    near(lab.verdict?.goals.find(({ goal }) => goal === "dataAge")?.measuredSeconds, 3_661);
    assert.match(lab.reasons, /only a new run can measure it/);
  });

  it("do not blame an adopted transaction for a recovery point that was taken after the incident", async () => {
    const lab = new PlanLab({ tells: "point" });
    const plan = (more: object) =>
      planOf({ data: db({ recoveryPointTakenAt: "2026-11-21T00:00:00Z" }) }, { goals: { dataAge: "24h" }, ...more });
    await lab.up(plan({}), { kill: { at: "after a POST", after: 0 } });
    await lab.time.advance(hour);
    await lab.up(plan({}));
    await lab.up(plan({ incidentAt: hoursAgo(lab, 20) }));
    assert.doesNotMatch(lab.reasons, /does not show the requested point/);
  });
});

it("restores from points after the incident are named in a warning once incidentAt is corrected", async () => {
  const { lab, repair } = failing();
  const web = { web: restore("2", "20", { recoveryPointTakenAt: hoursAgo(lab, 10) }) };
  const of = (hours: number) => planOf({ data: db(), front: web }, { incidentAt: hoursAgo(lab, hours) });
  await lab.up(of(5));
  repair();
  await lab.up(of(20));
  const said = /^the run will be incomplete: waves.front.web: recovery point 20 was taken at .*, after the incident/m;
  assert.match(lab.warnings.join("\n"), said);
  assert.equal(lab.verdict?.verdict, "incomplete");
});

it("a changed recoveryPointTakenAt is compared with the panel's list", async () => {
  const lab = new PlanLab();
  lab.panel.points = [{ id: 10, created_at: hoursAgo(lab, 200), state: "built" }];
  await lab.up(planOf({ data: db() }));
  const said = await lab.up(planOf({ data: db({ recoveryPointTakenAt: hoursAgo(lab, 2) }) }));
  assert.match(said?.join() ?? "", /but the panel lists/);
});

it("a recoveryPointTakenAt that is set later, as the reason advises, is accepted even if the panel no longer lists the point", async () => {
  const lab = new PlanLab();
  const taken = hoursAgo(lab, 10);
  lab.panel.points = [{ id: 10, created_at: taken, state: "built" }];
  const of = (more: object) => planOf({ data: db(more) }, { goals: { dataAge: "24h" } });
  await lab.up(of({}));
  assert.match(lab.reasons, /it is measured once recoveryPointTakenAt is set, without restoring again/);
  lab.panel.points = [{ id: 11, created_at: taken, state: "built" }];
  assert.deepEqual(await lab.up(of({ recoveryPointTakenAt: taken })), []);
  assert.match(lab.verdict?.verdict ?? "", /^passed/);
});
