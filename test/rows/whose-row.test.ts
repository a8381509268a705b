import assert from "node:assert/strict";
import fc from "fast-check";
import { mayConcernMachine, namedPoints, whoseRow, type Whose } from "../../provider/rows/whose-row";
import { ofMachine, row, type RowFields } from "../restore/support/rows";

describe("whose a row is", () => {
  const table: readonly [name: string, fields: RowFields, tie: Whose, machine?: string][] = [
    ["associated object is the machine", ofMachine("42"), "this machine"],
    ["associated object is another machine", ofMachine("43"), "another machine"],
    [
      "a virtual server of that id",
      { associatedObjectType: "VirtualServer", associatedObjectId: "42" },
      "this machine",
    ],
    ["an object of another type", { associatedObjectType: "Disk", associatedObjectId: "42" }, "not said"],
    ["an associated id without its type", { associatedObjectId: "42" }, "not said"],
    ["parent is the machine", { parentType: "VirtualMachine", parentId: "42" }, "this machine"],
    ["parent is another machine", { parentType: "VirtualMachine", parentId: "43" }, "another machine"],
    ["parent is a backup with the machine's number", { parentType: "Backup", parentId: "42" }, "not said"],
    [
      "parent is a disk, associated object the machine",
      { parentType: "Disk", parentId: "9", ...ofMachine("42") },
      "this machine",
    ],
    ["params name the machine", { params: { virtual_machine_id: 42 } }, "this machine"],
    ["params name another machine", { params: { vm_id: "43" } }, "another machine"],
    ["params name nothing of use", { params: { virtual_machine_id: "", remote_ip: "42" } }, "not said"],
    ["one name of ours outweighs another's", { ...ofMachine("43"), params: { vm_id: 42 } }, "this machine"],
    ["its identifier is the name in the program", { identifier: "abc" }, "this machine", "abc"],
    ["its identifier is another one: it may be its target's", { identifier: "xyz" }, "not said", "abc"],
    ["a number for an identifier, beside a program's number", { identifier: "77" }, "not said"],
    ["the machine's number for an identifier", { identifier: "42" }, "this machine"],
    ["the same, of a backup with that number", { identifier: "42", parentType: "Backup", parentId: "42" }, "not said"],
    ["another machine, whatever its identifier", { ...ofMachine("43"), identifier: "xyz" }, "another machine"],
    ["a machine named in letters, asked for by number", ofMachine("xyz"), "not said"],
    ["a machine named by number, asked for in letters", ofMachine("42"), "not said", "abc"],
    ["a machine named in other letters", ofMachine("xyz"), "another machine", "abc"],
    ["an empty identifier", { identifier: "" }, "not said", ""],
    ["nothing at all", {}, "not said"],
  ];
  for (const [name, fields, whose, machine = "42"] of table) {
    it(`${name}: ${whose}`, () => {
      assert.equal(whoseRow(row(1, fields), machine), whose);
    });
  }

  it("is ours and never another's where it names the machine outright, whatever else it says", () => {
    const id = fc.nat(50).map(String);
    const other = fc.record(
      {
        identifier: fc.constantFrom("abc", "7"),
        parentType: fc.constantFrom("Backup", "VirtualMachine"),
        parentId: id,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(id, other, (machine, more) => {
        assert.equal(whoseRow(row(1, { ...more, ...ofMachine(machine) }), machine), "this machine");
      }),
    );
  });
});

it("what works on a machine, a part of one or nothing that is named may keep a machine busy", () => {
  const types = [
    "VirtualMachine",
    "virtual_server",
    "Disk",
    "Backup",
    "Backups::RecoveryPoint",
    undefined,
    "User",
    "Template",
  ];
  assert.deepEqual(
    types.map((parentType) => mayConcernMachine(parentType === undefined ? {} : { parentType })),
    [true, true, true, true, true, true, false, false],
  );
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
      assert.deepEqual(namedPoints(row(1, fields)), points);
    });
  }
});
