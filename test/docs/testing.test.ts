import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { packed } from "../e2e/support/fresh-install";
import { long } from "../support/thorough";
import { blocksOf, root } from "./support/pages";

/** Runs the commands from one of a page's shell blocks in the folder `cwd`. `installing` replaces each installation command. */
function run(page: string, words: string, cwd: string, installing: (command: string) => string): string {
  const block = blocksOf(page).find(({ language, code }) => language === "sh" && code.includes(words));
  assert.ok(block !== undefined, `${page} has no ${words}`);
  const commands = block.code.replace(/^npm install.*$/gm, installing);
  const { status, stdout, stderr } = spawnSync("bash", ["-ec", commands], { cwd, encoding: "utf8" });
  const output = stripVTControlCharacters(stdout + stderr);
  assert.equal(status, 0, output);
  return output;
}

const isInstalled = () => "";

describe("the example tests in the documentation", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "recovery-testing-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const testThePage = (installing: (command: string) => string): void => {
    const [test, program] = blocksOf("docs/testing.md").filter(({ language }) => language === "ts");
    assert.ok((test?.code.trim().split("\n").length ?? 11) <= 10);
    writeFileSync(join(folder, "index.test.ts"), test?.code ?? "");
    writeFileSync(join(folder, "index.ts"), program?.code ?? "");
    const output = run("docs/testing.md", "npx mocha", folder, installing);
    assert.match(output, /✔ fails when the database does not come back[^]*1 passing/);
  };

  it("pass as written in docs/testing.md, with the program from that page", () => {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    testThePage(isInstalled);
  });

  long.it("pass in an empty folder after the installation described in docs/testing.md", async () => {
    const tarball = await packed(folder);
    testThePage(
      (command) => `${command.replace(" pulumi-recovery ", ` ${tarball} `)} --ignore-scripts --prefer-offline`,
    );
  });

  it("pass in examples/drill", () => {
    const output = run("examples/drill/README.md", "npm test", join(root, "examples", "drill"), isInstalled);
    assert.match(output, /3 passing/);
    assert.doesNotMatch(output, /failing|pending/);
  });
});
