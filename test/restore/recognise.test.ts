import assert from "node:assert/strict";
import { type Judged, jobsOfIds, type Panel, recognise, type Restore } from "../../provider/restore/recognise";
import { Claims } from "../../provider/restore/session";
import type { Job } from "../../provider/rows/jobs";
import type { Row } from "../../provider/rows/order";

/** Cases that exhaustive.test.ts does not cover: the wording of the reasons, and rows that wait for others. */
const begun = Date.parse("2026-11-27T03:00:00Z");
const at = (minutes: number): string => new Date(begun + minutes * 60_000).toISOString();
const mark = { panel: "p", ended: ["5000"], newestId: "5000", takenAt: at(0) };
const target = { kind: "VmRestore", virtualMachineId: "42", recoveryPointId: "1007" } as const;
const soon = { nearMs: 60_000 };

/** Some of a row's fields. The row lacks any field that is undefined. */
type Some = { readonly [Name in keyof Row]?: Row[Name] | undefined };

interface Known {
  readonly restore?: Partial<Restore>;
  readonly panel?: Partial<Panel>;
  /** The ids of rows that another restore of this program has claimed. */
  readonly claimed?: readonly string[];
}

/** Returns the verdict on the job that contains the last of these rows. All rows are above the mark. */
function judge(rows: readonly Some[], { restore, panel, claimed = [] }: Known): Judged {
  const usual = { state: "complete", does: "restore", machines: ["42"], perhaps: [], points: [], createdAt: at(1) };
  const listed = rows.map((row, nth) => ({ ...usual, id: String(5_001 + nth), ...row }) as unknown as Row).reverse();
  const claims = new Claims();
  for (const id of claimed) claims.claim([id], "another");
  const above = new Set(listed.map(({ id }) => id as string));
  const { jobs } = recognise(
    { rows: listed, above, unsure: new Set(), isComplete: true },
    { target, owner: "web", mark, failedIds: [], ...restore },
    { by: "nothing" },
    {
      ...{ claims, log: { names: new Set(), rulesOut: () => false }, namesMachines: true, showsNames: true },
      ...{ saysRestore: true, saysFiles: false, isForeign: () => false, time: begun, ...panel },
    },
  );
  const found = jobs.find((job) => job.rows.some(({ id }) => id === listed[0]?.id));
  return found ?? assert.fail("no such job");
}

describe("a job that may be a killed run's restore", () => {
  const unproven = "does not name the recovery point";
  const cases: Record<string, readonly [row: Some, restore: Partial<Restore>, why: string]> = {
    "is uncertain if it has no time": [{ createdAt: undefined }, { later: soon }, unproven],
    "is uncertain if the intent has no time": [{}, { later: soon, mark: { panel: "p", ended: ["5000"] } }, unproven],
    "is uncertain if it was created after the intent by more than the possible clock difference": [
      { createdAt: at(2.001) },
      { later: soon },
      unproven,
    ],
    "is the restore if it was created within that difference": [{ createdAt: at(2) }, { later: soon }, ""],
    "is uncertain for only one reason if it names another recovery point": [
      { points: ["1006"], createdAt: at(60) },
      { later: soon },
      "names another recovery point",
    ],
  };
  for (const [title, [row, restore, why]] of Object.entries(cases))
    it(title, () => {
      const job = judge([row], { restore });
      assert.deepEqual([job.verdict, job.why.join()], [why === "" ? "mine" : "maybe", why]);
    });
});

describe("a job claimed by another restore", () => {
  const start = { does: "other", after: "4990" } as Some;
  const wordless = { panel: { saysRestore: false } };
  const known = ["not mine", "is another restore of this program, or a failed attempt"];
  const cases: Record<string, readonly [rows: readonly Some[], known: Known, judged: readonly string[]]> = {
    "includes a start that waits for it": [[start], { ...wordless, claimed: ["4990"] }, known],
    "does not include a start that waits for another job": [
      [start],
      { ...wordless, claimed: ["4991"] },
      ["maybe", "is not identified as a restore"],
    ],
    "does not include a restore that waits for it": [[{ after: "4990" }], { claimed: ["4990"] }, ["mine", ""]],
    "includes a start in its chain": [[{ chain: "7" }, { chain: "7", does: "other" }], { claimed: ["5001"] }, known],
    "leaves a new restore in its chain uncertain": [
      [{ chain: "7" }, { chain: "7" }],
      { claimed: ["5001"] },
      ["maybe", "is linked to a known job"],
    ],
  };
  for (const [title, [rows, how, judged]] of Object.entries(cases))
    it(title, () => {
      const { verdict, why } = judge(rows, how);
      assert.deepEqual([verdict, why.join()], judged);
    });
});

describe("jobs with known ids", () => {
  const rowsOf = (words: string): readonly Partial<Row>[] =>
    words.split(" ").map((word, nth) => ({
      id: String(5_001 + nth) as Row["id"],
      ...(word.startsWith("complete") && { saysComplete: true as const }),
    }));
  const job = (words: string, more: Partial<Job>): Job => ({ rows: rowsOf(words), end: "failed", ...more }) as Job;
  const failedPart = rowsOf("failed")[0] as Row;
  const cases: Record<string, readonly [job: Job, ids: string, named: string | undefined, ends: readonly unknown[]]> = {
    "have their rows' outcome if the user names no row": [job("complete", {}), "5001", undefined, ["failed"]],
    "are complete if the user names a complete row": [job("complete", {}), "5001", "5001", ["complete"]],
    "have their rows' outcome if the user names a failed row": [job("failed complete", {}), "5001", "5001", ["failed"]],
    "have their rows' outcome if another part has failed": [job("complete failed", {}), "5001", "5001", ["failed"]],
    "are complete if the user names the restore and only another part had failed": [
      job("complete failed", { failedPart }),
      "5001 5002",
      "5001",
      ["complete"],
    ],
    "have their rows' outcome if a part that is listed later fails": [
      job("complete failed", { failedPart }),
      "5001",
      "5001",
      ["failed"],
    ],
    "have not ended if the named row has not ended": [job("complete", { end: undefined }), "5001", "5001", [undefined]],
    "are ignored if a row is missing and the others have ended": [job("complete", {}), "5001 5009", undefined, []],
    "are still followed if a row is missing and another has not ended": [
      job("running", { end: undefined }),
      "5001 5009",
      undefined,
      [undefined],
    ],
  };
  for (const [title, [one, ids, named, ends]] of Object.entries(cases))
    it(title, () => {
      const found = jobsOfIds([one], ids.split(" "), named).map(({ end }) => end);
      assert.deepEqual(found, ends);
    });
});
