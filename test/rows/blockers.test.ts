import assert from "node:assert/strict";
import type { Row } from "../../provider/rows/chains";
import { blockersOf } from "../../provider/rows/identify";
import { ofMachine, ours, plainWords, row } from "../restore/support/rows";

describe("what keeps machine 42 busy", () => {
  const table: readonly [name: string, rows: readonly Row[], inLog: readonly string[], blockers: readonly string[]][] =
    [
      ["nothing", [], [], []],
      ["a job of any kind that runs", [ours(1, { action: "update_firewall", status: "running" })], [], ["1"]],
      ["a job that waits", [ours(1, { status: "pending" })], [], ["1"]],
      ["a job with a status nobody knows", [ours(1, { status: "warn" })], [], ["1"]],
      [
        "jobs that have ended, well or badly",
        [ours(3, { status: "complete" }), ours(2, { status: "failed" }), ours(1, { status: "cancelled" })],
        [],
        [],
      ],
      ["another machine's job", [row(1, { ...ofMachine("43"), status: "running" })], [], []],
      ["a job that does not say whose it is", [row(1, { status: "running" })], [], []],
      ["the same, named by the machine's log", [row(1, { status: "running" })], ["1"], ["1"]],
      [
        "a chain of which an untold row still runs",
        [
          row(2, { chainId: "c", status: "running", parentType: "Disk", parentId: "5" }),
          ours(1, { chainId: "c", status: "complete" }),
        ],
        [],
        ["1+2"],
      ],
    ];
  for (const [name, rows, inLog, blockers] of table) {
    it(name, () => {
      const found = blockersOf(rows, "42", plainWords, new Map(), new Set(inLog));
      assert.deepEqual(
        found.map((each) => each.map(({ id }) => id).join("+")),
        blockers,
      );
    });
  }
});
