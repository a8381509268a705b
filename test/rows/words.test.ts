import assert from "node:assert/strict";
import type { KnownStatus } from "../../provider/panel/conventions";
import { noWords as none } from "../../provider/panel/facts";
import type { RowState } from "../../provider/panel/types";
import { mayBeRestore } from "../../provider/rows/jobs";
import { listedBy } from "./listed";

const meanings: Readonly<Record<KnownStatus | "unclear", string>> = {
  unclear: "timed_out partially_failed completed_with_warnings killed",
  pending: "pending queued scheduled waiting submitted new not_started",
  running: "running started processing in_progress active executing working busy paused restoring",
  complete: "complete completed success succeeded successful done finished ok completed_successfully",
  failed: "failed failure fail error errored unsuccessful rejected",
  cancelled: "cancelled canceled aborted",
};

function asText(fields: object): object {
  const isScalar = (value: unknown): boolean => typeof value === "boolean" || typeof value === "number";
  const texts = JSON.stringify(fields, (_name, value: unknown) => (isScalar(value) ? String(value) : value));
  return JSON.parse(texts) as object;
}

async function meaningOf(fields: object, words = none): Promise<RowState | undefined> {
  const [row] = await listedBy(words, { id: 1, ...fields });
  return row?.state;
}

describe("a status", () => {
  for (const [meaning, words] of Object.entries(meanings))
    it(`means ${meaning} if it is one of ${words}, in any case and with any separator`, async () => {
      for (const word of words.split(" "))
        for (const spelling of [word, word.toUpperCase(), word.replace("_", "-"), word.replace("_", " ")])
          assert.equal(await meaningOf({ status: spelling }), meaning, spelling);
    });

  it("has no known meaning if it is an unknown word, until a setting classifies the word", async () => {
    for (const status of ["green", "okay", "over"]) assert.equal(await meaningOf({ status }), "unknown");
    assert.equal(await meaningOf({ status: "Green one" }, { ...none, completeStatuses: ["green-one"] }), "complete");
    assert.equal(await meaningOf({ status: "red" }, { ...none, failedStatuses: ["RED"] }), "failed");
  });

  it("gets its outcome from a second field if the status itself shows only that the row has ended", async () => {
    for (const status of ["closed", "ended", "stopped", "Done", "FINISHED"]) {
      assert.equal(await meaningOf({ status, result: "ok" }), "complete", status);
      assert.equal(await meaningOf({ status, outcome: "error" }), "failed", status);
      assert.equal(await meaningOf({ status, conclusion: "Canceled" }), "cancelled", status);
      assert.equal(await meaningOf({ status, exit_status: 0 }), "complete", status);
      assert.equal(await meaningOf({ status, exit_status: 1 }), "unclear", status);
      assert.equal(await meaningOf({ status, result: "partial" }), "unclear", status);
      assert.equal(await meaningOf({ status, result: "12 files" }), "unclear", status);
      assert.equal(await meaningOf({ status, result: "ok", outcome: "error" }), "unclear", status);
      const isKnown = ["Done", "FINISHED"].includes(status);
      for (const none of [{}, { result: null }, { result: "n/a" }])
        assert.equal(await meaningOf({ status, ...none }), isKnown ? "complete" : "unclear", status);
    }
    assert.equal(await meaningOf({ state: "running", result: null }), "running");
    assert.equal(await meaningOf({ status: "closed", state: "finished" }), "unclear");
    for (const status of ["stopped", "killed", "timed_out"])
      assert.equal(await meaningOf({ status, success: false }), "unclear");
    const ends = {
      complete: [{ success: true }, { result: { success: true } }, { result: ["ok"] }],
      failed: [{ success: "no" }, { success: false, error: "disk full" }, { result: { result: "Failed" } }],
      unclear: [{ success: true, error: "disk full" }, { result: { id: 42, name: "ok-1", status: "running" } }],
    };
    for (const [meaning, all] of Object.entries(ends))
      for (const fields of all)
        assert.equal(await meaningOf({ status: "ended", ...fields }), meaning, JSON.stringify(fields));
  });

  it("takes a known outcome from a second field if the status itself is an unknown word", async () => {
    assert.equal(await meaningOf({ status: "exited", result: "ok" }), "complete");
    assert.equal(await meaningOf({ status: "exited", result: "failed" }), "failed");
    assert.equal(await meaningOf({ status: "exited", result: "ok", error: "disk full" }), "unclear");
    assert.equal(await meaningOf({ status: "exited", result: "ok", state: "running" }), "running");
    for (const result of ["12 files", "running", "partial", 0, false, true, null])
      assert.equal(await meaningOf({ status: "reticulating", result }), "unknown", String(result));
    for (const more of [{ exit_status: 0 }, { result: { id: 42, status: "ok" } }, { success: true }])
      assert.equal(await meaningOf({ status: "reticulating", ...more }), "unknown", JSON.stringify(more));
  });

  it("means running, even if the row has an end time, if another field shows that the row is running and not merely that it exists", async () => {
    const past = { created_at: "2026-11-21T01:00:00Z", finished_at: "2026-11-21T01:10:00Z" };
    for (const [field, word] of Object.entries({ state: "running", phase: "queued", current_state: "In Progress" }))
      for (const more of [{}, past]) assert.equal(await meaningOf({ status: "ok", [field]: word, ...more }), "running");
    assert.equal(await meaningOf({ status: "ok", state: "finished" }), "complete");
    assert.equal(await meaningOf({ status: "complete", state: "active" }), "complete");
    assert.equal(await meaningOf({ status: "complete", state: "starting" }), "complete");
    assert.equal(await meaningOf({ status: "ok", state: "active" }), "running");
    assert.equal(await meaningOf({ status: "timed_out", result: "failed" }), "failed");
    assert.equal(await meaningOf({ status: "complete", state: "failed" }), "unclear");
  });

  const beside: readonly (readonly [meaning: RowState, fields: readonly object[]])[] = [
    ["unclear", [{ result: "failed" }, { conclusion: "DiskFailure" }, { ok: false }, { result: false }]],
    ["unclear", [{ result: "timed_out" }, { conclusion: "startup_failure" }, { outcome: "partial" }]],
    ["unclear", [{ conclusion: "stale" }, { error_message: "disk full" }, { failureReason: "disk full" }]],
    ["unclear", [{ error: "failed: no such file" }, { failure: "Failure: no route" }, { last_error: "disk full" }]],
    ["unclear", [{ error: "No error output: killed by signal 9" }, { "error-msg": "disk full" }, { exception: "E" }]],
    ["complete", [{ error: { code: 0, message: "Success" } }, { errors: ["no errors"] }, { conclusion: "Successful" }]],
    ["complete", [{ error: "none" }, { error_message: "" }, { conclusion: "n/a" }, { errors: [] }, { exception: {} }]],
    // Second fields that are objects or lists, and other names for such fields.
    ["unclear", [{ result: { code: "error" } }, { result: { success: false } }, { result: [{ error: "disk full" }] }]],
    ["unclear", [{ outcome: { name: "FAILURE" } }, { result: ["failed"] }, { result: { result: "Failed" } }]],
    ["unclear", [{ result_status: "failed" }, { jobResult: "error" }, { completion_status: "partial" }]],
    [
      "complete",
      [{ result: { code: "ok" } }, { result: { id: 42, state: "failed" } }, { result: { ok: 0, failed: 0 } }],
    ],
    ["complete", [{ result: [{ status: "skipped" }, { status: "ok" }] }, { result: { name: "error-tracker" } }]],
    ["unclear", [{ result: "failed: disk full" }, { exit_status: "ERROR: disk full" }, { outcome: "Aborted: by ann" }]],
    ["unclear", [{ result: { code: "timed_out" } }, { outcome: { status: "partial" } }, { exit_code: 255 }]],
    // Other free text, flags and counts show no outcome.
    ["complete", [{ result: "1 error" }, { result: "Failed: 0, restored: 12" }, { outcome: "Failed over to node 2" }]],
    ["complete", [{ outcome: "unsuccessful, disk 2" }, { result: "machine 42 is restored" }, { outcome: "失败" }]],
    ["complete", [{ message: "Restore failed" }, { has_errors: true }, { error_count: 3 }, { on_failure: "stop" }]],
    ["complete", [{ details: { error: "disk full" } }, { params: { result: "failed" } }]],
  ];
  const flags: readonly (readonly [meaning: RowState, fields: readonly object[]])[] = [
    ["unclear", [{ result: { success: false } }, { result: { error: "full" } }, { result: { exit_code: 1, s: 9 } }]],
    ["unclear", [{ success: false }, { failed: true }, { exit_code: 1 }, { exit_status: -1 }, { success: 0 }]],
    ["complete", [{ success: true }, { failed: false }, { exit_code: 0 }, { exit_status: "00" }, { failed: "" }]],
    ["complete", [{ error: "none" }, { error: 0 }, { error: { code: 0, message: "" } }, { errors: [""] }]],
    ["complete", [{ result_code: 200 }, { return_code: "201" }, { error: "No error" }, { result: { ok: 7, err: 0 } }]],
    ["complete", [{ error: "The operation completed successfully." }, { error: "Success." }, { errors: "0 errors" }]],
    ["complete", [{ error_code: "0x00000000" }, { error: "{}" }, { errors: "[]" }, { error: "No errors found" }]],
    ["unclear", [{ error: "disk full" }, { error: { code: 5 } }, { errors: ["disk full"] }, { result_code: 404 }]],
  ];
  for (const [status, table] of Object.entries({ completed: beside, finished: flags }))
    for (const [meaning, all] of table)
      it(`is ${meaning} if it is "${status}" and the row contains, even as text, ${all.map((fields) => JSON.stringify(fields)).join(" or ")}`, async () => {
        for (const said of [...all, ...all.map(asText)])
          assert.equal(await meaningOf({ status, ...said }), meaning, JSON.stringify(said));
      });

  it("has no clear meaning if it is complete but another field contradicts it, until a setting classifies the status", async () => {
    for (const status of ["complete", "completed", "finished"])
      for (const fields of [{ error: "disk full" }, { success: false }, { state: "running" }, { result: "failed" }]) {
        const words = { ...none, completeStatuses: [status] };
        assert.notEqual(await meaningOf({ status, ...fields }), "complete", status);
        assert.equal(await meaningOf({ status, ...fields }, words), "complete", status);
      }
    const words = { ...none, completeStatuses: ["half"], failedStatuses: ["broken"] };
    assert.equal(await meaningOf({ status: "closed", result: "half" }, words), "complete");
    assert.equal(await meaningOf({ status: "closed", result: "broken" }, words), "failed");
  });

  it("has no clear meaning if it is an unknown word and the timestamps show that the row has ended", async () => {
    const [began, ended] = ["2026-11-21T01:00:00Z", "2026-11-21T01:10:00Z"];
    for (const fields of [
      { created_at: began, finished_at: ended },
      { started_at: began, completed_at: ended },
      { beginTime: began, CompletionTime: ended },
      { created_at: "2026-11-21 01:00:00", end_time: "2026-11-21 01:10:00" },
    ])
      for (const [result, meaning] of [
        [null, "unclear"],
        ["12 files", "unclear"],
        ["ok", "complete"],
        ["error", "failed"],
      ])
        assert.equal(await meaningOf({ status: "warned", result, ...fields }), meaning, JSON.stringify(fields));
    for (const fields of [
      { created_at: began, finished_at: began },
      { created_at: ended, finished_at: began },
      { finished_at: ended },
      { created_at: began, finished_at: "2999-01-01T00:00:00Z" },
      { created_at: began, finished_at: null, updated_at: ended },
    ])
      assert.equal(await meaningOf({ status: "partial", ...fields }), "unknown", JSON.stringify(fields));
    assert.equal(await meaningOf({ status: "running", created_at: began, finished_at: ended }), "running");
  });
});

describe("an action", () => {
  const table: readonly (readonly [action: string | undefined, mayBe: boolean, kind: string | undefined])[] = [
    ["restore_virtual_machine", true, "machine"],
    ["restore_backup", true, "machine"],
    ["cancel_restore", false, undefined],
    ["RESTORE_FILES", true, "files"],
    ["restore", true, undefined],
    ["rollback", false, undefined],
    ["take_backup", false, "machine"],
    ["restore_from_backup_file", true, undefined],
    ["restore_vm_files_from_backup", true, "files"],
    ["restoreFileEntries", true, "files"],
    [undefined, true, undefined],
  ];
  for (const [action, mayBe, kind] of table)
    it(`${mayBe ? "may" : "cannot"} be a restore's action: ${action ?? "none"} (kind: ${kind ?? "unknown"})`, async () => {
      const [row] = await listedBy(none, { id: 1, status: "running", ...(action !== undefined && { action }) });
      assert.deepEqual(row && [mayBeRestore(row), row.kind], [mayBe, kind]);
    });

  it("does not determine the kind of restore if the row lists paths", async () => {
    const [row] = await listedBy(none, { id: 1, status: "running", action: "restore_backup", paths: ["/etc"] });
    assert.equal(row?.kind, "files");
  });

  it("means a restore if it is listed in the settings, but its kind remains unknown", async () => {
    const words = { ...none, restoreActions: ["roll back", "revert_file", "recover vm"] };
    for (const action of ["ROLL_BACK", "REVERT_FILE", "recover_vm"]) {
      const [row] = await listedBy(words, { id: 1, status: "running", action });
      assert.deepEqual(row && [row.does, row.kind], ["restore", undefined], action);
    }
  });
});
