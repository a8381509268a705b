import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

describe("what tests need besides the Pulumi CLI", () => {
  const names = [
    "XDG_CACHE_HOME",
    "PATH",
    "PULUMI_RECOVERY_BROWSER",
    "PULUMI_RECOVERY_CLI",
    "PULUMI_RECOVERY_FOUND",
  ] as const;
  const before = names.map((name) => process.env[name]);
  let folder = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "recovery-needs-"));
    mkdirSync(join(folder, "bin"));
    process.env.XDG_CACHE_HOME = join(folder, "cache");
    process.env.PATH = join(folder, "bin");
    process.env.PULUMI_RECOVERY_CLI = join(folder, "bin", "pulumi");
    delete process.env.PULUMI_RECOVERY_BROWSER;
    delete process.env.PULUMI_RECOVERY_FOUND;
  });

  afterEach(() => {
    names.forEach((name, index) => {
      if (before[index] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before[index];
    });
    rmSync(folder, { recursive: true });
  });

  it("is not fetched and not built for a quick run, which says what it leaves out", async () => {
    const { getReady } = await import("../../tools/test/needs.mjs");
    const { found, notRun } = await getReady({ long: false, parts: ["unit", "e2e"] });
    assert.deepEqual(Object.keys(found), ["browser", "yaml-host"]);
    assert.ok(Object.values(found).every((one) => "why" in one));
    assert.deepEqual(notRun, [
      "not run: tests of pages in a browser: there is no Chromium on PATH, and PULUMI_RECOVERY_BROWSER names none; npm run test:full gets it",
      "not run: tests of programs in YAML: Pulumi's YAML host is not there yet; npm run test:full gets it",
    ]);
    assert.deepEqual(readdirSync(folder), ["bin"]);
  });

  it("is used by a quick run where it lies beside the CLI", async function () {
    if (process.platform === "win32") this.skip();
    const { getReady } = await import("../../tools/test/needs.mjs");
    const host = join(folder, "bin", "pulumi-language-yaml");
    writeFileSync(host, "#!/bin/sh\n", { mode: 0o755 });
    assert.deepEqual(await getReady({ long: false, parts: ["e2e"] }), {
      found: { "yaml-host": { path: host } },
      notRun: [],
    });
  });

  it("is a browser alone for unit tests: one on PATH, or the one that is named, and why not where that does not run", async function () {
    if (process.platform === "win32") this.skip();
    const { getReady } = await import("../../tools/test/needs.mjs");
    const run = { long: false, parts: ["unit"] };
    const [chromium, broken] = ["chromium", "broken"].map((name) => join(folder, "bin", name)) as [string, string];
    writeFileSync(chromium, "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(broken, "#!/bin/sh\nexit 3\n", { mode: 0o755 });
    assert.deepEqual(await getReady(run), { found: { browser: { path: chromium } }, notRun: [] });
    process.env.PULUMI_RECOVERY_BROWSER = broken;
    assert.match((await getReady(run)).notRun[0] ?? "", /^not run: tests of pages in a browser: .*broken does not run/);
  });

  it("is not looked for again by a test of the run", async () => {
    const { find } = await import("../../tools/cli/find.mjs");
    process.env.PULUMI_RECOVERY_FOUND = JSON.stringify({ "s3-server": { why: "Go is not installed" } });
    assert.deepEqual(await find("s3-server"), { why: "Go is not installed" });
    assert.deepEqual(readdirSync(folder), ["bin"]);
  });

  it("is all of it on the list of what a long run gets before its first test", async () => {
    const { needs } = await import("../../tools/test/needs.mjs");
    const tests = join(__dirname, "..");
    const asked = readdirSync(tests, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => [...readFileSync(join(tests, file), "utf8").matchAll(/\b(?:needs|find)\("([\w-]+)"\)/g)])
      .map(([, name]) => name!);
    assert.ok(asked.length > 10);
    assert.deepEqual(
      [...new Set(asked)].filter((name) => !(name in needs)),
      [],
    );
  });
});
