import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { blocksOf, root } from "./support/pages";

/** Runs the last command of a page's shell block in a folder. */
function run(page: string, words: string, cwd: string): { readonly status: number | null; readonly output: string } {
  const block = blocksOf(page).find(({ language, code }) => language === "sh" && code.includes(words));
  const command = block?.code.trim().split("\n").at(-1) ?? "";
  assert.ok(command.includes(words), `${page} has no ${words}`);
  const { status, stdout, stderr } = spawnSync("bash", ["-c", command], { cwd, encoding: "utf8" });
  return { status, output: stripVTControlCharacters(stdout + stderr) };
}

describe("tests of programs, as their pages have them", () => {
  it("docs/testing.md: its test passes with its program", () => {
    const [test, program] = blocksOf("docs/testing.md").filter(({ language }) => language === "ts");
    assert.ok((test?.code.trim().split("\n").length ?? 11) <= 10);
    const folder = mkdtempSync(join(tmpdir(), "recovery-testing-"));
    try {
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
      copyFileSync(join(root, "template", "tsconfig.json"), join(folder, "tsconfig.json"));
      writeFileSync(join(folder, "index.test.ts"), test?.code ?? "");
      writeFileSync(join(folder, "index.ts"), program?.code ?? "");
      const { status, output } = run("docs/testing.md", "npx mocha", folder);
      assert.equal(status, 0, output);
      assert.match(output, /✔ fails when the database does not come back[^]*1 passing/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("examples/drill: its tests pass", () => {
    const { status, output } = run("examples/drill/README.md", "npm test", join(root, "examples", "drill"));
    assert.equal(status, 0, output);
    assert.match(output, /3 passing/);
    assert.doesNotMatch(output, /failing|pending/);
  });
});
