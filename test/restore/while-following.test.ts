import assert from "node:assert/strict";
import { finish, knownByIds, unseen, type Follow, type Underway } from "../../provider/restore/follow-state";
import { whileFollowing } from "../../provider/restore/follow-restore";
import { minute, ours } from "./support/rows";

describe("what an operator reads on the resource's row", () => {
  const start = unseen(knownByIds, 0, undefined);
  const taken = (phase: Underway["phase"], ...rows: ReturnType<typeof ours>[]): Underway => ({
    ...start,
    phase,
    rows,
    ids: rows.map(({ id }) => id),
  });
  const table: readonly [name: string, state: Follow, text: string | undefined][] = [
    ["not listed yet", start, "accepted, not listed yet (2m10s)"],
    [
      "its answer lost",
      { ...start, posted: "unknown" },
      "the answer to the request was lost, looking for its transaction (2m10s)",
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
    ["over", finish(taken("running", ours(5012)), { how: "seen" }), undefined],
  ];
  for (const [name, state, text] of table) {
    it(name, () => {
      assert.equal(whileFollowing.describe(state, 2 * minute + 10_000), text);
    });
  }
});
