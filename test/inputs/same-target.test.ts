import assert from "node:assert/strict";
import { meansSame } from "../../provider/inputs/restore-table";

describe("whether one input means the same restore", () => {
  const table: readonly [name: string, input: string, a: unknown, b: unknown, same: boolean][] = [
    ["equal ids", "virtualMachineId", "42", "42", true],
    ["another machine", "virtualMachineId", "42", "43", false],
    ["a number that a state has been given by hand", "virtualMachineId", 42, "42", false],
    ["paths in another order", "paths", ["/a", "/b"], ["/b", "/a"], true],
    ["fewer paths", "paths", ["/a", "/b"], ["/a"], false],
    ["no paths, as nothing and as null", "paths", undefined, null, true],
    ["no triggers and none of them", "triggers", undefined, [], true],
    ["triggers in another order", "triggers", [1, 2], [2, 1], false],
    ["triggers whose keys come in another order", "triggers", [{ a: 1, b: 2 }], [{ b: 2, a: 1 }], true],
    ["another kind", "kind", "VmRestore", "FileRestore", false],
  ];
  for (const [name, input, a, b, same] of table) {
    it(`${name}: ${same ? "yes" : "no"}`, () => {
      assert.equal(meansSame(input, a, b), same);
      assert.equal(meansSame(input, b, a), same);
    });
  }
});
