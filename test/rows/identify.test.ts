import assert from "node:assert/strict";
import fc from "fast-check";
import type { Row } from "../../provider/rows/chains";
import { identify, type IdentifyContext } from "../../provider/rows/identify";
import { ofMachine, ours, plainWords, row, target } from "../restore/support/rows";

const files = { ...target, kind: "FileRestore", paths: ["/etc/hosts", "/var/www"] } as const;

function sortedOut(rows: readonly Row[], changes: Partial<IdentifyContext> = {}): Record<string, string[]> {
  const sighting = identify(rows, {
    target,
    words: plainWords,
    identifiers: new Map(),
    inMachineLog: new Set(),
    isClaimed: () => false,
    ...changes,
  });
  return Object.fromEntries(
    Object.entries(sighting).map(([kind, chains]) => [
      kind,
      (chains as readonly (readonly Row[])[]).map((of) => of.map(({ id }) => id).join("+")),
    ]),
  );
}

const sorted = (parts: Partial<Record<"candidates" | "untold" | "tooLate" | "others", string[]>>) => ({
  candidates: [],
  untold: [],
  tooLate: [],
  others: [],
  ...parts,
});

describe("which row may be the restore", () => {
  const table: readonly [
    name: string,
    rows: readonly Row[],
    changes: Partial<IdentifyContext>,
    expected: ReturnType<typeof sorted>,
  ][] = [
    ["a restore of the machine", [ours(1)], {}, sorted({ candidates: ["1"] })],
    ["another machine's restore", [ours(1, ofMachine("43"))], {}, sorted({})],
    ["a backup of the machine", [ours(1, { action: "take_backup" })], {}, sorted({ others: ["1"] })],
    [
      "a restore of another point, named in params",
      [ours(1, { params: { recovery_point_id: 1008 } })],
      {},
      sorted({ others: ["1"] }),
    ],
    [
      "a restore of our point, named as its parent",
      [ours(1, { parentType: "RecoveryPoint", parentId: "1007" })],
      {},
      sorted({ candidates: ["1"] }),
    ],
    [
      "a restore of a backup, whose number says nothing of points",
      [ours(1, { parentType: "Backup", parentId: "77" })],
      {},
      sorted({ candidates: ["1"] }),
    ],
    ["a restore that does not say of which machine", [row(1, { action: "restore" })], {}, sorted({ untold: ["1"] })],
    [
      "the same, named by the machine's log",
      [row(1, { action: "restore" })],
      { inMachineLog: new Set(["1"]) },
      sorted({ candidates: ["1"] }),
    ],
    [
      "another machine's, in our machine's log all the same",
      [ours(1, ofMachine("43"))],
      { inMachineLog: new Set(["1"]) },
      sorted({}),
    ],
    ["an untold backup", [row(1, { action: "take_backup" })], {}, sorted({})],
    [
      "an untold backup in the machine's log",
      [row(1, { action: "take_backup" })],
      { inMachineLog: new Set(["1"]) },
      sorted({ others: ["1"] }),
    ],
    [
      "one taken by another resource of the program",
      [ours(2), ours(1)],
      { isClaimed: (id) => id === "1" },
      sorted({ candidates: ["2"] }),
    ],
    [
      "a chain of which one row is taken by another resource",
      [ours(2, { chainId: "c" }), ours(1, { chainId: "c" })],
      { isClaimed: (id) => id === "1" },
      sorted({}),
    ],
    [
      "a row without an action, when nothing better is there",
      [ours(1, { action: undefined } as never)],
      {},
      sorted({ candidates: ["1"] }),
    ],
    [
      "a row without an action, beside one that says restore",
      [row(2, ofMachine("42")), ours(1)],
      {},
      sorted({ candidates: ["1"] }),
    ],
    ["two restores that nothing tells apart", [ours(2), ours(1)], {}, sorted({ candidates: ["2", "1"] })],
    [
      "a chain whose restore row has only the disk it works on, told by the stop before it",
      [
        row(2, { chainId: "c", action: "restore_disk", parentType: "Disk", parentId: "5" }),
        row(1, { chainId: "c", action: "stop_virtual_machine", ...ofMachine("42") }),
      ],
      {},
      sorted({ candidates: ["1+2"] }),
    ],
    [
      "a chain that holds no restore",
      [row(1, { chainId: "c", action: "stop_virtual_machine", ...ofMachine("42") })],
      {},
      sorted({ others: ["1"] }),
    ],
    [
      "a file restore of our paths in another order",
      [ours(1, { params: { paths: ["/var/www", "/etc/hosts"] } })],
      { target: files },
      sorted({ candidates: ["1"] }),
    ],
    [
      "a file restore of other paths",
      [ours(1, { params: { paths: ["/etc/hosts"] } })],
      { target: files },
      sorted({ others: ["1"] }),
    ],
    [
      "a file restore, when a whole machine is to be restored",
      [ours(1, { params: { paths: ["/etc/hosts"] } })],
      {},
      sorted({ others: ["1"] }),
    ],
    [
      "a restore made long after ours was posted",
      [ours(1, { createdAt: "2026-11-22T00:00:00Z" })],
      { madeBefore: Date.parse("2026-11-21T16:00:00Z") },
      sorted({ tooLate: ["1"] }),
    ],
    [
      "a restore made soon after ours was posted, told in another zone",
      [ours(1, { createdAt: "2026-11-21T18:30:00+03:00" })],
      { madeBefore: Date.parse("2026-11-21T16:00:00Z") },
      sorted({ candidates: ["1"] }),
    ],
    [
      "a restore that does not say when it was made",
      [ours(1)],
      { madeBefore: Date.parse("2026-11-21T16:00:00Z") },
      sorted({ candidates: ["1"] }),
    ],
    [
      "a restore whose params list no paths",
      [ours(1, { params: { paths: [] } })],
      { target: files },
      sorted({ candidates: ["1"] }),
    ],
  ];
  for (const [name, rows, changes, expected] of table) {
    it(name, () => {
      assert.deepEqual(sortedOut(rows, changes), expected);
    });
  }

  it("of any rows, only one of this machine that may be a restore of this point is ever a candidate", () => {
    const any = fc.record({
      machine: fc.constantFrom("42", "43", undefined),
      action: fc.constantFrom("restore_recovery_point", "take_backup", undefined),
      point: fc.constantFrom("1007", "1008", undefined),
      claimed: fc.boolean(),
      logged: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), (drawn) => {
        const rows = drawn.map(({ machine, action, point }, id) =>
          row(id, {
            ...(machine !== undefined && ofMachine(machine)),
            ...(action !== undefined && { action }),
            ...(point !== undefined && { params: { recovery_point_id: point } }),
          }),
        );
        const found = sortedOut(rows, {
          inMachineLog: new Set(drawn.flatMap(({ logged }, id) => (logged ? [String(id)] : []))),
          isClaimed: (id) => drawn[Number(id)]?.claimed === true,
        });
        for (const id of found["candidates"] ?? []) {
          const one = drawn[Number(id)];
          assert.ok(one && !one.claimed && one.action !== "take_backup" && one.point !== "1008");
          assert.ok(one.machine === "42" || (one.machine === undefined && one.logged));
        }
      }),
    );
  });
});
