import assert from "node:assert/strict";
import fc from "fast-check";
import { diffRestore } from "../../provider/engine/diff-restore";
import { requireIntent } from "../../provider/restore/post-restore";
import type { RestoreTarget } from "../../provider/inputs/intent";
import { decidingInputs, meansSame } from "../../provider/inputs/restore-table";
import { intentOf, panelAddress, requestOf, target } from "../restore/support/rows";

describe("whether one input means the same restore", () => {
  const table: readonly [name: string, input: string, a: unknown, b: unknown, same: boolean][] = [
    ["equal ids", "virtualMachineId", "42", "42", true],
    ["another machine", "virtualMachineId", "42", "43", false],
    ["zeros in front, which the panel does not see", "virtualMachineId", "042", "42", true],
    ["zeros in front of a point", "recoveryPointId", "1007", "001007", true],
    ["zeros in front of letters, which are part of the name", "virtualMachineId", "0ab", "ab", false],
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

  it("is one rule: what `diff` would not replace for, an intent permits, and the other way round", () => {
    const id = fc.constantFrom("42", "042", "43", "ab", "0ab");
    const paths = fc.constantFrom(undefined, ["/a", "/b"], ["/b", "/a"], ["/a"]);
    const triggers = fc.constantFrom(undefined, [], [1], [{ on: "x", by: "y" }], [{ by: "y", on: "x" }]);
    const any = fc
      .record({ virtualMachineId: id, recoveryPointId: id, paths, triggers })
      .map((given) => ({ ...target, ...(JSON.parse(JSON.stringify(given)) as Partial<RestoreTarget>) }));
    fc.assert(
      fc.property(any, any, (madeFor, wanted) => {
        const { replaces = [] } = diffRestore({ ...madeFor, status: "complete" }, { ...wanted });
        const permission = requireIntent(
          { ...requestOf({ target: wanted }), intent: intentOf({ madeFor }) },
          panelAddress,
        );
        assert.equal("request" in permission, replaces.length === 0);
        if ("refusal" in permission) assert.ok(permission.refusal.includes(`(${replaces.join(", ")} differ)`));
      }),
    );
    assert.deepEqual(decidingInputs, ["virtualMachineId", "recoveryPointId", "recoveryPoint", "paths", "triggers"]);
  });
});
