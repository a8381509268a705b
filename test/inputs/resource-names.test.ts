import assert from "node:assert/strict";
import * as fc from "fast-check";
import {
  intentName,
  intentUrnOf,
  isVmRestoreUrn,
  nameInUrn,
  pluginTypes,
  resourceTypes,
  restoreUrnOf,
} from "../../provider/inputs/resource-names";

const kinds = ["VmRestore", "FileRestore"] as const;

describe("the names of intents", () => {
  const urns: readonly [(typeof kinds)[number], string, string][] = [
    [
      "VmRestore",
      "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/recovery:VmRestore::web",
      "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/recovery:RestoreIntent::web-vm-intent",
    ],
    [
      "FileRestore",
      "urn:pulumi:dev::shop::a:b:C$d:e:F$pulumi-nodejs:dynamic/recovery:FileRestore::x::y",
      "urn:pulumi:dev::shop::a:b:C$d:e:F$pulumi-nodejs:dynamic/recovery:RestoreIntent::x::y-file-intent",
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
      "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/recovery:RestoreIntent::web-vm-intent",
    );
  });

  it("differ for different restores, and start with the restore's own", () => {
    const restore = fc.record({ name: fc.string({ minLength: 1 }), kind: fc.constantFrom(...kinds) });
    fc.assert(
      fc.property(restore, restore, (a, b) => {
        const same = a.name === b.name && a.kind === b.kind;
        assert.equal(intentName(a.name, a.kind) === intentName(b.name, b.kind), same);
        assert.ok(intentName(a.name, a.kind).startsWith(a.name));
      }),
    );
  });

  it("leave alone what is no URN", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(text.split("::").length < 4);
        assert.equal(intentUrnOf(text, "VmRestore", resourceTypes), text);
        assert.equal(nameInUrn(text), text);
      }),
    );
  });

  it("are found at the end of a URN", () => {
    assert.equal(nameInUrn("urn:pulumi:dev::shop::a:b:C::x::y"), "x::y");
  });
});

describe("the URN of a VmRestore", () => {
  for (const types of [resourceTypes, pluginTypes]) {
    for (const [resource, type] of Object.entries(types)) {
      it(`is ${resource === "VmRestore" ? "" : "not "}one of the type ${type}, at the top and inside a plan`, () => {
        for (const parents of ["", "recovery:index:VmRestore$", "recovery:index:RecoveryPlan$"])
          assert.equal(
            isVmRestoreUrn(`urn:pulumi:dev::shop::${parents}${type}::a:VmRestore`),
            resource === "VmRestore",
          );
      });
    }
  }

  it("is none that has no type, or that of the plugin's component", () => {
    for (const urn of ["", "web", "urn:pulumi:dev::shop", "urn:pulumi:dev::shop::recovery:index:VmRestore::web"])
      assert.equal(isVmRestoreUrn(urn), false, urn);
  });
});
