import assert from "node:assert/strict";
import { intentUrnOf, resourceTypes, restoreUrnOf } from "../../provider/inputs/resource-names";

describe("the names of intents", () => {
  const urns: readonly ["VmRestore" | "FileRestore", string, string][] = [
    [
      "VmRestore",
      "urn:pulumi:dev::shop::pulumi-nodejs:recovery:VmRestore::web",
      "urn:pulumi:dev::shop::pulumi-nodejs:recovery:Intent::web-vm-intent",
    ],
    [
      "FileRestore",
      "urn:pulumi:dev::shop::a:b:C$d:e:F$pulumi-nodejs:recovery:FileRestore::x::y",
      "urn:pulumi:dev::shop::a:b:C$d:e:F$pulumi-nodejs:recovery:Intent::x::y-file-intent",
    ],
  ];
  for (const [kind, restore, intent] of urns) {
    it(`lead from ${restore} to its intent and back`, () => {
      assert.equal(intentUrnOf(restore, kind, resourceTypes), intent);
      assert.equal(restoreUrnOf(intent, kind, resourceTypes), restore);
    });
  }

  it("are those of the current types, whatever the type of an older URN was", () => {
    assert.equal(
      intentUrnOf("urn:pulumi:dev::shop::older:index:VmRestore::web", "VmRestore", resourceTypes),
      "urn:pulumi:dev::shop::pulumi-nodejs:recovery:Intent::web-vm-intent",
    );
  });
});
