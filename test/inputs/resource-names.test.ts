import assert from "node:assert/strict";
import * as fc from "fast-check";
import { intentName, intentUrnOf, nameInUrn, resourceTypes, restoreUrnOf } from "../../provider/inputs/resource-names";

const kinds = ["VmRestore", "FileRestore"] as const;

describe("the names of intents", () => {
  const urns: readonly [(typeof kinds)[number], string, string][] = [
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
