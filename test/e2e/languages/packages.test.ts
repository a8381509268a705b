import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/engine/cli";
import { unknownNames } from "./support/csharp";
import { expect } from "./support/ended";
import { programOnPage } from "./support/page";
import { pythonWith } from "./support/python";
import { makePackages } from "./support/sdks";
import { long } from "../../support/thorough";

interface Schema {
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly inputProperties: Readonly<Record<string, unknown>>;
        readonly properties: Readonly<Record<string, unknown>>;
      }
    >
  >;
}

const read = (file: string): string => readFileSync(file, "utf8");
const schema = JSON.parse(read(join(repositoryRoot, "plugin", "schema.json"))) as Schema;
const limitMs = 20 * 60_000;

/** How each package calls a resource's file, and how it marks a property there. */
const forms = {
  nodejs: {
    file: (name: string) => `${firstSmall(name)}.ts`,
    marks: (property: string) => `readonly ${property}: pulumi.Output<`,
  },
  python: {
    file: (name: string) => `pulumi_recovery/${snake(name)}.py`,
    marks: (property: string) => `def ${snake(property)}(self)`,
  },
  go: {
    file: (name: string) => `recovery/${firstSmall(name)}.go`,
    marks: (property: string) => `pulumi:"${property}"`,
  },
  dotnet: { file: (name: string) => `${name}.cs`, marks: (property: string) => `[Output("${property}")]` },
} as const;

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

  for (const [language, { file, marks }] of Object.entries(forms)) {
    it(`${language}: have every output of every resource`, () => {
      for (const [type, { properties }] of Object.entries(schema.resources)) {
        const text = read(join(packages, language, file(type.slice(type.lastIndexOf(":") + 1))));
        for (const name of Object.keys(properties)) assert.ok(text.includes(marks(name)), `${type}: ${name}`);
      }
    });
  }

  it("keep the password of a provider a secret", () => {
    const marks = {
      "nodejs/provider.ts": /args\?\.password \? pulumi\.secret\(args\.password\)/,
      "python/pulumi_recovery/provider.py": /if password is None else pulumi\.Output\.secret\(password\)/,
      "go/recovery/provider.go": /args\.Password = pulumi\.ToSecret\(args\.Password\)/,
      "dotnet/Provider.cs": /_password = Output\.Tuple[^;]*emptySecret/,
    };
    for (const [file, mark] of Object.entries(marks)) assert.match(read(join(packages, file)), mark, file);
  });

  it("give no component an option that components have only in some languages", () => {
    for (const type of Object.keys(schema.resources)) {
      const text = read(join(packages, "dotnet", forms.dotnet.file(type.slice(type.lastIndexOf(":") + 1))));
      assert.doesNotMatch(text, /AdditionalSecretOutputs|DeleteBeforeReplace/, type);
    }
  });

  it("Node.js: compile", async () => {
    const sources = join(folder, "nodejs");
    cpSync(join(packages, "nodejs"), sources, { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules"), join(sources, "node_modules"));
    const tsc = createRequire(__filename).resolve("typescript/lib/tsc.js");
    // The settings are those of an older compiler than this compiler.
    const flags = ["--noEmit", "--ignoreDeprecations", "6.0", "--types", "node", "--rootDir", ".", "--skipLibCheck"];
    await expect(process.execPath, [tsc, "-p", ".", ...flags], { cwd: sources });
  });

  it("Python: the page's and the example's program are well typed", async function () {
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

  it("Python: the test on the page passes under Pulumi's own mocks, and fails where the program is another", async function () {
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

  it("C#: have every name that the page's program uses", () => {
    const program = programOnPage("csharp");
    assert.deepEqual(unknownNames(program, join(packages, "dotnet")), []);
    const wrong = program.replace("RecoveryPointId", "PointId").replace("web.DurationSeconds", "web.Seconds");
    assert.deepEqual(unknownNames(wrong, join(packages, "dotnet")), ["VmRestore.Seconds", "VmRestoreArgs.PointId"]);
  });
});

function firstSmall(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function snake(name: string): string {
  return firstSmall(name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
