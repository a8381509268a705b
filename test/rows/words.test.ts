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

/** As a panel sends them in XML. */
function asText(fields: object): object {
  const isScalar = (value: unknown): boolean => typeof value === "boolean" || typeof value === "number";
  const texts = JSON.stringify(fields, (_name, value: unknown) => (isScalar(value) ? String(value) : value));
  return JSON.parse(texts) as object;
}

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
    assert.equal(await meaningOf({ status: "closed", state: "finished" }), "unknown");
  });

  it("that is complete is running beside a field that says so, and complete beside one that may mean that the row is kept", async () => {
    for (const [field, word] of [
      ["state", "running"],
      ["phase", "queued"],
      ["current_state", "In Progress"],
    ] as const)
      assert.equal(await meaningOf({ status: "ok", [field]: word }), "running", word);
    assert.equal(await meaningOf({ status: "ok", state: "finished" }), "complete");
    assert.equal(await meaningOf({ status: "complete", state: "active" }), "complete");
    assert.equal(await meaningOf({ status: "complete", state: "failed" }), "failed");
  });

  for (const [meaning, fields] of [
    ["failed", [{ result: "failed" }, { conclusion: "Failure" }, { ok: false }]],
    ["unknown", [{ result: "failed: disk full" }, { exit_status: "ERROR: disk full" }, { result: "1 error" }]],
    [
      "unknown",
      [{ error: "failed: no such file" }, { failure: "Failure: no route" }, { outcome: "unsuccessful, disk 2" }],
    ],
    [
      "unknown",
      [
        { error_message: "The restore was unsuccessful" },
        { result: "not successful" },
        { result: "failed: 0 of 12 restored" },
      ],
    ],
    ["complete", [{ error: { code: 0, message: "Success" } }, { errors: ["no errors"] }, { conclusion: "Successful" }]],
    ["complete", [{ outcome: "12 restored, 0 failed" }, { error: "Completed without errors" }, { error: "none" }]],
    [
      "unknown",
      [
        { error: "No error output: killed by signal 9" },
        { error: "lost before it was completed" },
        { outcome: "失败" },
      ],
    ],
    ["unknown", [{ result: "timed_out" }, { conclusion: "startup_failure" }, { outcome: "partial" }]],
    ["unknown", [{ conclusion: "stale" }, { error_message: "disk full" }, { failure_reason: "disk full" }]],
    ["complete", [{ result: "machine 42 is restored" }, { result: "0 errors" }, { error_message: "" }]],
    [
      "complete",
      [{ result: "Failed: 0, restored: 12" }, { conclusion: "n/a" }, { error_message: "Completed successfully." }],
    ],
  ] as const)
    it(`completed is ${meaning} beside ${fields.map((one) => JSON.stringify(one)).join(", ")}`, async () => {
      for (const one of fields)
        assert.equal(await meaningOf({ status: "completed", ...one }), meaning, JSON.stringify(one));
    });

  const flags: readonly (readonly [meaning: TransactionStatus, fields: readonly object[]])[] = [
    ["failed", [{ success: false }, { failed: true }, { exit_code: 1 }, { exit_status: -1 }, { success: 0 }]],
    ["complete", [{ success: true }, { failed: false }, { exit_code: 0 }, { exit_status: "00" }, { failed: "" }]],
    ["complete", [{ error: "none" }, { error: 0 }, { error: { code: 0, message: "" } }, { errors: [""] }]],
    ["complete", [{ result_code: 200 }, { return_code: "201" }, { error: "No error" }]],
    ["unknown", [{ error: "disk full" }, { error: { code: 5 } }, { errors: ["disk full"] }]],
  ];
  for (const [meaning, all] of flags)
    it(`finished is ${meaning} beside ${all.map((fields) => JSON.stringify(fields)).join(", ")}, as text too`, async () => {
      for (const fields of all) {
        for (const said of [fields, asText(fields)])
          assert.equal(await meaningOf({ status: "finished", ...said }), meaning, JSON.stringify(said));
      }
    });

  it("that is complete beside an error is unknown, until a setting says what it is", async () => {
    for (const status of ["complete", "completed", "finished"]) {
      assert.equal(await meaningOf({ status, error: "disk full" }), "unknown", status);
      const words = { ...none, completeStatuses: [status] };
      assert.equal(await meaningOf({ status, error: "disk full" }, words), "complete", status);
      assert.equal(await meaningOf({ status, success: false }, words), "failed", status);
    }
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
    ["restore_from_backup_file", true, undefined],
    ["restoreFileEntries", true, "files"],
    [undefined, true, undefined],
  ];
  for (const [action, mayBe, kind] of table)
    it(`${action ?? "that is missing"} ${mayBe ? "may be" : "is no"} restore, of ${kind ?? "nothing in particular"}`, () => {
      const row = { ...(action !== undefined && { action }) };
      assert.deepEqual([mayBeRestore(row, none), kindOfAction(row, none)], [mayBe, kind]);
    });

  it("in the settings may be a restore", () => {
    assert.ok(mayBeRestore({ action: "ROLL_BACK" }, { ...none, restoreActions: ["roll back"] }));
  });

  it("in the settings says neither files nor a machine", () => {
    const words = { ...none, restoreActions: ["revert_file", "recover vm"] };
    for (const action of ["REVERT_FILE", "recover_vm"]) assert.equal(kindOfAction(action, words), undefined, action);
  });
});
