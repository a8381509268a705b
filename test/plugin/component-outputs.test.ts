import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Schema {
  readonly resources: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
}

const schema = JSON.parse(readFileSync(join(__dirname, "..", "..", "plugin", "schema.json"), "utf8")) as Schema;

describe("the components of the plugin's schema", () => {
  it("call no output a secret: in C# and Java the package made of it would not compile", () => {
    const marked = Object.entries(schema.resources).flatMap(([type, { properties }]) =>
      Object.entries(properties).flatMap(([name, one]) => ("secret" in one ? [`${type}.${name}`] : [])),
    );
    assert.deepEqual(marked, []);
  });
});
