import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { goldenFiles } from "./support/golden";

describe("the report in every format", () => {
  for (const { name, file, text } of goldenFiles()) {
    it(`${name} is what it was (npm run golden)`, () => {
      assert.ok(existsSync(file), "there is no golden file of it yet");
      assert.equal(text, readFileSync(file, "utf8"));
    });
  }
});
