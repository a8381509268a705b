import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { namesIn, sourcesOf } from "./support/imports";

describe("what a file imports", () => {
  for (const [title, text] of [
    ["a value", 'import { a } from "./x";'],
    ["a type", 'import type { A } from "./x";'],
    ["a type among values", 'import { type A, b } from "./x";'],
    ["an effect", 'import "./x";'],
    ["several lines", 'import {\n  a,\n  b,\n} from "./x";'],
    ["a name for all", 'import * as x from "./x";'],
    ["handed on", 'export { a } from "./x";'],
    ["a type handed on", 'export type { A } from "./x";'],
    ["all handed on", 'export * from "./x";'],
    ["while running", 'const x = await import("./x");'],
    ["a type in place", 'let a: import("./x").A;'],
    ["required", 'const x = require("./x");'],
  ] as const) {
    it(`is seen: ${title}`, () => {
      assert.deepEqual(namesIn(text), ["./x"]);
    });
  }

  for (const [title, text] of [
    ["a comment", '// import { a } from "./x";'],
    ["a text", "const a = 'import { a } from \"./x\";';"],
    ["a template", 'const a = `\nimport { a } from "./x";\nrequire("./x");\n`;'],
  ] as const) {
    it(`is not taken from ${title}`, () => {
      assert.deepEqual(namesIn(text), []);
    });
  }

  it("is a file, a folder's index, a package, or missing", () => {
    inTree(
      {
        "a/one.ts": 'import "./two"; import "../b"; import "node:fs"; import "path"; import "./gone";',
        "a/two.ts": 'import "@scope/name/deep"; import "plain/deep"; import "plain";',
        "b/index.ts": "",
        "b/run.cjs": 'require("../dist/a/one.js"); require("../dist/b"); require("./read.md");',
        "b/read.md": 'import "./gone"',
      },
      (root) => {
        assert.deepEqual(sourcesOf(root, ["a", "b", "not-there-yet"]), [
          { path: "a/one.ts", files: ["a/two.ts", "b/index.ts"], packages: [], missing: ["./gone"] },
          { path: "a/two.ts", files: [], packages: ["@scope/name", "plain"], missing: [] },
          { path: "b/index.ts", files: [], packages: [], missing: [] },
          { path: "b/run.cjs", files: ["a/one.ts", "b/index.ts"], packages: [], missing: [] },
        ]);
      },
    );
  });
});

function inTree(files: Readonly<Record<string, string>>, look: (root: string) => void): void {
  const root = mkdtempSync(join(tmpdir(), "recovery-house-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    look(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}
