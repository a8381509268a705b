import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findKnownQuestion, loadKnownQuestions } from "../../../cli/parts/known-questions";
import { inDirectory } from "../../sandbox/support/temporary-directory";

describe("known questions", () => {
  it("are refused when a key is misspelled, since they would accept nothing, or more than intended", () =>
    inDirectory(async (folder) => {
      const file = join(folder, "k.json");
      const load = (text: string): ReturnType<typeof loadKnownQuestions> => {
        writeFileSync(file, text);
        return loadKnownQuestions(file);
      };
      for (const [entry, says] of [
        [{ code: "list.cost" }, /entry 1 needs code and why/],
        [{ why: "x" }, /entry 1 needs code and why/],
        [{ code: "list.cost", why: "x", abuot: "y" }, /entry 1 has abuot; there are code, about, why, until/],
        [{ code: "list.cost", why: "x", about: "" }, /about of entry 1 is not a text/],
        [{ code: "list.cost", why: 3 }, /why of entry 1 is not a text/],
        [{ code: "list.cost", why: "x", until: "2027-02-30" }, /until of entry 1 is not a day/],
        [{ code: "list.cost", why: "x", until: "soon" }, /until of entry 1 is not a day/],
        ["list.cost", /entry 1 is not an object/],
      ] as const) {
        await assert.rejects(load(JSON.stringify({ known: [entry] })), says);
      }
      await assert.rejects(load("[]"), /write \{ "known"/);
      assert.deepEqual(await load('\u{feff}{"known":[]}'), { file, questions: [] });
    }));

  it("apply only to their code and the word they name, and until their last day", () => {
    const now = new Date("2026-11-21T10:00:00Z");
    const is = (entry: object, text: string): boolean =>
      findKnownQuestion(
        { code: "words.unknown-status", text },
        { questions: [{ code: "words.unknown-status", why: "x", ...entry }] },
        now,
      ) !== undefined;
    assert.ok(is({}, "anything"));
    assert.ok(is({ about: "paused" }, 'The status "paused" (3 rows) is not known.'));
    assert.ok(!is({ about: "paused" }, 'The status "un-paused" (3 rows) is not known.'));
    assert.ok(!is({ about: "a.b" }, "a-b"));
    assert.ok(is({ until: "2026-11-21" }, "x") && !is({ until: "2026-11-20" }, "x"));
    assert.ok(!is({ code: "list.cost" }, "x"));
  });
});
