import assert from "node:assert/strict";
import { nextStep, provenAt, transactionOf, whatHappened, type Wanted } from "../../../drills/judge/history";
import { readRecord, type RestoreEvent } from "../../../drills/judge/stored";

const at = "2026-11-21T10:00:00Z";
const event = (did: string, more: object, entry = "e") => ({ at, entry, did, ...more }) as RestoreEvent;
const posted = (entry?: string, more: object = {}) =>
  event("posted", { up: "p", machine: "1", answer: "accepted", ...more }, entry);
const adopting = posted("e", { adopt: "7" });
const listed = (id: string) => event("listed", { ids: [id] });
const ended = (status: "complete" | "failed" | "cancelled", more: object = {}, entry?: string) =>
  event("ended", { status, ...more }, entry);
const refused = event("stopped", { sent: "no", why: "busy", because: "refused" }, "other");
const stopped = (status?: "pending") => event("stopped", { sent: "no", why: "busy", ...(status && { status }) });
const checked = (passed: boolean) => event("checked", { check: "tcp", asks: "tcp", passed, attempts: 1, seconds: 0 });

const tcp = { name: "tcp", asks: "tcp" };
const renamed = { name: "port", asks: "tcp" };

describe("a restore's history", () => {
  const complete = [posted(), listed("1"), ended("complete")];
  const partFailed = [posted(), listed("1"), ended("failed", { failedPart: "2", transactionId: "1" })];

  const isChecked = { checks: [tcp] };
  const cases: readonly (readonly [string, readonly RestoreEvent[], string, string | undefined, Partial<Wanted>?])[] = [
    ["stopped before anything was sent", [stopped()], "not sent", "send"],
    ["posted, but not listed", [posted()], "sent", "wait"],
    ["listed", [posted(), listed("1")], "running", "wait"],
    ["pending, with a refused change", [posted(), listed("1"), stopped("pending"), refused], "pending", "wait"],
    ["complete", complete, "complete", undefined],
    ["complete, with a check that has not run", complete, "complete", "check", isChecked],
    ["complete, with a failed check", [...complete, checked(false)], "complete", "check", isChecked],
    ["complete, with a renamed check", [...complete, checked(true)], "complete", undefined, { checks: [renamed] }],
    ["failed", [posted(), listed("1"), ended("failed")], "failed", "repeat"],
    ["failed, with retryFailed: false", [posted(), ended("failed")], "failed", "keep", { retryFailed: false }],
    ["complete, with a failed later part", partFailed, "failed", "keep"],
    ["complete, with a failed later part, and named by adopt", partFailed, "failed", "adopt", { adopt: "1" }],
    ["cancelled", [posted(), ended("cancelled")], "cancelled", "keep"],
    ["failed, then complete", [posted(), ended("failed"), ...complete], "complete", undefined],
    ["complete, then another request", [...complete, posted("new"), ended("complete", {}, "new")], "not sent", "send"],
    ["failed, and already adopted", [adopting, listed("7"), ended("failed")], "failed", "repeat", { adopt: "7" }],
    ["running, and named by adopt", [posted(), listed("7")], "running", "adopt", { adopt: "7" }],
    ["running, and already adopted", [adopting, listed("7")], "running", "wait", { adopt: "7" }],
    ["complete, and named by adopt", complete, "complete", undefined, { adopt: "1" }],
  ];
  for (const [title, events, state, does, wanted] of cases)
    it(`(${title}) shows "${state}", and the next step is "${does ?? "none"}"`, () => {
      assert.equal(whatHappened(events, "e").state, state);
      assert.equal(nextStep(whatHappened(events, "e"), { checks: [], ...wanted })?.does, does);
    });

  it("uses the job's last transaction, unless the panel shows which transaction is the restore", () => {
    const ids = ["1", "2"];
    assert.equal(transactionOf({ ids }), "2");
    assert.equal(transactionOf(whatHappened([posted(), ended("failed", { transactionId: "1" })], "e").counts!), "1");
  });

  it("ignores an attempt once another request has been sent or may have been sent", () => {
    const lost = event("stopped", { sent: "unknown", why: "no record" }, "other");
    assert.equal(whatHappened([...complete, lost], "e").state, "not sent");
    assert.equal(whatHappened([lost, ...complete], "e").state, "complete");
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
      assert.equal(provenAt(whatHappened([posted(), listed("1"), ended("complete", more)], "e").counts), proven);
  });
});
