import assert from "node:assert/strict";
import type { Row } from "../../provider/rows/chains";
import { blockersOf, type LogFindings, noLogFindings } from "../../provider/rows/match-transactions";
import { ofMachine, ours, plainWords, row } from "../restore/support/rows";

const names = (chains: readonly (readonly Row[])[]): readonly string[] =>
  chains.map((each) => each.map(({ id }) => id).join("+"));

describe("what keeps machine 42 busy", () => {
  const named: LogFindings = { named: new Set(["1"]), excluded: new Set() };
  const excluded: LogFindings = { named: new Set(), excluded: new Set(["1"]) };
  const table: readonly [
    name: string,
    rows: readonly Row[],
    log: LogFindings,
    blockers: readonly string[],
    untold?: readonly string[],
  ][] = [
    ["nothing", [], noLogFindings, []],
    ["a job of any kind that runs", [ours(1, { action: "update_firewall", status: "running" })], noLogFindings, ["1"]],
    ["a job that waits", [ours(1, { status: "pending" })], noLogFindings, ["1"]],
    ["a job with a status nobody knows", [ours(1, { status: "warn" })], noLogFindings, ["1"]],
    [
      "jobs that have ended, well or badly",
      [ours(3, { status: "complete" }), ours(2, { status: "failed" }), ours(1, { status: "cancelled" })],
      noLogFindings,
      [],
    ],
    ["another machine's job", [row(1, { ...ofMachine("43"), status: "running" })], noLogFindings, []],
    ["another machine's, though its log names it", [row(1, { ...ofMachine("43"), status: "running" })], named, []],
    ["a job that does not say whose it is", [row(1, { status: "running" })], noLogFindings, [], ["1"]],
    ["the same, named by the machine's log", [row(1, { status: "running" })], named, ["1"]],
    ["the same, which that log would have named", [row(1, { status: "running" })], excluded, []],
    ["a disk's", [row(1, { status: "running", parentType: "Disk", parentId: "9" })], noLogFindings, [], ["1"]],
    ["a backup's", [row(1, { status: "running", parentType: "Backup", parentId: "9" })], noLogFindings, [], ["1"]],
    ["a template's, which no machine has", [row(1, { status: "running", parentType: "Template" })], noLogFindings, []],
    ["one that has ended and does not say whose it was", [row(1, { status: "complete" })], noLogFindings, []],
    [
      "a chain of which a row that names no machine still runs",
      [
        row(2, { chainId: "c", status: "running", parentType: "Disk", parentId: "5" }),
        ours(1, { chainId: "c", status: "complete" }),
      ],
      noLogFindings,
      ["1+2"],
    ],
  ];
  for (const [name, rows, log, blockers, unattributed = []] of table) {
    it(name, () => {
      const found = blockersOf(rows, "42", plainWords, log);
      assert.deepEqual([names(found.blockers), names(found.unattributed)], [blockers, unattributed]);
    });
  }
});
