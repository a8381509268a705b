import assert from "node:assert/strict";
import type { RestoreTarget } from "../../provider/inputs/intent";
import { isOpen, type Job, jobsOf, type Judging } from "../../provider/rows/jobs";
import { listed } from "./listed";

const target: RestoreTarget = { kind: "VmRestore", virtualMachineId: "42", recoveryPointId: "1007" };
const mark = { panel: "https://panel.example", ended: ["5000"], newestId: "5000", takenAt: "2026-11-21T10:00:00Z" };

/** The jobs formed by the rows, newest first. All rows are above the mark unless the case specifies otherwise. */
async function jobs(rows: readonly object[], changes: Partial<Judging> = {}): Promise<readonly Job[]> {
  const found = await listed(...rows.map((row) => ({ status: "complete", ...row })));
  const above = new Set(found.map(({ id }) => id as string));
  return jobsOf(found, { target, mark, isLater: false, above, ...changes });
}

const idsOf = ({ rows }: Job): string => rows.map(({ id }) => id).join("+");

describe("rows", () => {
  const queue = { dependent_transaction_id: 1, action: "restore" };
  const isKnownRow = (id: string): boolean => id === "1";
  const vm = { action: "restore_vm" };
  const failedVm = { ...vm, status: "failed" };
  type Fields = Readonly<Record<number, object>>;
  const table: Readonly<Record<string, readonly [rows: Fields, jobs: string, how?: object]>> = {
    "are one job if they belong to the same chain": [{ 3: { chain_id: "c9" }, 2: {}, 1: { chain_id: "c9" } }, "1+3, 2"],
    "are in the order of their creation, whatever the order of the list": [
      {
        3: { chain_id: 9, created_at: "2026-11-21T10:00:00Z" },
        2: { chain_id: 9, created_at: "2026-11-21T11:00:00Z" },
      },
      "3+2",
    ],
    "are separate jobs if a failed restore is followed by a complete restore in the same chain": [
      { 2: { ...vm, chain_id: 9 }, 1: { ...failedVm, chain_id: 9 } },
      "1, 2",
    ],
    "are one job if their parent repeats a failed step": [
      { 3: { ...vm, parent_id: 1 }, 2: { ...failedVm, parent_id: 1 }, 1: { vm_id: 42 } },
      "1+2+3",
    ],
    "are separate jobs if their chains differ, even if one waits for the other": [
      { 2: { chain_id: 8, dependent_transaction_id: 1 }, 1: { chain_id: 7 } },
      "1, 2",
    ],
    "are separate jobs if a row's parent is a machine, not the row with the same id": [
      { 43: { parent_type: "VirtualMachine", parent_id: 42 }, 42: {} },
      "42, 43",
    ],
    "are left out of their chain's job if they belong to another machine": [
      { 2: { chain_id: 9, vm_id: 42 }, 1: { chain_id: 9, vm_id: 43 } },
      "2",
    ],
    "are separate jobs if one waits for another restore's row": [{ 2: queue, 1: {} }, "1, 2", { isKnownRow }],
    "are separate jobs if a restore waits for another restore's row, but a restore and its own start are one job": [
      { 3: { dependent_transaction_id: 2, action: "start" }, 2: queue, 1: {} },
      "1, 2+3",
      { isKnownRow },
    ],
    "are separate jobs if one waits for a row below the mark": [{ 2: queue, 1: {} }, "1, 2", { above: new Set(["2"]) }],
    "are separate jobs if a failed attempt waits for another restore, but the attempt and its backup are one job": [
      { 3: { dependent_transaction_id: 2, action: "backup" }, 2: queue, 1: {} },
      "1, 2+3",
      { above: new Set(["2", "3"]), isKnownRow: (id: string) => id === "2" },
    ],
    "are separate jobs if one waits for a restore of another kind": [
      { 2: { ...queue, action: "restore_files" }, 1: vm },
      "1, 2",
    ],
    "are one job if one waits for the other and neither belongs to another restore": [
      { 2: queue, 1: { action: "restore" } },
      "1+2",
    ],
    "are one job if one waits for another restore's row in the same chain": [
      { 2: { ...queue, chain_id: 5 }, 1: { chain_id: 5 } },
      "1+2",
      { isKnownRow },
    ],
  };
  for (const [what, [rows, expected, how]] of Object.entries(table))
    it(what, async () => {
      const listedRows = Object.entries(rows).map(([id, fields]) => ({ id: Number(id), ...fields }));
      const found = await jobs(listedRows.toReversed(), how);
      assert.equal(found.map(idsOf).sort().join(", "), expected);
    });

  it("belong to the machine that is named by another row in their job, or by the row that they wait for", async () => {
    const found = await jobs([
      { id: 6, dependent_transaction_id: 5 },
      { id: 5, vm_id: 43 },
      { id: 3, chain_id: 9 },
      { id: 2, chain_id: 9, vm_id: 42 },
      { id: 1 },
    ]);
    const said = found.map((job) => `${idsOf(job)} ${job.whose}`);
    assert.deepEqual(said.sort(), ["1 not said", "2+3 this machine"]);
  });
});

describe("a job's outcome", () => {
  const table: readonly (readonly [what: string, statuses: readonly string[], end: string | undefined])[] = [
    ["is not known while a part runs", ["running", "complete"], undefined],
    ["is a failure even if later parts wait forever", ["pending", "failed"], "failed"],
    ["is not known while another part runs after a failure", ["running", "failed"], undefined],
    ["is not known if a status is unknown", ["complete", "green"], undefined],
    ["is unclear if a part's outcome is unclear", ["complete", "closed"], "unclear"],
    ["is unclear even if another part has failed", ["failed", "closed"], "unclear"],
    ["is unclear even if later parts wait forever", ["pending", "closed"], "unclear"],
  ];
  for (const [what, statuses, end] of table)
    it(what, async () => {
      const [job] = await jobs(statuses.map((status, index) => ({ id: 9 - index, chain_id: 1, status })));
      assert.equal(job?.end, end);
    });

  const steps: readonly (readonly [parent: string, step: string, end: string | undefined, failedPart?: string])[] = [
    ...["pending", "running"].map((step) => ["complete", step, undefined] as const),
    ...["failed", "cancelled"].map((step) => ["complete", step, "failed", "2"] as const),
    ...["pending", "complete"].map((step) => ["failed", step, "failed"] as const),
    ...["running", "pending"].map((parent) => [parent, "failed", undefined] as const),
    ...[["failed", "running", undefined] as const, ["cancelled", "failed", "cancelled"] as const],
  ];
  for (const [parent, step, end, failedPart] of steps)
    it(`is ${end ?? "not known"} when the parent is ${parent} and a step is ${step}`, async () => {
      const [job] = await jobs([
        { id: 2, parent_id: 1, status: step },
        { id: 1, status: parent, vm_id: 42 },
      ]);
      assert.deepEqual([job?.end, job?.failedPart?.id], [end, failedPart]);
    });
});

describe("a job scheduled for later", () => {
  const now = Date.parse("2026-11-21T10:00:00Z");
  const later = { start_after: "2026-11-21T12:00:00Z" };
  const table: readonly (readonly [what: string, rows: readonly object[], isIt: boolean, clock?: "unknown"])[] = [
    ["is not under way if it starts later by the panel's clock", [{ status: "pending", ...later }], false],
    ["counts as under way if the panel's clock is unknown", [{ status: "pending", ...later }], true, "unknown"],
    ["is not under way if other parts have ended", [{ status: "pending", ...later }, { status: "complete" }], false],
    ["is under way if another part is not scheduled", [{ status: "pending", ...later }, { status: "pending" }], true],
    ["is under way if it is already running", [{ status: "running", ...later }], true],
    ["is under way if it starts within a minute", [{ status: "pending", start_after: "2026-11-21T10:00:30Z" }], true],
  ];
  for (const [what, rows, isIt, clock] of table)
    it(what, async () => {
      const [job] = await jobs(rows.map((row, index) => ({ id: 9 - index, chain_id: 1, ...row })));
      assert.equal(job && isOpen(job, clock ? undefined : now), isIt);
    });
});

/** Cases that exhaustive.test.ts does not cover. */
describe("the evidence that a job is not this restore", () => {
  const restore = { id: 5001, action: "restore_virtual_machine", vm_id: 42 };
  const files: RestoreTarget = { ...target, kind: "FileRestore", paths: ["/etc/hosts", "/var/www"] };
  const table: readonly (readonly [what: string, row: object, changes: Partial<Judging>, count: number])[] = [
    ["does not include a recovery point with another kind of id", { ...restore, recovery_point_id: "rp-8" }, {}, 0],
    ["includes other paths", { id: 5001, vm_id: 42, params: { paths: ["/etc"] } }, { target: files }, 1],
    [
      "does not include the same paths in a different order and spelling",
      { id: 5001, vm_id: 42, params: { paths: ["/var//www/", "/etc/hosts"] } },
      { target: files },
      0,
    ],
  ];
  for (const [what, row, changes, count] of table)
    it(what, async () => {
      const [job] = await jobs([row], changes);
      assert.equal(job?.contradictions.length, count, job?.contradictions.join());
    });

  it("does not include the recovery point of a backup that the panel makes first in the same job", async () => {
    const backup = { id: 5000, action: "create_backup", vm_id: 42, recovery_point_id: 2001 };
    const [job] = await jobs([restore, backup].map((row) => ({ ...row, chain_id: 9 })));
    assert.deepEqual([job?.rows.length, job?.contradictions], [2, []]);
  });
});
