import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { sep } from "node:path";
import { folder, goldenFiles } from "./support/golden";

describe("the report in every format", () => {
  const golden = goldenFiles();

  for (const { name, file, text } of golden) {
    it(`matches the golden file ${name} (npm run golden)`, () => {
      assert.ok(existsSync(file), "there is no golden file for it yet");
      assert.equal(text, readFileSync(file, "utf8"));
    });
  }

  it("has no unused golden files", () => {
    const kept = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => path.split(sep).join("/"))
      .filter((path) => /\.\w+$/.test(path));
    assert.deepEqual(kept.sort(), golden.map(({ name }) => name).sort());
  });
});
