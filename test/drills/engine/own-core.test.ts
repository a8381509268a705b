import assert from "node:assert/strict";
import { restoresOfState } from "../../../drills/judge/state";
import { goodFate } from "../../support/panel-at-work";
import { PlanLab, planOf, planOfOne, restore } from "./support/plan-lab";

const ofDb = (recoveryPointId: string, run = "Q1") => planOfOne({ recoveryPointId }, { run });

/** The recovery points in the POSTs that an `up` sends. */
async function sent(lab: PlanLab, ...up: Parameters<PlanLab["up"]>): Promise<readonly (string | undefined)[]> {
  const before = lab.panel.posts.length;
  await lab.up(...up);
  return lab.panel.posts.slice(before).map(({ order }) => order.point);
}

it("a new run of a plan never adopts an earlier run's transaction, even if adopt still names it", async () => {
  const lab = new PlanLab({ tells: "point and paths" });
  const again = (run: string, more: object = {}) => planOfOne(more, { run });
  await lab.up(again("Q1"));
  const adopt = lab.panel.works.at(-1)?.parts[0]?.id;
  await lab.up(again("Q2"));
  for (const run of ["Q3", "Q3", "Q4", "Q4"]) {
    assert.match(
      (await lab.up(again(run, { adopt })))?.join() ?? "",
      /it belongs to another restore of this program, to an earlier run/,
    );
    assert.equal(lab.verdict?.verdict, "incomplete");
  }
  assert.deepEqual(await sent(lab, again("Q4")), ["10"]);
});

it("a planned restore whose outcome the panel does not show is not sent again in its run, but another run can restore the machine", async () => {
  const lab = new PlanLab({ tells: "point and paths" });
  // The status shows only that the restore has ended, not how.
  lab.panel.fates = [{ ...goodFate, outcome: "closed" as never }];
  for (let count = 0; count < 2; count++) {
    assert.match((await lab.up(planOfOne()))?.join() ?? "", /db.*has ended, and the panel does not show how.*"closed"/);
    assert.deepEqual([lab.panel.posts.length, lab.verdict?.verdict], [1, "incomplete"]);
  }
  lab.panel.fates = [goodFate];
  const began = lab.time.now();
  assert.deepEqual(await sent(lab, planOfOne({}, { run: "Q2" })), ["10"]);
  assert.ok(lab.time.now() - began < 10 * 60_000);
  assert.equal(lab.verdict?.verdict, "passed");
});

describe("a planned restore that runs for hours", () => {
  const hours = 3_600_000;
  const asked = (run: string, ...triggers: string[]) =>
    planOfOne({ timeouts: { run: "10m", busy: "5m" }, triggers }, { run });
  let lab: PlanLab;
  beforeEach(async () => {
    lab = new PlanLab({ tie: "nothing" });
    lab.panel.fates = [{ ...goodFate, runsForMs: 20 * hours }];
    await lab.up(asked("Q1"));
  });

  for (const [what, next] of [
    ["new triggers", asked("Q1", "again")],
    ["a new run", asked("Q2")],
  ] as const)
    it(`holds back the next restore (${what}) until it ends, even if no row names the machine`, async () => {
      assert.deepEqual(await sent(lab, next), []);
      assert.match(lab.rows.join("\n"), /^0 of 1 done, db: waiting for transaction \[5001\] \(.* running, .*, until /m);
      assert.match(lab.reasons, /sent.*: transaction 5001 .*it did not end within timeouts\.busy/);
      await lab.time.advance(21 * hours);
      assert.deepEqual(await sent(lab, next), ["10"]);
      assert.deepEqual(await sent(lab, next), []);
    });

  it("holds back the next restore until its last part ends, even if each part is listed some seconds after the part before it", async () => {
    const gaps = new PlanLab({ parts: "one after the other", stopMs: 5_000, lateMs: [5_000] });
    gaps.panel.fates = [{ ...goodFate, runsForMs: 20 * 60_000 }];
    const plan = (run: string) => planOf({ data: { db: restore("1", "10", { timeouts: { run: "2m" } }) } }, { run });
    await gaps.up(plan("Q1"));
    await gaps.up(plan("Q2"));
    const [first] = gaps.panel.works.filter(({ machine }) => machine === "1");
    assert.ok((gaps.panel.posts[1]?.sentAt ?? 0) > (first?.endedAt ?? Infinity));
  });

  it("holds back nothing once the panel no longer lists it", async () => {
    Object.assign(lab.panel.part("5001") ?? {}, { at: Infinity });
    assert.deepEqual(await sent(lab, asked("Q1", "again")), ["10"]);
  });
});

describe("a planned restore that was changed within its run", () => {
  it("does not adopt someone else's transaction after the panel refused its own POST", async () => {
    const lab = new PlanLab();
    lab.panel.fates = [{ ...goodFate, answer: "refused", carriedOut: false }];
    await lab.up(ofDb("10"));
    lab.panel.order({ machine: "1", kind: "VmRestore", point: "10" }, "person");
    await lab.time.advance(120_000);
    assert.deepEqual(await sent(lab, ofDb("10")), []);
    assert.match(lab.reasons, /adopt: "\d+"/);
    const db = restoresOfState(lab.deployment).restores.find(({ name }) => name === "db");
    assert.deepEqual(db?.happened.counts?.ids ?? [], []);
  });

  it("does not adopt a transaction from an earlier wave that `--exclude` leaves out, even if rows do not show what they restore", async () => {
    const lab = new PlanLab({ bareRows: true });
    lab.panel.fates = [{ ...goodFate, outcome: "failed" }];
    const front = { logs: restore("1", "11", { paths: ["/logs"] }) };
    const plan = planOf({ data: { db: restore("1", "10") }, front }, { onFailure: "continue" });
    assert.deepEqual(await sent(lab, plan), ["10"]);
    assert.deepEqual(await sent(lab, plan, { kill: { at: "before a POST", after: 1 } }), ["10"]);
    assert.deepEqual(await sent(lab, plan, { exclude: ["wave-data", "wave-data-intent"] }), []);
    assert.deepEqual(await sent(lab, plan), ["11"]);
  });

  it("is not sent when the stored plan is unreadable, but is sent in a new run", async () => {
    const lab = new PlanLab();
    await lab.up(ofDb("10"));
    lab.outputsOf("run")["plan"] = JSON.stringify({ ...ofDb("10"), later: true });
    assert.match((await lab.up(ofDb("11")))?.join() ?? "", /the stored plan of run Q1 cannot be read. Begin a new run/);
    assert.equal(lab.panel.posts.length, 1);
    assert.deepEqual(await sent(lab, ofDb("11", "Q2")), ["11"]);
  });
});
