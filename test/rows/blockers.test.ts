import assert from "node:assert/strict";
import type { Row } from "../../provider/rows/chains";
import { blockersOf, type LogKnowledge, nothingLogged } from "../../provider/rows/identify";
import { ofMachine, ours, plainWords, row } from "../restore/support/rows";

const names = (chains: readonly (readonly Row[])[]): readonly string[] =>
  chains.map((each) => each.map(({ id }) => id).join("+"));

describe("what keeps machine 42 busy", () => {
  const named: LogKnowledge = { named: ["1"], denied: [] };
  const denied: LogKnowledge = { named: [], denied: ["1"] };
  const table: readonly [
    name: string,
    rows: readonly Row[],
    log: LogKnowledge,
    blockers: readonly string[],
    untold?: readonly string[],
  ][] = [
    ["nothing", [], nothingLogged, []],
    ["a job of any kind that runs", [ours(1, { action: "update_firewall", status: "running" })], nothingLogged, ["1"]],
    ["a job that waits", [ours(1, { status: "pending" })], nothingLogged, ["1"]],
    ["a job with a status nobody knows", [ours(1, { status: "warn" })], nothingLogged, ["1"]],
    [
      "jobs that have ended, well or badly",
      [ours(3, { status: "complete" }), ours(2, { status: "failed" }), ours(1, { status: "cancelled" })],
      nothingLogged,
      [],
    ],
    ["another machine's job", [row(1, { ...ofMachine("43"), status: "running" })], nothingLogged, []],
    ["another machine's, though its log names it", [row(1, { ...ofMachine("43"), status: "running" })], named, []],
    ["a job that does not say whose it is", [row(1, { status: "running" })], nothingLogged, [], ["1"]],
    ["the same, named by the machine's log", [row(1, { status: "running" })], named, ["1"]],
    ["the same, which that log would have named", [row(1, { status: "running" })], denied, []],
    ["a disk's", [row(1, { status: "running", parentType: "Disk", parentId: "9" })], nothingLogged, [], ["1"]],
    ["a backup's", [row(1, { status: "running", parentType: "Backup", parentId: "9" })], nothingLogged, [], ["1"]],
    ["a template's, which no machine has", [row(1, { status: "running", parentType: "Template" })], nothingLogged, []],
    ["one that has ended and does not say whose it was", [row(1, { status: "complete" })], nothingLogged, []],
    [
      "a chain of which an untold row still runs",
      [
        row(2, { chainId: "c", status: "running", parentType: "Disk", parentId: "5" }),
        ours(1, { chainId: "c", status: "complete" }),
      ],
      nothingLogged,
      ["1+2"],
    ],
  ];
  for (const [name, rows, log, blockers, untold = []] of table) {
    it(name, () => {
      const found = blockersOf(rows, "42", plainWords, log);
      assert.deepEqual([names(found.blockers), names(found.untold)], [blockers, untold]);
    });
  }
});
