import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const root = resolve(__dirname, "../..");

describe("the sandbox by itself", () => {
  it("needs nothing but Node and the clock", () => {
    const files = readdirSync(join(root, "sandbox"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const imported = files.flatMap((file) =>
      ts
        .preProcessFile(readFileSync(file, "utf8"), true, true)
        .importedFiles.map(({ fileName }) =>
          fileName.startsWith(".") ? relative(root, join(dirname(file), fileName)) : fileName,
        ),
    );
    const foreign = new Set(imported.filter((name) => !/^sandbox(\/|$)/.test(name)));
    assert.ok(foreign.delete("provider/time/clock"), "the scan finds imports");
    assert.deepEqual(
      [...foreign].filter((name) => !name.startsWith("node:") || !builtinModules.includes(name.slice("node:".length))),
      [],
    );
  });
});
