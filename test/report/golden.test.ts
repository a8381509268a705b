import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { sep } from "node:path";
import { isRewriting } from "../support/golden";
import { folder, goldenFiles } from "./support/golden";

describe("the report in every format", () => {
  const golden = goldenFiles();

  for (const { name, file, text } of golden) {
    it(`matches the golden file ${name} (npm run golden)`, () => {
      if (isRewriting) writeFileSync(file, text);
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
