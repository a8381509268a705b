import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

describe("the last line of a test run", () => {
  it("adds up what several runs reported", async () => {
    const { addUp, totalsLine } = await import("../../tools/test/totals.mjs");
    const lines =
      '{"passed":3,"failed":0,"skipped":0,"times":{"a":1}}\n{"passed":2,"failed":1,"skipped":4,"times":{"b":2}}\n';
    assert.equal(totalsLine(addUp(lines, 2)), "5 passed, 1 failed, 4 skipped");
    assert.deepEqual(addUp(lines, 2).times, { a: 1, b: 2 });
  });

  it("counts a run that ended without a report as a failure", async () => {
    const { addUp, totalsLine } = await import("../../tools/test/totals.mjs");
    assert.equal(totalsLine(addUp('{"passed":3,"failed":0,"skipped":0}\n', 2)), "3 passed, 1 failed");
    assert.equal(totalsLine(addUp("", 1)), "0 passed, 1 failed");
  });

  describe("by mocha's report", () => {
    let folder = "";
    const root = join(__dirname, "..", "..");
    const command = [join(root, "node_modules", "mocha", "bin", "mocha.js"), "--no-config", "--reporter"];
    const reporter = join(root, "tools", "test", "reporter.cjs");

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "recovery-report-"));
      writeFileSync(join(folder, "a.js"), 'it("a", () => {}); it("b"); it("c", () => { throw new Error("no"); });');
    });

    afterEach(() => {
      rmSync(folder, { recursive: true });
    });

    it("closes a run of its own", () => {
      const env = { ...process.env, TEST_TOTALS: "", TEST_NOTES: undefined };
      const run = spawnSync(process.execPath, [...command, reporter, join(folder, "a.js")], { encoding: "utf8", env });
      assert.equal(run.status, 1);
      assert.match(run.stdout, /\n1 passed, 1 failed, 1 skipped\n$/);
    });

    it("is left to the whole when there is one", () => {
      const env = { ...process.env, TEST_TOTALS: join(folder, "totals"), TEST_NOTES: undefined };
      const out = execFileSync(process.execPath, [...command, reporter, "--grep", "a", join(folder, "a.js")], {
        encoding: "utf8",
        env,
      });
      assert.doesNotMatch(out, /1 passed/);
      const { times, ...figures } = JSON.parse(readFileSync(env.TEST_TOTALS, "utf8")) as { times: object };
      assert.deepEqual(figures, { passed: 1, failed: 0, skipped: 0 });
      assert.deepEqual(Object.keys(times), [relative(process.cwd(), join(folder, "a.js"))]);
    });
  });
});
