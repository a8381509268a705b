import assert from "node:assert/strict";
import { join } from "node:path";
import { membersOf } from "../../docs/tables/members";
import { outputsOf } from "../../provider/engine/outputs";
import { checkRestore } from "../../provider/inputs/check-restore";
import { diffRestore } from "../../provider/engine/diff-restore";
import { parseRestoreInputs } from "../../provider/inputs/restore-inputs";
import { decidingInputs, writtenInputs } from "../../provider/inputs/restore-table";
import { readRestoreRecord, type RestoreRecord, shownRecordNames } from "../../provider/inputs/record";
import type { FileRestoreArgs } from "../../provider/program/restores";
import { expandIgnoreChanges } from "../../provider/program/ignore-changes";

/**
 * Each input of a restore is declared in a type for programs and has a row in a table from which everything else is derived. When an input
 * is added, this file does not compile until the input has two values here. After that, these tests fail wherever it is missing.
 */

/** Two values for each input, both as `check` stores them. */
const values: Readonly<Record<keyof FileRestoreArgs, readonly [unknown, unknown]>> = {
  virtualMachineId: ["42", "43"],
  recoveryPointId: ["7", "8"],
  recoveryPoint: [{ pick: "newest" }, { pick: "oldest" }],
  paths: [["/etc"], ["/srv"]],
  triggers: [["a"], ["b"]],
  timeouts: [{ run: 60 }, { run: 90 }],
  wait: [true, false],
  adopt: ["5010", "urn:task:12"],
  retryFailed: [true, false],
  captureLog: ["onFailure", "always"],
};
const names = Object.keys(values) as (keyof FileRestoreArgs)[];
/** All inputs as they are after the intent has chosen a point: both the rule and the point are set. */
const inputs = Object.fromEntries(names.map((name) => [name, values[name][0]]));

describe("every input of a restore", () => {
  it("is included when ignoreChanges contains a wildcard", () => {
    assert.deepEqual([...writtenInputs].sort(), [...names].sort());
    assert.deepEqual(expandIgnoreChanges(["*"]).sort(), [...names].sort());
  });

  it("is read by `check`, which returns it in its stored form", () => {
    for (const which of [0, 1]) {
      const all = Object.fromEntries(names.map((name) => [name, values[name][which]]));
      for (const other of ["recoveryPoint", "recoveryPointId"]) {
        const given = Object.fromEntries(Object.entries(all).filter(([name]) => name !== other));
        assert.deepEqual(checkRestore("FileRestore")({}, given), { inputs: given, failures: [] });
      }
    }
  });

  for (const name of names) {
    it(`changes the resource when changed: ${name}`, () => {
      const olds = { ...inputs, status: "complete" };
      assert.equal(diffRestore(olds, inputs).changes, false);
      const { changes, replaces } = diffRestore(olds, { ...inputs, [name]: values[name][1] });
      assert.ok(changes !== false || replaces !== undefined);
    });
  }

  it("is compared in every run with `wait: false`, until the restore is listed", () => {
    const changes = (more: object) =>
      diffRestore({ ...inputs, wait: false, ...more }, { ...inputs, wait: false }).changes;
    assert.equal(changes({ status: "sent", transactionIds: [] }), true);
    assert.equal(changes({ status: "running", transactionIds: ["5015"] }), false);
  });

  it("causes no new restore when only its notation changes, such as the order of paths (but not of triggers)", () => {
    const replaces = (one: object, other: object): unknown =>
      diffRestore({ ...inputs, status: "complete", ...one }, { ...inputs, ...other }).replaces;
    for (const [one, other] of [
      [{ paths: ["/a", "/b"] }, { paths: ["/b", "/a"] }],
      [{ paths: null }, { paths: undefined }],
      [{ triggers: [] }, { triggers: undefined }],
      [{ triggers: [{ a: 1, b: 2 }] }, { triggers: [{ b: 2, a: 1 }] }],
    ] as const)
      assert.deepEqual([replaces(one, other), replaces(other, one)], [undefined, undefined], JSON.stringify(one));
    assert.deepEqual(replaces({ triggers: [1, 2] }, { triggers: [2, 1] }), ["triggers"]);
  });

  it("has the same value in the intent and in the restore if it decides whether a new restore is sent", () => {
    const madeFor = { kind: "FileRestore", ...Object.fromEntries(decidingInputs.map((name) => [name, inputs[name]])) };
    const mark = { panel: "https://panel.example", ended: [] };
    const intent = { id: "intent", urn: "urn", mark, madeFor };
    const parsed = parseRestoreInputs("FileRestore", { ...inputs, __intent: intent }, "create");
    assert.deepEqual(parsed.request.target, madeFor);
    assert.deepEqual(parsed.intent?.madeFor, madeFor);
  });
});

/** This does not compile until every field of the record has a value here. */
const record: Required<RestoreRecord> = {
  status: "running",
  transactionId: "5011",
  transactionIds: ["5010", "5011"],
  action: "restore_backup",
  requestedAt: "2026-11-21T10:00:00Z",
  startedAt: "2026-11-21T10:01:00Z",
  finishedAt: "2026-11-21T10:09:00Z",
  queuedSeconds: 60,
  durationSeconds: 540,
  adopted: true,
  adoptedPoint: "1008",
  warnings: ["of an earlier run"],
  logOutput: "done",
  failedPart: "5012",
  isGuess: true,
  failedBefore: ["5001", "5002"],
  mark: {
    ...{ panel: "https://panel.example", ended: ["5009"], others: ["5008"] },
    ...{ newestId: "5009", isWhole: true, takenAt: "2026-11-21T09:59:00Z" },
  },
};

describe("every part of a restore's record", () => {
  it("is stored as an output, and read back unchanged", () => {
    assert.deepEqual(readRestoreRecord(outputsOf({}, record)), record);
  });

  it("is absent or has its default if the stored value is invalid", () => {
    const strange = Object.fromEntries(Object.keys(record).map((name) => [name, { strange: true }]));
    assert.deepEqual(readRestoreRecord(strange), { status: "sent", transactionIds: [], adopted: false, warnings: [] });
  });
});

describe("a stored failed restore", () => {
  const failed = { ...inputs, ...record, status: "failed", failedPart: undefined };

  it("is sent again", () => {
    assert.deepEqual(diffRestore(failed, inputs), { changes: true, replaces: ["status"] });
  });

  const unreadable: Readonly<Record<string, unknown>> = {
    "its transactions": { transactionIds: "5010" },
    "one of its transactions": { transactionIds: ["5010", 5011] },
    "its failed part": { failedPart: 5012 },
    "a transaction of an earlier attempt": { failedBefore: ["5001", 5002] },
    "its mark": { mark: { panel: "https://panel.example", ended: "x5009" } },
  };
  for (const [what, fields] of Object.entries(unreadable))
    it(`is not sent again, but looked up on the panel, when ${what} cannot be read`, () => {
      const olds = { ...failed, ...(fields as object) };
      assert.deepEqual(diffRestore(olds, inputs), { changes: true });
      assert.equal(readRestoreRecord(olds).status, "sent");
    });
});

it("the declared outputs are all the inputs, and all parts of the record that a program may use", () => {
  const names = membersOf(join(__dirname, "../../provider/program/restores.ts"), "FileRestore").map(({ name }) => name);
  assert.deepEqual(names.sort(), [...writtenInputs, "recoveryPointTakenAt", ...shownRecordNames].sort());
});
