import assert from "node:assert/strict";
import {
  type ConfiguredWords,
  kindOfAction,
  mayBeRestore,
  statusOf,
  type TransactionStatus,
} from "../../provider/rows/words";
import { listed } from "./listed";

const none: ConfiguredWords = { restoreActions: [], completeStatuses: [], failedStatuses: [] };

const meanings: Readonly<Record<Exclude<TransactionStatus, "unknown">, string>> = {
  pending: "pending queued scheduled waiting new",
  running: "running started processing in_progress active",
  complete: "complete completed success succeeded successful done finished",
  failed: "failed failure error",
  cancelled: "cancelled canceled aborted",
};

async function meaningOf(fields: object, words = none): Promise<TransactionStatus | undefined> {
  const [row] = await listed({ id: 1, ...fields });
  return row && statusOf(row, words);
}

describe("a status", () => {
  for (const [meaning, words] of Object.entries(meanings))
    it(`is ${meaning} by ${words}, in any case and with any separator`, async () => {
      for (const word of words.split(" "))
        for (const spelling of [word, word.toUpperCase(), word.replace("_", "-"), word.replace("_", " ")])
          assert.equal(await meaningOf({ status: spelling }), meaning, spelling);
    });

  it("is unknown by any other word, until a setting classifies it", async () => {
    assert.equal(await meaningOf({ status: "green" }), "unknown");
    assert.equal(
      await meaningOf({ status: "Green light" }, { ...none, completeStatuses: ["green-light"] }),
      "complete",
    );
    assert.equal(await meaningOf({ status: "red" }, { ...none, failedStatuses: ["RED"] }), "failed");
  });

  it("that is over says in a second field how", async () => {
    assert.equal(await meaningOf({ state: "closed", result: "ok" }), "complete");
    assert.equal(await meaningOf({ state: "closed", result: "error" }), "failed");
    assert.equal(await meaningOf({ state: "running", result: null }), "running");
  });
});

describe("an action", () => {
  const table: readonly (readonly [action: string | undefined, mayBe: boolean, kind: string | undefined])[] = [
    ["restore_virtual_machine", true, "machine"],
    ["restore_backup", true, "machine"],
    ["RESTORE_FILES", true, "files"],
    ["restore", true, undefined],
    ["rollback", false, undefined],
    ["take_backup", false, "machine"],
    [undefined, true, undefined],
  ];
  for (const [action, mayBe, kind] of table)
    it(`${action ?? "that is missing"} ${mayBe ? "may be" : "is no"} restore, of ${kind ?? "nothing in particular"}`, () => {
      const row = { ...(action !== undefined && { action }) };
      assert.deepEqual([mayBeRestore(row, none), kindOfAction(action)], [mayBe, kind]);
    });

  it("in the settings may be a restore", () => {
    assert.ok(mayBeRestore({ action: "ROLL_BACK" }, { ...none, restoreActions: ["roll back"] }));
  });
});
