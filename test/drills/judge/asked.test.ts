import assert from "node:assert/strict";
import { allAsked, entryThatCounts, isAfterLost, changeMarkOf, notSettled, whyKept } from "../../../drills/judge/asked";
import type { AskedFor, Entry, RestoreEvent } from "../../../drills/judge/stored";
import { type Asked, planEntries, type PlannedWave } from "../../../drills/engine/entries";
import { knownLater } from "../../../provider/inputs/read-values";

describe("a restore that is changed within its run", () => {
  const asked = (id: string, more: Partial<AskedFor> = {}): AskedFor => {
    return { id, mark: `mark of ${id}`, machine: "1", point: "10", ...more };
  };
  const entry = (last: AskedFor, ...before: readonly AskedFor[]): Entry => ({ ...last, asked: before });
  const event = (id: string, more: object): RestoreEvent => ({ at: "", entry: id, ...more }) as unknown as RestoreEvent;
  const stopped = (id: string, sent: "no" | "unknown", more: object = {}) =>
    event(id, { did: "stopped", sent, why: "", ...more });
  const complete = (id: string) => [
    event(id, { did: "posted", up: "", machine: "1" }),
    event(id, { did: "ended", status: "complete" }),
  ];
  const recorded = (events: readonly RestoreEvent[], more: object = {}) => ({ restores: { db: events }, ...more });

  const [first, other] = [asked("a"), { machine: "2" }];
  const done = { done: { db: "a" } };
  const inherited = { isInherited: true, point: { pick: "newest" } } as const;
  const files = { machine: knownLater, paths: ["/"] };
  type Case = readonly [Partial<AskedFor>, ReturnType<typeof recorded>, string];
  const cases: Readonly<Record<string, Case>> = {
    "if its machine is changed after an open question": [other, recorded([stopped("a", "unknown")]), "other target"],
    "if its machine is changed after an unreadable event": [other, recorded([stopped("", "unknown")]), "other target"],
    "if it is changed to files of a machine with an unknown id": [files, recorded(complete("a")), "other target"],
    "if its own point is replaced by its wave's rule": [inherited, recorded(complete("a"), done), "refused"],
  };
  for (const [what, [form, record, expected]] of Object.entries(cases))
    it(`is not sent (${expected}) ${what}`, () => {
      const now = entry(asked("b", form), first);
      assert.equal(whyKept(now, allAsked(now), "db", record), expected);
    });

  it("keeps its earlier entry after a change is ignored, even if a check fails later", () => {
    const now = entry(asked("b", { ...inherited, point: { pick: "oldest" } }), asked("a", inherited));
    const kept = stopped("b", "no", { because: "kept" });
    assert.equal(entryThatCounts("db", now, recorded([...complete("a"), kept])).id, "a");
    assert.equal(entryThatCounts("db", now, recorded(complete("a"), done)).id, "a");
    assert.equal(entryThatCounts("db", now, recorded(complete("a"))).id, "b");
  });

  it("is remembered after it is removed from the plan, through all later edits", () => {
    const [db, web] = [asked("a"), asked("w", other)];
    const edited = (before: PlannedWave, forms: Asked["forms"]) =>
      planEntries({ run: "Q1", forms }, { run: "Q1", ...before });
    const without = (before: PlannedWave, triggers: number) =>
      edited(before, { web: { machine: "2", point: "10", triggers: [triggers] } });
    const again = without(without({ entries: { db, web } }, 1), 2);
    assert.deepEqual(again.gone, { db: [db] });
    const back = edited(again, { db: { machine: "1", point: "9" } });
    assert.deepEqual(back.entries["db"]?.asked, [db]);
  });

  it("is searched for from the earliest mark that may precede its POST, or from its own mark once another request has been sent", () => {
    const back = entry({ ...first, mark: "mark of a, put back" }, first, asked("b", other));
    assert.equal(changeMarkOf(back, "db", recorded([])), "mark of a");
    const question = stopped("a", "unknown", { mark: "mark of a" });
    const settled = { settled: { db: 3 } };
    assert.equal(changeMarkOf(back, "db", recorded([question], settled)), "mark of a");
    assert.equal(changeMarkOf(back, "db", recorded([question, ...complete("c")], settled)), "mark of a, put back");
    assert.deepEqual(notSettled(allAsked(back), "db", recorded([question], settled)), []);
    assert.deepEqual(notSettled([asked("new")], "db", recorded([question])), [asked("new")], "it has no record");
  });

  it("needs the user's decision if the previous restore was lost and may still be found", () => {
    const lost = stopped("a", "unknown", { because: "lost" });
    const refused = stopped("c", "no", { because: "refused" });
    for (const [events, expected] of [
      [[lost], true],
      [[lost, refused, stopped("b", "no")], true],
      [[lost, stopped("c", "unknown")], false],
      [[lost, ...complete("c")], false],
      [[stopped("a", "unknown")], false],
    ] as const)
      assert.equal(isAfterLost(asked("b"), events), expected, JSON.stringify(events));
  });

  it("needs the user's decision if its previous version, with the same triggers, was sent but never listed", () => {
    const events = [event("a", { did: "posted", up: "", machine: "1" }), stopped("a", "unknown", { status: "sent" })];
    assert.equal(isAfterLost(entry(asked("b"), first), events), true);
  });
});
