import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

describe("a folder that is made whole or not at all", () => {
  let folder = "";
  let place = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "recovery-whole-"));
    place = join(folder, "cli");
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("appears when it is full, in place of what was there", async () => {
    const { createWhole: makeWhole } = await import("../../tools/setup/whole.mjs");
    mkdirSync(place);
    writeFileSync(join(place, "old"), "");
    await makeWhole(place, (made) => {
      assert.deepEqual(readdirSync(place), ["old"]);
      mkdirSync(made);
      writeFileSync(join(made, "new"), "text");
      return Promise.resolve();
    });
    assert.deepEqual(readdirSync(folder), ["cli"]);
    assert.deepEqual(readdirSync(place), ["new"]);
    assert.equal(readFileSync(join(place, "new"), "utf8"), "text");
  });

  it("takes away what a killed set-up left long ago, and nothing of one that may be at work", async () => {
    const { createWhole: makeWhole } = await import("../../tools/setup/whole.mjs");
    for (const name of [".cli-half-made-old", ".cli-half-made-new"]) mkdirSync(join(folder, name));
    utimesSync(join(folder, ".cli-half-made-old"), 0, 0);
    await makeWhole(place, (made) => {
      mkdirSync(made);
      return Promise.resolve();
    });
    assert.deepEqual(readdirSync(folder).sort(), [".cli-half-made-new", "cli"]);
  });
});
