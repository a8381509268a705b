import assert from "node:assert/strict";
import type { RestoreRecord } from "../../provider/inputs/record";
import { completeLine, subject } from "../../provider/restore/messages";
import { recordWith, requestOf, target } from "./support/rows";

const seen = recordWith({
  transactionId: "5012",
  transactionIds: ["5012"],
  action: "restore_recovery_point",
  status: "running",
});

describe("whom a message is about", () => {
  it("a restore and its machine and point", () => {
    assert.equal(subject(requestOf()), 'restore "web" (machine 42, recovery point 1007)');
    assert.equal(
      subject(requestOf({ name: "etc", target: { ...target, kind: "FileRestore" } })),
      'file restore "etc" (machine 42, recovery point 1007)',
    );
  });
});

describe("the line of a complete restore", () => {
  const table: readonly [record: Partial<RestoreRecord>, line: string][] = [
    [{ durationSeconds: 372, queuedSeconds: 120 }, "complete in 6m12s (queued 2m, ran 4m12s), transaction 5012"],
    [{ durationSeconds: 372 }, "complete in 6m12s, transaction 5012"],
    [{}, "complete, transaction 5012"],
    [{ durationSeconds: 10, queuedSeconds: 20 }, "complete in 10s, transaction 5012"],
    [{ adopted: true }, "complete, transaction 5012, adopted"],
  ];
  for (const [record, line] of table) {
    it(line, () => {
      assert.equal(completeLine({ ...seen, status: "complete", ...record }), line);
    });
  }
});
