import assert from "node:assert/strict";
import fc from "fast-check";
import type { RestoreTarget } from "../../provider/inputs/intent";
import type { Row } from "../../provider/rows/chains";
import {
  matchTransactions,
  type MatchContext,
  noLogFindings,
  type Candidates,
} from "../../provider/rows/match-transactions";
import { ofMachine, ours, plainWords, row, target } from "../restore/support/rows";

const files: RestoreTarget = { ...target, kind: "FileRestore", paths: ["/etc/hosts", "/var/www"] };

function sighted(rows: readonly Row[], changes: Partial<MatchContext> = {}): Candidates {
  return matchTransactions(rows, { target, words: plainWords, log: noLogFindings, isKnown: () => false, ...changes });
}

type Sorted = Partial<Record<keyof Candidates, readonly string[]>>;

function sortedOut(rows: readonly Row[], changes: Partial<MatchContext> = {}): Sorted {
  const { fits, suspect, others, unattributed } = sighted(rows, changes);
  const names = (chain: readonly Row[]): string => chain.map(({ id }) => id).join("+");
  const sorted = {
    fits: fits.map(names),
    suspect: suspect.map(({ chain, reason: why }) => `${names(chain)}: ${why}`),
    others: others.map(names),
    unattributed: unattributed.map(names),
  };
  return Object.fromEntries(Object.entries(sorted).filter(([, found]) => found.length > 0));
}

type Table = readonly [name: string, rows: readonly Row[], changes: Partial<MatchContext>, expected: Sorted][];

function tested(table: Table): void {
  for (const [name, rows, changes, expected] of table) {
    it(name, () => {
      assert.deepEqual(sortedOut(rows, changes), expected);
    });
  }
}

const untold = row(1, { action: "restore", status: "pending" });
const point = (id: string | number): Row => ours(1, { params: { recovery_point_id: id } });

describe("which transaction fits a restore", () => {
  tested([
    ["a restore of the machine", [ours(1)], {}, { fits: ["1"] }],
    ["one that has ended, however", [ours(1, { status: "cancelled" })], {}, { fits: ["1"] }],
    ["another machine's restore", [ours(1, ofMachine("43"))], {}, {}],
    ["a backup of the machine", [ours(1, { action: "take_backup" })], {}, { others: ["1"] }],
    ["a row that does not say its action", [row(1, ofMachine("42"))], {}, { fits: ["1"] }],
    ["several", [ours(2), ours(1)], {}, { fits: ["2", "1"] }],
    ["another point, named by a number", [point(1008)], {}, { others: ["1"] }],
    ["our point", [point(1007)], {}, { fits: ["1"] }],
    ["our point, as the parent", [ours(1, { parentType: "RecoveryPoint", parentId: "1007" })], {}, { fits: ["1"] }],
    ["a point of another kind tells nothing", [point("k3x9point7")], {}, { fits: ["1"] }],
    [
      "so it does the other way round",
      [point(31007)],
      { target: { ...target, recoveryPointId: "k3x9point7" } },
      { fits: ["1"] },
    ],
    [
      "another point in letters",
      [point("aaaa")],
      { target: { ...target, recoveryPointId: "k3x9point7" } },
      { others: ["1"] },
    ],
    ["a backup's number is no point's", [ours(1, { parentType: "Backup", parentId: "77" })], {}, { fits: ["1"] }],
    ["one taken by another restore", [ours(2), ours(1)], { isKnown: (id) => id === "1" }, { fits: ["2"] }],
    [
      "a chain of which one row is taken",
      [ours(2, { chainId: "c" }), ours(1, { chainId: "c" })],
      { isKnown: (id) => id === "1" },
      {},
    ],
  ]);
});

describe("a chain counts whole", () => {
  tested([
    [
      "where only the stop before it says of which machine it is",
      [
        row(2, { chainId: "c", action: "restore_disk", parentType: "Disk", parentId: "5" }),
        row(1, { chainId: "c", action: "stop_virtual_machine", ...ofMachine("42") }),
      ],
      {},
      { fits: ["1+2"] },
    ],
    [
      "without chain ids, where its rows name each other",
      [ours(2, { dependentTransactionId: "1" }), ours(1, { action: "stop_virtual_machine" })],
      {},
      { fits: ["1+2"] },
    ],
    [
      "one that holds no restore is another job: it may be the first part of ours",
      [ours(1, { chainId: "c", action: "stop_virtual_machine" })],
      {},
      { others: ["1"] },
    ],
    [
      "one of another point in any of its rows",
      [ours(2, { chainId: "c" }), ours(1, { chainId: "c", params: { recovery_point_id: 1008 } })],
      {},
      { others: ["1+2"] },
    ],
  ]);
});

describe("a row that says nothing of a machine", () => {
  tested([
    ["may be the restore", [untold], {}, { unattributed: ["1"] }],
    ["even when it has ended", [{ ...untold, status: "complete" }], {}, { unattributed: ["1"] }],
    [
      "is the machine's where its log names it",
      [untold],
      { log: { named: new Set(["1"]), excluded: new Set() } },
      { fits: ["1"] },
    ],
    ["is another's where the log would name it", [untold], { log: { named: new Set(), excluded: new Set(["1"]) } }, {}],
    [
      "is what it says itself, whatever the log names",
      [ours(1, ofMachine("43"))],
      { log: { named: new Set(["1"]), excluded: new Set() } },
      {},
    ],
    ["and has ended, and is no restore", [row(1, { action: "take_backup", status: "complete" })], {}, {}],
    ["and works on what no machine has", [row(1, { action: "take_backup", parentType: "User" })], {}, {}],
    [
      "and is no restore, but the machine's by its log",
      [row(1, { action: "take_backup" })],
      { log: { named: new Set(["1"]), excluded: new Set() } },
      { others: ["1"] },
    ],
    [
      "and names another point and has ended",
      [row(1, { status: "complete", params: { recovery_point_id: 1 } })],
      {},
      {},
    ],
  ]);
});

describe("what is doubtful by its paths", () => {
  const listing = (...paths: string[]): Row => ours(1, { params: { paths } });
  tested([
    ["the same in another order", [listing("/var/www", "/etc/hosts")], { target: files }, { fits: ["1"] }],
    ["with a slash at the end", [listing("/etc/hosts", "/var/www/")], { target: files }, { fits: ["1"] }],
    ["with doubled slashes", [listing("//etc///hosts", "/var//www")], { target: files }, { fits: ["1"] }],
    [
      "the same, written like that in the program",
      [listing("/var/www")],
      { target: { ...files, paths: ["/var//www//"] } },
      { fits: ["1"] },
    ],
    ["all of the file system", [listing("/")], { target: { ...files, paths: ["//"] } }, { fits: ["1"] }],
    ["other ones", [listing("/etc/hosts")], { target: files }, { suspect: ["1: other paths"] }],
    [
      "other ones, with a slash more in the middle",
      [listing("/etc/hosts", "/var/w/ww")],
      { target: files },
      { suspect: ["1: other paths"] },
    ],
    ["any, for a whole machine: never that", [listing("/etc/hosts")], {}, { others: ["1"] }],
    ["none listed", [listing()], { target: files }, { fits: ["1"] }],
    ["a text in their place", [ours(1, { params: { paths: "/x" } })], { target: files }, { fits: ["1"] }],
    [
      "of another point: not doubtful, another's",
      [ours(1, { params: { paths: ["/x"], recovery_point_id: 8 } })],
      { target: files },
      { others: ["1"] },
    ],
  ]);
});

describe("what is doubtful for a later attempt, or a restore that is unaccounted for", () => {
  const later = { madeSince: Date.parse("2026-11-21T10:00:00Z"), later: { predecessorIds: [] } };
  const made = (stamp: string): Row => ours(1, { createdAt: `2026-11-21T${stamp}` });
  tested([
    ["made after the mark", [made("10:00:01Z")], later, { fits: ["1"] }],
    ["made in the same second: stamps are compared with stamps", [made("10:00:00Z")], later, { fits: ["1"] }],
    ["made six seconds before it", [made("09:59:54Z")], later, { suspect: ["1: listed late"] }],
    ["the same for this run's own POST", [made("09:59:54Z")], {}, { fits: ["1"] }],
    ["told in another zone", [made("12:59:54+03:00")], later, { suspect: ["1: listed late"] }],
    ["by a stamp without a zone, which tells nothing", [made("09:59:54")], later, { fits: ["1"] }],
    ["without a stamp", [ours(1)], later, { fits: ["1"] }],
    [
      "where nobody knows when the mark was taken",
      [made("09:59:54Z")],
      { later: { predecessorIds: [] } },
      { fits: ["1"] },
    ],
    [
      "a chain of which one row was",
      [ours(2, { chainId: "c", createdAt: "2026-11-21T10:00:09Z" }), { ...made("09:00:00Z"), chainId: "c" }],
      later,
      { suspect: ["1+2: listed late"] },
    ],
    [
      "the restore before was sent anew",
      [made("10:00:01Z")],
      { later: { predecessorIds: ["2"] } },
      { suspect: ["1: overwritten"] },
    ],
    [
      "no job that could not be it",
      [ours(1, { action: "take_backup" })],
      { later: { predecessorIds: ["2"] } },
      { others: ["1"] },
    ],
  ]);
});

describe("of any rows", () => {
  const any = fc.record({
    machine: fc.constantFrom("42", "43", undefined),
    action: fc.constantFrom("restore_recovery_point", "take_backup", undefined),
    point: fc.constantFrom("1007", "1008", "k3x9", undefined),
    status: fc.constantFrom("running", "complete"),
    claimed: fc.boolean(),
    log: fc.constantFrom("named", "denied", "silent"),
  });
  const fitting = (each: typeof any extends fc.Arbitrary<infer T> ? T : never): boolean =>
    !each.claimed &&
    each.action !== "take_backup" &&
    each.point !== "1008" &&
    (each.machine === "42" || (each.machine === undefined && each.log === "named"));

  it("just those fit that are of the machine, may be a restore of this point, and are nobody else's", () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), (drawn) => {
        const rows = drawn.map(({ machine, action, point: of, status }, id) =>
          row(id, {
            status,
            ...(machine !== undefined && ofMachine(machine)),
            ...(action !== undefined && { action }),
            ...(of !== undefined && { params: { recovery_point_id: of } }),
          }),
        );
        const of = (log: string): readonly string[] =>
          drawn.flatMap((each, id) => (each.log === log ? String(id) : []));
        const context: Partial<MatchContext> = {
          log: { named: new Set(of("named")), excluded: new Set(of("denied")) },
          isKnown: (id) => drawn[Number(id)]?.claimed === true,
        };
        const expected = drawn.flatMap((each, id) => (fitting(each) ? String(id) : []));
        assert.deepEqual(sortedOut(rows, context).fits ?? [], expected);
        // What stands below the restore before is suspect, for a later attempt what names another point as well.
        const { fits, suspect } = sighted(rows, { ...context, later: { predecessorIds: ["99"] } });
        assert.ok(fits.length === 0 && suspect.length >= expected.length);
      }),
    );
  });
});
