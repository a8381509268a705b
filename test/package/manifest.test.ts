import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

interface Manifest {
  readonly exports: object;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly pulumi?: unknown;
}

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

describe("the package", () => {
  it("has the entry points that programs, stored states and tests rely on", () => {
    const schemas = ["report", "check", "ready", "status"].map((name) => `./${name}/schema.json`);
    const entries = [".", "./dynamic", "./plugin", "./sandbox", "./testing", "./report"];
    assert.deepEqual(Object.keys(manifest.exports), [...entries, ...schemas, "./package.json"]);
  });

  it("uses the program's copy of the SDK", () => {
    assert.deepEqual(Object.keys(manifest.peerDependencies), ["@pulumi/pulumi"]);
    assert.deepEqual(Object.keys(manifest.dependencies), ["axios", "fast-xml-parser"]);
  });

  it("does not ask the language host for a plugin binary that does not exist", () => {
    assert.equal(manifest.pulumi, undefined);
  });

  it("can be loaded by name from an example's folder, just as the provider process loads it", () => {
    const found = execFileSync(process.execPath, ["-p", 'require.resolve("pulumi-recovery/dynamic")'], {
      cwd: join(root, "examples", "quickstart"),
      encoding: "utf8",
    });
    assert.equal(found.trim(), join(root, "dist", "provider", "engine", "dynamic.js"));
  });

  it("ships the built code, one declaration file for each entry point, and documentation, but nothing else", () => {
    const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: root,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
    assert.ok(files.length <= 260, `${String(files.length)} files`);
    const code = /^dist\/(provider|drills|sandbox|report|cli)\/.*(?<!\.test)\.js$/;
    const others = files.map(({ path }) => path).filter((path) => !code.test(path));
    assert.deepEqual(others.sort(), [
      ...["CHANGELOG.md", "LICENSE", "README.md"],
      ...["check", "ready", "status"].map((name) => `dist/cli/${name}/schema/${name}-1.json`),
      ...["dist/drills/testing.d.ts", "dist/provider/engine/dynamic.d.ts", "dist/provider/index.d.ts"],
      ...["dist/provider/plugin/index.d.ts", "dist/report/index.d.ts", "dist/report/schema/report-1.json"],
      ...["dist/sandbox/index.d.ts", "docs/running-again.md", "docs/troubleshooting.md", "package.json"],
      ...["plugin/PulumiPlugin.yaml", "plugin/index.cjs", "plugin/package.json", "plugin/pulumi-resource-recovery"],
      "plugin/schema.json",
    ]);
  });
});
