import assert from "node:assert/strict";
import { type RestoreProgress, type Underway, newProgress } from "../../provider/restore/restore-progress";
import { restoreProgressText } from "../../provider/restore/follow-restore";
import { markAt, minute, ours } from "./support/rows";

describe("what an operator reads on the resource's row", () => {
  const mark = markAt("5000");
  const start = newProgress({ kind: "posted", mark }, 0, undefined);
  const unconfirmed = newProgress({ kind: "unconfirmed", mark, predecessorIds: [] }, 0, undefined);
  const taken = (phase: Underway["phase"], ...rows: ReturnType<typeof ours>[]): Underway => ({
    ...start,
    phase,
    rows,
    ids: rows.map(({ id }) => id),
  });
  const table: readonly [name: string, state: RestoreProgress, text: string | undefined][] = [
    ["not listed yet", start, "accepted, not listed yet (2m10s)"],
    [
      "its answer lost",
      { ...start, posted: "unknown" },
      "the answer to the request was lost, looking for its transaction (2m10s)",
    ],
    ["of an earlier run, not listed yet", unconfirmed, "posted by an earlier run, not listed yet (2m10s)"],
    [
      "known, and not met yet",
      { ...newProgress({ kind: "known" }, 0, undefined), ids: ["5012"] },
      "looking for transaction 5012 in the panel's list (2m10s)",
    ],
    [
      "a part of it went wrong",
      { ...taken("running", ours(5012)), brokenOffSince: 1 },
      "a part of it failed or was cancelled, waiting a moment for the rest of transactions 5012",
    ],
    ["queued", taken("queued", ours(5012)), "queued, transaction 5012 (2m10s)"],
    [
      "queued behind another job",
      taken("queued", ours(5012, { dependentTransactionId: "5010" })),
      "queued behind transaction 5010 (2m10s)",
    ],
    [
      "a chain waits for nobody when it waits for itself",
      taken("queued", ours(5011), ours(5012, { dependentTransactionId: "5011" })),
      "queued, transaction 5012 (2m10s)",
    ],
    ["running", taken("running", ours(5012)), "running 2m10s, transaction 5012"],
    [
      "running, out of sight",
      { ...taken("running", ours(5012)), lastTrouble: "no answer" },
      "running 2m10s, transaction 5012; the panel cannot be read right now: no answer",
    ],
    ["over", { ...taken("running", ours(5012)), phase: "over", end: { how: "read-enough" } }, undefined],
  ];
  for (const [name, state, text] of table) {
    it(name, () => {
      assert.equal(restoreProgressText.describe(state, 2 * minute + 10_000), text);
    });
  }
});
