import assert from "node:assert/strict";
import { meansSame } from "../../provider/inputs/restore-table";

describe("an input", () => {
  const table: readonly [name: string, input: string, a: unknown, b: unknown, same: boolean][] = [
    ["equal ids", "virtualMachineId", "42", "42", true],
    ["another machine", "virtualMachineId", "42", "43", false],
    ["a number that was put into a state by hand", "virtualMachineId", 42, "42", false],
    ["paths in another order", "paths", ["/a", "/b"], ["/b", "/a"], true],
    ["fewer paths", "paths", ["/a", "/b"], ["/a"], false],
    ["undefined and null paths", "paths", undefined, null, true],
    ["undefined and empty triggers", "triggers", undefined, [], true],
    ["triggers in another order", "triggers", [1, 2], [2, 1], false],
    ["triggers with their keys in another order", "triggers", [{ a: 1, b: 2 }], [{ b: 2, a: 1 }], true],
    ["another kind", "kind", "VmRestore", "FileRestore", false],
  ];
  for (const [name, input, a, b, same] of table) {
    it(`means ${same ? "the same" : "another"} restore for ${name}`, () => {
      assert.equal(meansSame(input, a, b), same);
      assert.equal(meansSame(input, b, a), same);
    });
  }
});
