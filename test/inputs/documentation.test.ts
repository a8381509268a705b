import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { settingsTable, withSettingsTable } from "../../docs/generate";
import { type Setting, settingDefinitions, settingNames } from "../../provider/inputs/settings-table";

const root = join(__dirname, "..", "..");

describe("docs/configuration.md", () => {
  it("has the table of the settings the code reads (npx ts-node docs/generate.ts)", () => {
    const page = readFileSync(join(root, "docs", "configuration.md"), "utf8");
    assert.equal(withSettingsTable(page), page);
  });

  it("lists every setting once", () => {
    const [table = ""] = settingsTable().split("\n\n");
    const rows = table.split("\n").slice(2);
    assert.deepEqual(
      rows.map((row) => row.split("`")[1]),
      settingNames.map((name) => `recovery:${name}`),
    );
  });
});

describe("ProviderArgs", () => {
  const source = readFileSync(join(root, "provider", "program", "provider.ts"), "utf8");

  for (const name of settingNames) {
    it(`says of ${name} what the settings say`, () => {
      const comment = new RegExp(`/\\*\\*([^/]*)\\*/\\s+${name}\\?:`).exec(source)?.[1] ?? "";
      assert.match(comment, /@default/);
      const one: Setting<unknown> = settingDefinitions[name];
      const words = comment.replace(/\s*\n\s*\*\s*/g, " ");
      if (one.default !== undefined) assert.ok(words.split("@default")[1]?.includes(one.default), words);
      assert.ok(words.includes(one.meaning.split(/[;,]/)[0] ?? ""), `${words} should say: ${one.meaning}`);
    });
  }
});
