import assert from "node:assert/strict";
import { leftAfter, planEntries } from "../../../drills/engine/entries";
import type { Entry, IntentText } from "../../../drills/judge/stored";

const asked = (point: string) => ({ run: "Q1", forms: { db: { machine: "43", point } }, behind: {} });

/** Entries as an intent stores them when it is asked for this point. */
function next(point: string, before: { readonly run: string | undefined } & IntentText) {
  const { entries } = planEntries(asked(point), before);
  const made: Record<string, Entry> = {};
  for (const { name, id, form, kept } of entries) made[name] = kept ?? { id, mark: "m", ...form };
  return { run: "Q1", entries: made, marks: {}, left: leftAfter(before, made, () => new Date(0)) };
}

describe("an entry that is asked for again within its run", () => {
  const first = next("10", { run: undefined, entries: {}, marks: {} });
  const second = next("99", first);
  const third = next("10", second);

  it("is another restore: nobody knows what a run that was killed has sent in between", () => {
    const ids = [first, second, third].map(({ entries }) => entries["db"]?.id);
    assert.equal(new Set(ids).size, 3);
    assert.equal(ids[2], `${String(ids[0])}~1`);
    assert.deepEqual(third.left["db"]?.ids, [ids[0], ids[1]]);
  });

  it("stays as it is when it is asked for once more", () => {
    assert.equal(next("10", third).entries["db"]?.id, third.entries["db"]?.id);
  });
});
