import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { sep } from "node:path";
import { report, toJson } from "../../report";
import { passed } from "./support/cases";
import { folder, goldenFiles } from "./support/golden";

describe("the report in every format", () => {
  const golden = goldenFiles();

  for (const { name, file, text } of golden) {
    it(`equals the golden file ${name} (npm run golden)`, () => {
      assert.ok(existsSync(file), "there is no golden file of it yet");
      assert.equal(text, readFileSync(file, "utf8"));
    });
  }

  it("is indented by two spaces for each level in JSON", () => {
    const text = toJson(report(passed));
    assert.equal(text, `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
  });

  it("has no unused golden file", () => {
    const kept = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => path.split(sep).join("/"))
      .filter((path) => /\.\w+$/.test(path));
    assert.deepEqual(kept.sort(), golden.map(({ name }) => name).sort());
  });
});
