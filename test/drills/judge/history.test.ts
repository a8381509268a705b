import assert from "node:assert/strict";
import { nextStep, provenAt, transactionOf, whatHappened } from "../../../drills/judge/history";
import { readRecord, type RestoreEvent } from "../../../drills/judge/stored";

const at = "2026-11-21T10:00:00Z";
const event = (did: string, more: object, entry = "e") => ({ at, entry, did, ...more }) as RestoreEvent;
const posted = event("posted", { up: "p", machine: "1", answer: "accepted" });
const ended = (more: object = {}) => event("ended", { status: "complete", ...more });
const complete = [posted, event("listed", { ids: ["1"] }), ended()];

describe("a restore's history", () => {
  it("makes the next step a wait if the restore was sent but is not listed", () => {
    const happened = whatHappened([posted], "e");
    assert.deepEqual([happened.state, nextStep(happened, { checks: [] })?.does], ["sent", "wait"]);
  });

  it("uses the job's last transaction, unless the panel shows which transaction is the restore", () => {
    const ids = ["1", "2"];
    assert.equal(transactionOf({ ids }), "2");
    assert.equal(transactionOf(whatHappened([posted, ended({ transactionId: "1" })], "e").counts!), "1");
  });

  it("does not ignore an attempt because of a later, unreadable event, which may be about the attempt itself", () => {
    const unreadable = event("stopped", { sent: "unknown", why: "cannot be read" }, "");
    assert.equal(whatHappened([...complete, unreadable], "e").state, "complete");
  });

  it("treats an unreadable event as a stop, and never ignores it", () => {
    const wrong = [
      { did: "posted" },
      { did: "constructor" },
      { did: "checked", check: "tcp", asks: "tcp" },
      { did: "ended", status: "fine" },
      { did: "ended", status: "failed", failedPart: 7 },
      { did: "listed", ids: ["1", 7] },
    ];
    for (const one of [null, 7, {}, ...wrong.map((event) => ({ at, entry: "e", ...event }))]) {
      const record = readRecord(JSON.stringify({ restores: { db: [one] } }));
      assert.equal(record?.restores["db"]?.map(({ did }) => did).join(), "stopped", JSON.stringify(one));
    }
    assert.equal(readRecord("{"), undefined);
    const stopped = { at, entry: "e", did: "stopped", sent: "unknown", why: "killed", mark: "its key" };
    const read = readRecord(JSON.stringify({ restores: { db: [stopped] } }));
    assert.deepEqual(read?.restores["db"], [stopped], "the mark above which the search begins is kept");
  });

  it("proves nothing about a restore whose end was discovered later, unless the panel shows when it ended", () => {
    const finishedAt = "2026-11-20T10:00:00Z";
    for (const [more, proven] of [
      [{}, at],
      [{ finishedAt }, finishedAt],
      [{ isFound: true }, undefined],
      [{ isFound: true, finishedAt }, finishedAt],
    ] as const)
      assert.equal(provenAt(whatHappened([posted, ended(more)], "e").counts), proven);
  });
});
