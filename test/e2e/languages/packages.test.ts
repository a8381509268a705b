import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/engine/cli";
import { expect } from "../support/ended";
import { programOnPage } from "./support/page";
import { pythonWith, type PythonWithPackage } from "./support/python";
import { makePackages } from "./support/sdks";
import { long } from "../../support/thorough";

long.describe("the package generated for Python", function () {
  this.timeout(20 * 60_000);
  let folder = "";
  let python: PythonWithPackage;

  before(async function () {
    folder = mkdtempSync(join(tmpdir(), "recovery-packages-"));
    const packages = join(folder, "packages");
    const found = (await makePackages(packages)) ?? (await pythonWith(folder, packages));
    if ("why" in found) {
      process.stderr.write(`skipped: ${found.why}\n`);
      this.skip();
    }
    python = found;
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const run = (...args: readonly string[]): Promise<string> =>
    expect(python.interpreter, args, { cwd: folder, env: { ...process.env, ...python.env } });

  it("has types that accept the programs on the page and in the example, and reject a wrong argument", async () => {
    const file = join(folder, "page.py");
    const page = programOnPage("python");
    const check = (path: string) => run("-m", "mypy", "--strict", "--cache-dir", join(folder, "mypy"), path);
    writeFileSync(file, page);
    await check(file);
    await check(join(repositoryRoot, "examples", "python", "__main__.py"));
    writeFileSync(file, page.replace('triggers=["2026-11-drill"]', "triggers=7"));
    await assert.rejects(check(file), /triggers/);
  });

  it("passes the page's test under Pulumi's own mocks, and fails that test with another machine id", async () => {
    const file = join(folder, "test_restore.py");
    const test = programOnPage("python", "docs/testing.md");
    writeFileSync(file, test);
    await run(file);
    writeFileSync(file, test.replace('virtual_machine_id="42"', 'virtual_machine_id="43"'));
    await assert.rejects(run(file), /'43'.*'42'|'42'.*'43'/s);
  });
});
