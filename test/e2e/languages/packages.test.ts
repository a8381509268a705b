import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/engine/cli";
import { expect } from "../support/ended";
import { programOnPage } from "./support/page";
import { pythonWith } from "./support/python";
import { usePackages } from "./support/sdks";
import { long } from "../../support/thorough";

long.describe("the package generated for Python", function () {
  this.timeout(20 * 60_000);
  const made = usePackages(pythonWith);

  const run = (...args: readonly string[]): Promise<string> =>
    expect(made.ready.interpreter, args, { cwd: made.folder, env: { ...process.env, ...made.ready.env } });

  it("has types that accept the programs on the page and in the example, and reject a wrong argument", async () => {
    const file = join(made.folder, "page.py");
    const page = programOnPage("python");
    const check = (path: string) => run("-m", "mypy", "--strict", "--cache-dir", join(made.folder, "mypy"), path);
    writeFileSync(file, page);
    await check(file);
    await check(join(repositoryRoot, "examples", "python", "__main__.py"));
    writeFileSync(file, page.replace('triggers=["2026-11-drill"]', "triggers=7"));
    await assert.rejects(check(file), /triggers/);
  });

  it("passes the page's test under Pulumi's own mocks, and fails that test with another machine id", async () => {
    const file = join(made.folder, "test_restore.py");
    const test = programOnPage("python", "docs/testing.md");
    writeFileSync(file, test);
    await run(file);
    writeFileSync(file, test.replace('virtual_machine_id="42"', 'virtual_machine_id="43"'));
    await assert.rejects(run(file), /'43'.*'42'|'42'.*'43'/s);
  });
});
