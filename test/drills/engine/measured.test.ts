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
    const held = /db: complete, but not checked, because dump, on the same machine, is not complete/;
    assert.match((await lab.up(plan))?.join() ?? "", held);
    repair();
    await lab.time.advance(hour);
    await lab.up(plan);
    near(lab.verdict?.goals.find((one) => one.restore === "db")?.measuredSeconds, 3_933);
    assert.equal(lab.verdict?.verdict, "failed");
  });

  it("do not include a check that was added to a complete restore and then held back", async () => {
    const { lab, repair } = failing("FileRestore");
    const goals = { recoveryTime: "2m" };
    const plan = planOf({ data: { ...db({ goals, ...check }), dump: restore("1", "11", { paths: ["/d"] }) } });
    await lab.up(planOf({ data: db({ goals }) }));
    await lab.time.advance(24 * hour);
    await lab.up(plan);
    repair();
    await lab.up(plan);
    assert.equal(lab.verdict?.goals.find((one) => one.restore === "db")?.result, "met");
  });

  it("say which restore has no recovery time, and why, if the whole plan's is not measured", async () => {
    const lab = new PlanLab();
    const plan = planOf({ data: db(check) }, { wholeGoals: { recoveryTime: "2h" } });
    await lab.up(plan, { kill: { at: "after a POST", after: 0 } });
    await lab.time.advance(hour);
    await lab.up(plan);
    assert.match(lab.reasons, /the whole plan: recovery time not measured, goal 2h; db: part of the time/);
  });

  it("of a restore whose first request was lost begin with that request, and need a new run for the recovery time", async () => {
    const lab = new PlanLab();
    const taken = hoursAgo(lab, 1);
    const goals = { dataAge: "24h", recoveryTime: "1h" };
    const of = (trigger: number) =>
      planOf({ data: db({ triggers: [trigger], recoveryPointTakenAt: taken }) }, { goals });
    lab.panel.fates = [{ ...goodFate, answer: "lost", carriedOut: false }];
    await lab.up(of(0));
    await lab.time.advance(24 * hour);
    await lab.up(of(1));
    near(lab.verdict?.goals.find(({ goal }) => goal === "dataAge")?.measuredSeconds, 3_661);
    assert.match(lab.reasons, /begin a new run to measure it/);
  });

  it("of an adopted restore include the time in which its end could not be read", async () => {
    const lab = new PlanLab();
    lab.panel.fates = [{ ...goodFate, runsForMs: hour }];
    await lab.up(planOf({ data: db(check) }), { kill: { at: "in the wait", after: 3 } });
    const until = lab.time.now() + 2 * hour;
    lab.time.after(hour / 2, () => lab.panel.spans.push({ from: 0, until, how: "outage" }));
    await lab.up(planOf({ data: db(check) }));
    near(lab.verdict?.recoveryTimeSeconds, (until - (lab.panel.posts[0]?.sentAt ?? 0)) / 1_000);
  });
});

type Change = readonly [first: (taken: string) => object, RegExp, takenAgo?: number];
const rule = (before: string) => ({ virtualMachineId: "2", recoveryPoint: { before } });
const ofTime = (recoveryPointTakenAt: string) => restore("2", "20", { recoveryPointTakenAt });
const late = /waves.front.web: recovery point 20 was taken at .*, after the incident/;
const changes: Readonly<Record<string, Change>> = {
  "a point with a declared time after the corrected incidentAt": [ofTime, late],
  "a point that the panel lists with a time after the corrected incidentAt": [() => restore("2", "20"), late],
  "a rule that chooses a point after the corrected incidentAt": [(taken) => rule(taken.replace("2026", "2027")), late],
  "a declared time that differs from the panel's list": [ofTime, /but the panel lists/, 2],
};
for (const [what, [webOf, why, takenAgo = 10]] of Object.entries(changes))
  it(`${what} is rejected, also in a run that has begun, and nothing is sent`, async () => {
    const { lab, repair } = failing();
    const [listed, taken, older] = [10, takenAgo, 30].map((hours) => hoursAgo(lab, hours)) as [string, string, string];
    const pointsOf = (...times: readonly (readonly [string, string])[]) =>
      times.map(([id, created_at]) => ({ id, created_at, state: "built" }));
    lab.panel.points = pointsOf(["10", listed], ["20", listed]);
    const of = (web: object, more: object = {}) => planOf({ data: db(), front: { web } }, more);
    await lab.up(of(webOf(listed)));
    repair();
    // A complete restore's point may no longer be listed.
    lab.panel.points = pointsOf(["20", listed], ["5", older]);
    const incident = why === late ? { incidentAt: hoursAgo(lab, 20) } : {};
    const said = async (run: string) => (await lab.up(of(webOf(taken), { ...incident, run })))?.join() ?? "";
    const inRun = await said("Q1");
    assert.match(inRun, why);
    assert.doesNotMatch(inRun, /waves.data.db/);
    assert.match(await said("Q2"), why);
    await lab.up(of(restore("2", "5"), incident));
    assert.equal(lab.panel.posts.map(({ order }) => order.point).join(), "10,10,5");
  });

it("a recoveryPointTakenAt that is set later, as the reason advises, is accepted even if the panel no longer lists the point", async () => {
  const lab = new PlanLab();
  const taken = hoursAgo(lab, 10);
  lab.panel.points = [{ id: 10, created_at: taken, state: "built" }];
  const of = (more: object) => planOf({ data: db(more) }, { goals: { dataAge: "24h" } });
  await lab.up(of({}));
  assert.match(lab.reasons, /recoveryPointTakenAt .*, which restores nothing again/);
  lab.panel.points = [{ id: 11, created_at: taken, state: "built" }];
  assert.deepEqual(await lab.up(of({ recoveryPointTakenAt: taken })), []);
  assert.match(lab.verdict?.verdict ?? "", /^passed/);
});
