import assert from "node:assert/strict";
import { Searches } from "../../provider/rows/searches";
import type { Mark } from "../../provider/inputs/intent";
import { markAt, row } from "../restore/support/rows";

const at = (minute: number) => ({ takenAt: `2026-11-21T10:0${String(minute)}:00Z` });
const of = (mark: Mark, machine = "42") => ({ machine, mark });
const early = markAt("5000", at(0));
const late = markAt("5004", at(4));

describe("what is looked for above marks of earlier runs", () => {
  const table: readonly [name: string, under: readonly Mark[], row: string, ours: Mark, later: boolean][] = [
    ["above both marks", [early, late], "5005", early, true],
    ["between the two", [early, late], "5003", early, false],
    ["the later mark itself", [early, late], "5004", early, false],
    ["above both, for the later one", [early, late], "5005", late, false],
    ["nothing else is looked for", [early], "5005", early, false],
    ["at one place, and posted later", [early, markAt("5000", at(1))], "5001", early, true],
    ["at one place, and posted before", [markAt("5000", at(1)), early], "5001", markAt("5000", at(1)), false],
    [
      "at one place, and nothing tells which was first",
      [markAt("5000"), markAt("5000")],
      "5001",
      markAt("5000"),
      false,
    ],
    ["of an empty list, and then of one that is not", [markAt(), late], "5005", markAt(), true],
    ["of a list, and then of an empty one", [early, markAt()], "5005", early, false],
  ];
  for (const [name, under, id, ours, later] of table) {
    it(`${name}: ${later ? "a later one's" : "may be ours"}`, async () => {
      const searches = new Searches();
      const ask = () => Promise.resolve(searches.isOfALater(row(id), of(ours)));
      const nested = under.reduceRight<() => Promise<boolean>>(
        (work, mark) => () => searches.during(of(mark), work),
        ask,
      );
      assert.equal(await nested(), later);
    });
  }

  it("is what stands above the mark of one that was posted, from then on", () => {
    const searches = new Searches();
    assert.equal(searches.isOfALater(row("5005"), of(early)), false);
    searches.posted(of(late));
    assert.equal(searches.isOfALater(row("5005"), of(early)), true);
    assert.equal(searches.isOfALater(row("5005"), of(early, "43")), false);
    assert.equal(searches.isOfALater(row("5003"), of(early)), false);
  });

  it("is nothing that was posted to another panel, where ids and machines are others", () => {
    const searches = new Searches();
    searches.posted(of(markAt("5004", { ...at(4), panel: "https://other.test" })));
    assert.equal(searches.isOfALater(row("5005"), of(early)), false);
  });

  for (const [made, createdAt, later] of [
    ["long before the later mark was taken, and listed late", "2026-11-21T10:01:00Z", false],
    ["right before it, by a clock that may be behind", "2026-11-21T10:03:30Z", true],
    ["after it", "2026-11-21T10:04:01Z", true],
    ["at a time that names no zone", "2026-11-21T10:01:00", true],
  ] as const) {
    it(`was made ${made}: ${later ? "a later one's" : "may be ours"}`, () => {
      const searches = new Searches();
      searches.posted(of(late));
      assert.equal(searches.isOfALater(row("5005", { createdAt }), of(early)), later);
    });
  }

  it("concerns restores of the same machine, while they are looked for", async () => {
    const searches = new Searches();
    const ask = () => Promise.resolve(searches.isOfALater(row("5005"), of(early)));
    assert.equal(await searches.during(of(late, "43"), ask), false);
    assert.equal(await searches.during(undefined, ask), false);
    assert.equal(await searches.during(of(late), ask), true);
    await assert.rejects(searches.during(of(late), () => Promise.reject(new Error("odd"))));
    assert.equal(await ask(), false);
  });
});
