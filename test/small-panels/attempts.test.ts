import assert from "node:assert/strict";
import { type Declared } from "../support/program";
import type { MakePanel, PanelAnswer } from "./panel";
import { OnStage, web } from "./stage";
import { bare, named, stamped, trap, type Trap, wrapped } from "./trap";

const db: Declared = { ...web, machine: "43" };

const stageOf = (how: Trap, declared: readonly Declared[] = [web], restoreSeconds = 20): OnStage =>
  new OnStage(trap(how), "json", { declared, restoreSeconds });

/** A panel whose answers to reads `answer` replaces whenever it returns one. */
const readsOf = (how: Trap, answer: (usual: PanelAnswer) => PanelAnswer | undefined): MakePanel =>
  wrapped(how, async (request, usual) => {
    const given = await usual();
    return (request.method === "GET" ? answer(given) : undefined) ?? given;
  });

/** Each of these was a bug in an earlier version. */
describe("a failed attempt", () => {
  const parts = (end: string) => [{ action: "stop_virtual_machine", seconds: 5 }, { end }];
  const answer = ([, restore]: readonly number[]) => ({ status: 202, body: { transaction: { id: restore } } });
  const row: Trap["row"] = (job) => ({ ...stamped(job), action: undefined });
  it("is not mistaken for complete in the next up because of an unlinked part", async () => {
    const stage = stageOf({ row, parts, answer });
    await stage.upFailing();
    assert.deepEqual([stage.statuses(), stage.idsOf(0)], [["failed"], ["132"]]);
    assert.equal((await stage.up()).errors.size, 0);
    assert.deepEqual([stage.posted.length, stage.idsOf(0).slice(-1)], [2, ["134"]]);
  });

  it("shows the end of its log even if the log is a single line", async () => {
    const stage = stageOf({
      row: (job) => ({ ...named(job), ...(job.detailed && { log_output: "Fatal: disk full" }) }),
    });
    stage.failing.add("42");
    const { warnings } = await stage.up();
    assert.match(warnings.join("\n"), /the end of its log, secrets masked:\n {2}Fatal: disk full$/m);
  });

  it("is not adopted again if adopt still names it", async () => {
    const stage = stageOf({ row: stamped });
    stage.failing.add("42");
    stage.panel.work("42", "restore");
    stage.change(0, { adopt: "131" });
    const story: unknown[] = [];
    for (let count = 0; count < 4; count++) {
      await stage.up();
      story.push([stage.idsOf(0).join(), stage.posted.length]);
    }
    assert.deepEqual(story, [
      ["131", 0],
      ["132", 1],
      ["133", 2],
      ["134", 3],
    ]);
    stage.failing.clear();
    for (const wait of [false, true]) {
      stage.change(0, { wait });
      await stage.up();
    }
    assert.deepEqual([stage.idsOf(0), stage.statuses()], [["135"], ["complete"]]);
  });
});

describe("adopt", () => {
  it("takes effect in the next up if it was rejected because the list could not be read", async () => {
    let isDown = false;
    const make = readsOf({ row: named }, () => (isDown ? { status: 401 } : undefined));
    const stage = new OnStage(make, "json", { declared: [{ ...web, wait: false }], restoreSeconds: 600 });
    await stage.up();
    stage.panel.work("42", "restore");
    stage.change(0, { adopt: "132" });
    isDown = true;
    assert.match((await stage.up()).errors.get(0) ?? "", /132, which adopt names, was not adopted/);
    assert.deepEqual(stage.idsOf(0), ["131"]);
    isDown = false;
    await stage.up();
    assert.deepEqual([stage.idsOf(0), stage.posted.length], [["132"], 1]);
  });
});

describe("an answer to a POST", () => {
  const answers: Readonly<Record<string, NonNullable<Trap["answer"]>>> = {
    "all transactions": (_made, listed) => ({
      status: 200,
      body: { transactions: listed.map((id) => ({ id })) },
    }),
    "another restore's transaction": () => ({ status: 201, body: { transaction_id: 131 } }),
  };
  for (const [what, answer] of Object.entries(answers))
    it(`is not taken to name the restore's transaction if it contains ${what}`, async () => {
      const stage = stageOf({ row: bare, lateMs: 2_000, answer }, [web, db]);
      stage.failing.add("43");
      await stage.up();
      assert.deepEqual([stage.statuses(), stage.idsOf(0), stage.idsOf(1)], [["complete", "failed"], ["131"], ["132"]]);
    });
});

describe("indistinguishable jobs", () => {
  it("cause a question after a kill if another restore has claimed them all, and adopt reassigns one of them", async () => {
    const stage = stageOf({ row: bare, lateMs: 25_000 }, [web], 300);
    await stage.killed(1_000);
    stage.declared = [web, db];
    const { errors } = await stage.up();
    assert.match(errors.get(0) ?? "", /adopt: "131"[^]*transaction 132 /);
    assert.deepEqual(stage.idsOf(1), ["131", "132"]);
    stage.change(0, { adopt: "131" });
    assert.equal((await stage.up()).errors.size, 0);
    assert.deepEqual([stage.idsOf(0), stage.posted.length], [["131"], 2]);
  });

  it("cause a single warning, however many there are", async () => {
    const stage = stageOf({ row: bare }, [web], 600);
    stage.othersWork(2_000);
    const { warnings } = await stage.up();
    const stored = stage.outputsOf(0)["warnings"] as readonly string[];
    assert.ok(stage.idsOf(0).length > 50);
    assert.deepEqual([warnings.length, stored.length], [1, 1]);
    assert.ok((stored[0]?.length ?? 0) > (warnings[0]?.length ?? 0));
  });
});

describe("a restore that a run left running", () => {
  it("fails with both ways to continue if its rows are no longer listed", async () => {
    const stage = stageOf({ row: named }, [{ ...web, wait: false }]);
    await stage.up();
    stage.panel.work("42", "purge");
    stage.change(0, { wait: true });
    assert.match((await stage.up()).errors.get(0) ?? "", /131 is no longer in the panel's list.*adopt: .*triggers/);
    assert.deepEqual([stage.statuses(), stage.idsOf(0), stage.posted.length], [["pending"], ["131"], 1]);
  });
});
