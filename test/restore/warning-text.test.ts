import assert from "node:assert/strict";
import { warnOnce, warningText, warningTexts } from "../../provider/restore/messages";
import type { Warning } from "../../provider/restore/result";
import { minute, ours } from "./support/rows";

const alike = (...transactionIds: string[]): Warning => ({ kind: "indistinguishable", transactionIds });
const unrecognized: Warning = { kind: "unrecognized status", status: "warn" };

describe("what a warning reads as, said and stored", () => {
  // Users' states hold these texts, and programs may compare them: none may change.
  const table: readonly [warning: Warning, text: string][] = [
    [
      {
        kind: "adopted",
        rows: [ours(5001, { action: "stop" }), ours(5002), ours(5003)].map(({ id, action }) => ({
          id,
          ...(action !== undefined && { action }),
        })),
        ageMs: 2 * minute,
      },
      "adopted transaction 5001, 5002, 5003 (stop, restore_recovery_point, 2m ago) as this restore: an earlier run was " +
        "interrupted, or its request was refused, and nothing was posted again",
    ],
    [
      { kind: "adopted", rows: [{ id: ours(5001).id }], ageMs: undefined },
      "adopted transaction 5001 (no action given) as this restore: an earlier run was interrupted, or its request was refused, and nothing " +
        "was posted again",
    ],
    [
      { kind: "taken", transactionId: "5001" },
      "took transaction 5001 as this restore, because adopt names it, and posted nothing",
    ],
    [
      { kind: "old", transactionId: "5001", ageMs: 7 * 3_600_000 },
      "transaction 5001, which adopt names, was made 7h ago, which is longer than recovery:adoptWindow",
    ],
    [
      {
        kind: "appeared later",
        rows: [ours(5001, { createdAt: "2026-11-21T10:00:00Z" }), { id: ours(5002).id }],
      },
      "a run before this one posted the restore and did not see it listed; transaction 5001 (restore_recovery_point, made " +
        "2026-11-21T10:00:00Z), 5002 (no action given, made at a time not told) has appeared since and is taken for it",
    ],
    [
      alike("5001", "5002"),
      "nothing tells these transactions apart: 5001, 5002 may each be this restore, so all of them are waited for",
    ],
    [
      unrecognized,
      'the panel\'s status "warn" is neither a success nor a failure known here, so the restore counts as unfinished; ' +
        "classify the word with recovery:completeStatuses or recovery:failedStatuses",
    ],
    [{ kind: "stored", text: "whatever an earlier release wrote" }, "whatever an earlier release wrote"],
  ];
  for (const [warning, text] of table) {
    it(warning.kind, () => {
      assert.equal(warningText(warning), text);
    });
  }

  it("stands there once, though a run before this one has stored it and this one has reason for it as well", () => {
    const kept: Warning = { kind: "stored", text: warningText(unrecognized) };
    assert.deepEqual(warningTexts([kept, alike("1"), unrecognized]), [kept.text, warningText(alike("1"))]);
  });
});

describe("a warning on the restore's row", () => {
  const scene = (...known: Warning[]) => {
    const said: string[] = [];
    return { said, say: warnOnce({ warn: (text) => said.push(text) }, known) };
  };

  it("is said when it first comes, and again when it has more to say", () => {
    const { said, say } = scene();
    say([]);
    say([alike("1", "2")]);
    say([alike("1", "2"), unrecognized]);
    say([unrecognized, alike("1", "2", "3")]);
    assert.deepEqual(said, [alike("1", "2"), unrecognized, alike("1", "2", "3")].map(warningText));
  });

  it("is not said again when it was known from the beginning, as data or as a text of the state", () => {
    const { said, say } = scene(
      { kind: "stored", text: warningText(unrecognized) },
      { kind: "taken", transactionId: "1" },
    );
    say([{ kind: "stored", text: warningText(unrecognized) }, { kind: "taken", transactionId: "1" }, unrecognized]);
    assert.deepEqual(said, []);
  });
});
