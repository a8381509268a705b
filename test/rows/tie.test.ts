import assert from "node:assert/strict";
import fc from "fast-check";
import { learnNames, pointsNamed, tieOf, type Identifiers, type Tie } from "../../provider/rows/identify";
import { ofMachine, row, type RowFields } from "../restore/support/rows";

const nothingLearned = new Map<string, string>();
const learned = new Map([["abc", "42"]]);

describe("whose a row is, asked for machine 42", () => {
  const table: readonly [name: string, fields: RowFields, identifiers: Identifiers, tie: Tie][] = [
    ["associated object is the machine", ofMachine("42"), nothingLearned, "ours"],
    ["associated object is another machine", ofMachine("43"), nothingLearned, "another's"],
    [
      "associated object is a virtual server of that id",
      { associatedObjectType: "VirtualServer", associatedObjectId: "42" },
      nothingLearned,
      "ours",
    ],
    [
      "associated object of another type has the same id",
      { associatedObjectType: "Disk", associatedObjectId: "42" },
      nothingLearned,
      "untold",
    ],
    ["an associated id without its type", { associatedObjectId: "42" }, nothingLearned, "untold"],
    ["parent is the machine", { parentType: "VirtualMachine", parentId: "42" }, nothingLearned, "ours"],
    [
      "parent is a backup with the machine's number",
      { parentType: "Backup", parentId: "42" },
      nothingLearned,
      "untold",
    ],
    [
      "parent is a disk, associated object the machine",
      { parentType: "Disk", parentId: "9", ...ofMachine("42") },
      nothingLearned,
      "ours",
    ],
    ["params name the machine", { params: { virtual_machine_id: 42 } }, nothingLearned, "ours"],
    ["params name another machine", { params: { vm_id: "43" } }, nothingLearned, "another's"],
    ["params name nothing of use", { params: { virtual_machine_id: "", remote_ip: "42" } }, nothingLearned, "untold"],
    ["an identifier nobody has explained", { identifier: "abc" }, nothingLearned, "untold"],
    ["an identifier known to be the machine's", { identifier: "abc" }, learned, "ours"],
    ["an identifier, while the machine's is known to be another one", { identifier: "xyz" }, learned, "untold"],
    ["an identifier known to be another machine's", { identifier: "xyz" }, new Map([["xyz", "43"]]), "untold"],
    [
      "an identifier that rows have shown beside several machines",
      { identifier: "abc" },
      new Map([["abc", null]]),
      "untold",
    ],
    ["a decimal identifier that is not the machine's id", { identifier: "77" }, nothingLearned, "untold"],
    ["a decimal identifier that is the machine's id", { identifier: "42" }, nothingLearned, "ours"],
    [
      "a decimal identifier that is the machine's id and a backup's",
      { identifier: "42", parentType: "Backup", parentId: "42" },
      nothingLearned,
      "untold",
    ],
    [
      "another machine, beside an identifier once shown with ours",
      { ...ofMachine("43"), identifier: "abc" },
      learned,
      "another's",
    ],
    ["a machine named by an identifier nobody has explained", ofMachine("xyz"), learned, "untold"],
    ["a machine named by an identifier known to be another's", ofMachine("xyz"), new Map([["xyz", "43"]]), "another's"],
    ["an empty identifier", { identifier: "" }, learned, "untold"],
    ["nothing at all", {}, learned, "untold"],
    ["one name of ours outweighs another's", { ...ofMachine("43"), params: { vm_id: 42 } }, nothingLearned, "ours"],
  ];
  for (const [name, fields, identifiers, tie] of table) {
    it(`${name}: ${tie}`, () => {
      assert.equal(tieOf(row(1, fields), "42", identifiers), tie);
    });
  }

  it("a program that names the machine by its identifier finds rows by either name", () => {
    assert.equal(tieOf(row(1, { identifier: "abc" }), "abc", nothingLearned), "ours");
    assert.equal(tieOf(row(1, ofMachine("42")), "abc", nothingLearned), "untold");
    assert.equal(tieOf(row(1, ofMachine("42")), "abc", learned), "ours");
    assert.equal(tieOf(row(1, ofMachine("43")), "abc", learned), "another's");
    assert.equal(tieOf(row(1, { identifier: "xyz" }), "abc", learned), "untold");
    assert.equal(tieOf(row(1, ofMachine("42")), "abc", new Map([["xyz", "42"]])), "untold");
    assert.equal(tieOf(row(1, { identifier: "xyz" }), "abc", nothingLearned), "untold");
  });

  it("with whatever names learned, a row that names the machine outright is ours and never another's", () => {
    const id = fc.nat(50).map(String);
    const word = fc.constantFrom("abc", "xyz", "o6fl3x");
    fc.assert(
      fc.property(id, fc.array(fc.tuple(word, id)), fc.option(word), (machine, pairs, identifier) => {
        const fields = { ...ofMachine(machine), ...(identifier !== null && { identifier }) };
        assert.equal(tieOf(row(1, fields), machine, new Map(pairs)), "ours");
      }),
    );
  });
});

describe("two names of one machine", () => {
  const table: readonly [name: string, fields: RowFields, learnt: readonly [string, string] | undefined][] = [
    ["identifier and associated object", { identifier: "abc", ...ofMachine("42") }, ["abc", "42"]],
    ["identifier and parent", { identifier: "abc", parentType: "VirtualMachine", parentId: "42" }, ["abc", "42"]],
    ["an identifier beside a backup", { identifier: "abc", parentType: "Backup", parentId: "77" }, undefined],
    ["a decimal identifier tells nothing new", { identifier: "42", ...ofMachine("42") }, undefined],
    ["an associated machine that is not a number", { identifier: "abc", ...ofMachine("vm-42") }, undefined],
    [
      "an identifier of a row that works on something else than the machine",
      { identifier: "abc", parentType: "Backup", parentId: "77", ...ofMachine("42") },
      undefined,
    ],
    ["no identifier", ofMachine("42"), undefined],
  ];
  for (const [name, fields, learnt] of table) {
    it(name, () => {
      const identifiers = new Map<string, string | null>();
      learnNames(identifiers, row(1, fields));
      assert.deepEqual([...identifiers], learnt === undefined ? [] : [learnt]);
    });
  }
  it("none, once an identifier was shown beside two machines", () => {
    const identifiers = new Map<string, string | null>();
    for (const machine of ["42", "43", "42"])
      learnNames(identifiers, row(1, { identifier: "abc", ...ofMachine(machine) }));
    assert.deepEqual([...identifiers], [["abc", null]]);
  });
});

describe("the recovery point a row names", () => {
  const table: readonly [name: string, fields: RowFields, points: readonly string[]][] = [
    ["as parent", { parentType: "RecoveryPoint", parentId: "1007" }, ["1007"]],
    ["as parent, with a module in its type", { parentType: "Backups::RecoveryPoint", parentId: "1007" }, ["1007"]],
    ["as associated object", { associatedObjectType: "recovery_point", associatedObjectId: "1007" }, ["1007"]],
    ["in params, as a number", { params: { recovery_point_id: 1007 } }, ["1007"]],
    ["in params, with hyphens", { params: { "backups-recovery-point-id": "1007" } }, ["1007"]],
    ["a backup is not a recovery point", { parentType: "Backup", parentId: "1007" }, []],
    ["nowhere", { params: { recovery_point_id: null, note: "1007" } }, []],
  ];
  for (const [name, fields, points] of table) {
    it(name, () => {
      assert.deepEqual(pointsNamed(row(1, fields)), points);
    });
  }
});
