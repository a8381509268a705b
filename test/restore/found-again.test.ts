import assert from "node:assert/strict";
import { beginRun } from "../../provider/restore/panel-session";
import type { RestoreRecord } from "../../provider/inputs/record";
import { awaitRestore } from "../../provider/restore/resume-restore";
import { postRestore } from "../../provider/restore/post-restore";
import { markOf } from "../../provider/rows/mark";
import { attempt, makeIntent, recordingReporter, requestFor, runOf } from "../support/restore-programs";
import { VirtualClock } from "../support/virtual-clock";
import { goodFate, type Manners, PanelAtWork, type Outcome, plainManners, type Work } from "./support/panel-at-work";
import { sessionOn } from "./support/process";

const second = 1_000;
const minute = 60 * second;

function panelOf(manners: Partial<Manners> = {}): PanelAtWork {
  const panel = new PanelAtWork(VirtualClock.ofLives(), { ...plainManners, answersAfterMs: 20, ...manners });
  panel.order({ machine: "43", kind: "backup" }, "panel", "complete", 1);
  return panel;
}

/** A panel, and a restore whose intent was made on it. */
async function intendedOn(manners: Partial<Manners> = {}) {
  const panel = panelOf(manners);
  const { time } = panel;
  await time.run(time.pause(10 * second));
  const session = sessionOn(panel);
  return { panel, time, session, request: requestFor(await time.run(makeIntent(session))) };
}

const restoreBySomebody = (panel: PanelAtWork, outcome: Outcome, runsForMs = 20 * second): Work =>
  panel.order({ machine: "42", kind: "VmRestore", point: "1007" }, "person", outcome, runsForMs);

describe("a failed try that the panel has run again under its own id", () => {
  for (const kind of ["first", "later"] as const) {
    for (const parts of ["one", "at once"] as const) {
      it(`is followed as this restore, and nothing is sent: ${kind} attempt, parts ${parts}`, async () => {
        const { panel, time, session, request } = await intendedOn({ parts });
        const mark = markOf(await time.run(session.feed.newestPage()), session.client.address);
        const work = restoreBySomebody(panel, "failed");
        await time.run(time.pause(minute));
        const transactionIds = work.parts.map(({ id }) => id);
        for (let made = 0; made < 200; made++) panel.order({ machine: "44", kind: "backup" }, "panel", "complete", 0);
        for (const id of transactionIds) panel.end(id, "complete");
        const failedTry = { transactionIds, mark };
        const known = kind === "later" ? { kind, predecessorIds: [], failedTry } : { kind, failedTry };
        const reporter = recordingReporter();
        const { result } = await time.run(
          postRestore(beginRun(sessionOn(panel), request, request.intent.id, reporter), known),
        );
        assert.ok(result.kind === "good", JSON.stringify(result));
        assert.deepEqual([result.record.status, result.record.adopted], ["complete", false]);
        assert.deepEqual(result.record.transactionIds, transactionIds);
        assert.equal(panel.posts.length, 0);
        assert.equal(reporter.warned.length, 1);
      });
    }
  }

  it("is none of which a page shows no more than a part: that page is older than the record", async () => {
    const { panel, time, request } = await intendedOn();
    const { id } = restoreBySomebody(panel, "complete").parts[0]!;
    await time.run(time.pause(minute));
    const failedTry = { transactionIds: [id, "5999"], mark: request.intent.mark };
    await time.run(postRestore(runOf(sessionOn(panel), request), { kind: "first", failedTry }));
    assert.equal(panel.posts.length, 1);
  });

  it("is not sent again where a person has cancelled it after that", async () => {
    const { panel, time, request } = await intendedOn();
    const { id } = restoreBySomebody(panel, "failed").parts[0]!;
    await time.run(time.pause(minute));
    panel.end(id, "cancelled");
    const failedTry = { transactionIds: [id], mark: request.intent.mark };
    const { result } = await time.run(
      postRestore(runOf(sessionOn(panel), request), { kind: "later", predecessorIds: [], failedTry }),
    );
    assert.ok(result.kind === "stored", JSON.stringify(result));
    assert.deepEqual([result.record.status, result.record.transactionIds], ["cancelled", [id]]);
    assert.equal(panel.posts.length, 0);
  });

  for (const ids of ["decimal", "lettered"] as const) {
    for (const kind of ["first", "later"] as const) {
      it(`is tried again where it lies far down a slow list: ${ids} ids, ${kind} attempt`, async () => {
        const { panel, time, request } = await intendedOn({ ids, answersAfterMs: 700 });
        const transactionIds = restoreBySomebody(panel, "failed").parts.map(({ id }) => id);
        await time.run(time.pause(minute));
        for (let made = 0; made < 400; made++) panel.order({ machine: "44", kind: "backup" }, "panel", "complete", 0);
        const failedTry = { transactionIds, mark: request.intent.mark };
        const known = kind === "later" ? { kind, predecessorIds: [], failedTry } : { kind, failedTry };
        const began = time.now();
        const { result } = await time.run(postRestore(runOf(sessionOn(panel), request), known));
        assert.ok(result.kind === "good", JSON.stringify(result));
        assert.deepEqual(result.record.transactionIds, panel.idsOf(0));
        const afterMs = (panel.posts[0]?.sentAt ?? 0) - began;
        assert.ok(afterMs < 5 * minute, `${String(afterMs / second)} s`);
      });
    }
  }

  it("is tried again where it is as failed as it was", async () => {
    const { panel, time, request } = await intendedOn();
    const { id } = restoreBySomebody(panel, "failed").parts[0]!;
    await time.run(time.pause(minute));
    const failedTry = { transactionIds: [id], mark: request.intent.mark };
    const { result } = await time.run(
      postRestore(runOf(sessionOn(panel), request), { kind: "later", predecessorIds: [], failedTry }),
    );
    assert.ok(result.kind === "good", JSON.stringify(result));
    assert.deepEqual(result.record.transactionIds, panel.idsOf(0));
  });
});

describe("a restore that somebody else follows by its ids", () => {
  const follow = async (panel: PanelAtWork, ids: readonly string[], runMs = 10 * minute) => {
    const session = sessionOn(panel);
    const request = requestFor(await panel.time.run(makeIntent(session)), {
      timeouts: { busyMs: minute, listedMs: minute, queueMs: minute, runMs },
    });
    const stored: RestoreRecord = { status: "running", transactionIds: ids, adopted: false, warnings: [] };
    const end = await panel.time.run(awaitRestore(runOf(session, request, "its own intent"), stored, undefined));
    assert.equal(panel.posts.length, 0);
    return end;
  };
  for (const parts of ["one", "at once", "one after the other"] as const) {
    for (const outcome of ["complete", "failed", "cancelled"] as const) {
      it(`has its final status: ${outcome}, parts ${parts}`, async () => {
        const panel = panelOf({ parts });
        const work = restoreBySomebody(panel, outcome, 3 * minute);
        for (let made = 0; made < 200; made++) panel.order({ machine: "44", kind: "backup" }, "panel", "complete", 0);
        const ids = work.parts.map(({ id }) => id);
        assert.deepEqual((await follow(panel, ids)).record.status, outcome);
        assert.ok(work.endedAt !== undefined && panel.time.now() >= work.endedAt, "not before its end");
      });
    }
  }

  it("has not ended within its own limits: the limit is named", async () => {
    const panel = panelOf();
    const [part] = restoreBySomebody(panel, "complete", 60 * minute).parts;
    const end = await follow(panel, [part!.id]);
    assert.match(end.reasons.join(), /timeouts\.run/);
  });

  it("is not listed any more: the limit is named", async () => {
    const panel = panelOf();
    await panel.time.run(panel.time.pause(minute));
    const end = await follow(panel, ["4000"]);
    assert.match(end.reasons.join(), /transaction 4000 within 1m/);
  });
});

describe("a restore whose parts are listed one after the other", () => {
  for (const [link, untold] of [
    ["chain id", {}],
    ["dependent", {}],
    ["both", {}],
    ["chain id", { tie: "log", stamps: "none" }],
  ] as const) {
    const how = "tie" in untold ? `${link}, only the machine's log tells whose they are` : link;
    for (const lateMs of [0, second, 5 * second, 15 * second]) {
      it(`is never complete at the end of a part: ${how}, each listed ${String(lateMs / second)} s late`, async () => {
        for (let offset = 0; offset < 10; offset++) {
          const panel = panelOf({
            ...untold,
            parts: "one after the other",
            restoresTwice: true,
            link,
            lateMs: [0, lateMs],
            stopMs: 40 * second + offset * 700,
          });
          const { time } = panel;
          await time.run(time.pause(20 * second));
          const session = sessionOn(panel);
          const request = requestFor(await time.run(makeIntent(session)));
          panel.fates = [{ ...goodFate, runsForMs: 30 * second + offset * 900 }];
          const result = await time.run(attempt(session, request, "first", recordingReporter()));
          assert.ok(result.kind === "good", JSON.stringify(result));
          const work = panel.posts[0]?.work;
          assert.ok(work?.endedAt !== undefined, `told before the end, ${String(offset)}`);
          const restoring = work.parts.filter(({ isRestore }) => isRestore).map(({ id }) => id);
          assert.ok(restoring.every((id) => result.record.transactionIds.includes(id)));
        }
      });
    }
  }
});
