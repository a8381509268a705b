import assert from "node:assert/strict";
import { type ProgressEnd, type Underway, newProgress } from "../../provider/restore/restore-progress";
import { buildRecord, rowForLog } from "../../provider/restore/build-record";
import { isFinished } from "../../provider/inputs/record";
import type { Warning } from "../../provider/restore/result";
import type { PanelSession } from "../../provider/restore/panel-session";
import { newestPageOf, markAt, ours, panelAddress, plainWords, row, type RowFields } from "./support/rows";

const start = newProgress({ kind: "known" }, 0);
const session = { words: plainWords, client: { address: panelAddress } } as Pick<PanelSession, "words" | "client">;
const postedAfter = markAt("5000");

const link = (id: number, fields: RowFields) => ours(id, { chainId: "c", ...fields });
const stop = link(5001, { action: "stop_virtual_machine", status: "complete" });
const restore = link(5002, { status: "running" });
const startup = link(5003, { action: "startup_virtual_machine", status: "pending" });

const record = (state: Partial<Underway>) =>
  buildRecord({ ...start, ...state }, session, { adopted: false, postedAfter });
const over = (state: Partial<Underway>, end: ProgressEnd) =>
  buildRecord({ ...start, ...state, phase: "over", end }, session, { adopted: false, postedAfter });
const plain = { adopted: false, warnings: [] };

describe("what is stored of a restore", () => {
  it("before anything was seen: that it was accepted, and where to look for it", () => {
    assert.deepEqual(record({}), { ...plain, status: "accepted", transactionIds: [], postedAfter });
  });
  it("when the answer was lost: that nobody knows", () => {
    assert.deepEqual(record({ posted: "unknown" }), { ...plain, status: "unknown", transactionIds: [], postedAfter });
  });
  it("of known transactions that were not met: their ids all the same", () => {
    assert.deepEqual(record({ ids: ["5001"] }).transactionIds, ["5001"]);
  });
  it("of a chain: all of it, oldest first, and the row that is the restore by its action", () => {
    const { transactionId, transactionIds, action, status } = record({
      above: [startup, restore, stop],
      ids: ["5002", "5003", "5001"],
    });
    assert.deepEqual(
      { transactionId, transactionIds, action, status },
      {
        transactionId: "5002",
        transactionIds: ["5001", "5002", "5003"],
        action: "restore_recovery_point",
        status: "running",
      },
    );
  });
  it("while nothing has begun: pending", () => {
    assert.equal(record({ above: [ours(5001)], ids: ["5001"] }).status, "pending");
  });
  it("when it has ended: how, and no place to look for it any more", () => {
    const rows = [ours(5001, { status: "complete" })];
    const ended = over({ above: rows, ids: ["5001"] }, { how: "ended", status: "complete" });
    assert.deepEqual([ended.status, "postedAfter" in ended], ["complete", false]);
  });
  it("when it has failed: where the list stood then, and the next try is looked for above that", () => {
    const rows = [ours(5001, { status: "failed" })];
    const newestPage = newestPageOf([row(5009), row(5001)], 0, 60_000);
    const failed = over({ above: rows, ids: ["5001"], newestPage }, { how: "ended", status: "failed" });
    assert.deepEqual([failed.status, failed.tryMark, "postedAfter" in failed], ["failed", postedAfter, false]);
    const cancelled = over({ above: rows, ids: ["5001"], newestPage }, { how: "ended", status: "cancelled" });
    assert.deepEqual([cancelled.status, "postedAfter" in cancelled], ["cancelled", false]);
  });
  it("when a limit passed: how it stood, and where to go on", () => {
    const cut = over({ above: [restore], ids: ["5002"] }, { how: "limit", limit: "run" });
    assert.deepEqual([cut.status, cut.postedAfter], ["running", postedAfter]);
  });
  it("when it cannot be judged: that nobody knows, never an end", () => {
    const rows = [ours(5001, { status: "complete" }), ours(5002, { status: "failed" })];
    for (const how of ["differs", "not-this-machine"] as const) {
      assert.equal(over({ above: rows, ids: ["5001", "5002"] }, { how }).status, "unknown");
    }
  });
  it("nothing of rows that were not taken", () => {
    assert.deepEqual(record({ above: [ours(5001), ours(5009, { status: "failed" })], ids: ["5001"] }).transactionIds, [
      "5001",
    ]);
  });
  it("with its warnings as texts, and those that an earlier run has stored as they are, none of them twice", () => {
    const unrecognized = { kind: "unrecognized status", status: "warn" } as const;
    const [text = ""] = record({ warnings: [unrecognized] }).warnings;
    assert.match(text, /status "warn" is neither/);
    const warnings: Warning[] = [{ kind: "stored", text }, { kind: "stored", text: "odd" }, unrecognized];
    assert.deepEqual(record({ warnings }).warnings, [text, "odd"]);
  });
  it("is plain data without a hole, whatever was seen", () => {
    for (const state of [{}, { rows: [restore], ids: ["5002"] }, { rows: [ours(1, { action: "x" })], ids: ["1"] }]) {
      const stored = record(state);
      assert.deepEqual(JSON.parse(JSON.stringify(stored)), stored);
    }
  });
});

describe("the row of a chain that tells", () => {
  it("what it was: the one whose action says so, else the last", () => {
    assert.equal(rowForLog([stop, restore, startup], plainWords)?.id, "5002");
    assert.equal(rowForLog([stop, startup], plainWords)?.id, "5003");
    assert.equal(rowForLog([], plainWords), undefined);
  });
  it("what went wrong: the first that did", () => {
    const failed = link(5001, { action: "stop_virtual_machine", status: "failed" });
    assert.equal(rowForLog([failed, link(5002, { status: "cancelled" })], plainWords)?.id, "5001");
  });
});

it("only complete, failed and cancelled are ends", () => {
  const words = ["complete", "failed", "cancelled", "accepted", "unknown", "pending", "running", "Complete", undefined];
  assert.deepEqual(words.filter(isFinished), ["complete", "failed", "cancelled"]);
});
