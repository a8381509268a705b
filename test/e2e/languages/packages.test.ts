import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/engine/cli";
import { expect } from "../support/ended";
import { programOnPage } from "./support/page";
import { pythonWith } from "./support/python";
import { makePackages } from "./support/sdks";
import { long } from "../../support/thorough";

const limitMs = 20 * 60_000;

long.describe("the packages made for other languages", function () {
  this.timeout(limitMs);
  let folder = "";
  let packages = "";

  before(async function () {
    folder = mkdtempSync(join(tmpdir(), "recovery-packages-"));
    packages = join(folder, "packages");
    const missing = await makePackages(packages);
    if (missing === undefined) return;
    process.stderr.write(`skipped: ${missing.why}\n`);
    this.skip();
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it("have types that accept the Python programs on the page and in the example, and reject a wrong program", async function () {
    const found = await pythonWith(folder, packages);
    if ("why" in found) {
      process.stderr.write(`skipped: ${found.why}\n`);
      this.skip();
    }
    const file = join(folder, "page.py");
    writeFileSync(file, programOnPage("python"));
    const check = (path: string): Promise<string> =>
      expect(found.interpreter, ["-m", "mypy", "--strict", "--cache-dir", join(folder, "mypy"), path], {
        cwd: folder,
        env: { ...process.env, ...found.env },
      });
    await check(file);
    await check(join(repositoryRoot, "examples", "python", "__main__.py"));
    writeFileSync(file, programOnPage("python").replace('triggers=["2026-11-drill"]', "triggers=7"));
    await assert.rejects(check(file), /triggers/);
  });

  it("pass the Python page's test under Pulumi's own mocks, and fail the test with another program", async function () {
    const found = await pythonWith(folder, packages, "for mocks");
    if ("why" in found) {
      process.stderr.write(`skipped: ${found.why}\n`);
      this.skip();
    }
    const file = join(folder, "test_restore.py");
    const run = (test: string): Promise<string> => {
      writeFileSync(file, test);
      return expect(found.interpreter, [file], { cwd: folder, env: { ...process.env, ...found.env } });
    };
    const test = programOnPage("python", "docs/testing.md");
    await run(test);
    await assert.rejects(
      run(test.replace('virtual_machine_id="42"', 'virtual_machine_id="43"')),
      /'43'.*'42'|'42'.*'43'/s,
    );
  });
});
