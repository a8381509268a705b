import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import * as ts from "typescript";
import { allPages, blocksOf, root } from "./support/pages";

const options: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  types: ["node", "mocha"],
  skipLibCheck: true,
  noEmit: true,
};

/** A block that does not import the package continues the previous block on its page. A block that begins with a file name becomes that file. */
function programs(): Map<string, string> {
  const sources = new Map<string, string>();
  for (const page of allPages()) {
    let before = "";
    for (const block of blocksOf(page).filter(({ language }) => language === "ts")) {
      const [, file] = /^\/\/ (\w+\.ts)\n/.exec(block.code) ?? [];
      if (file !== undefined) {
        sources.set(join(root, "docs", file), block.code);
        continue;
      }
      before = /^import .* from "pulumi-recovery/m.test(block.code) ? block.code : before + block.code;
      // Placed in the docs folder, where the package resolves as it does in a user's program.
      sources.set(join(root, "docs", `${page.replaceAll("/", "-")}-line-${String(block.line)}.ts`), before);
    }
  }
  return sources;
}

function compiled(sources: ReadonlyMap<string, string>): readonly string[] {
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram(
    [...sources.keys()],
    options,
    Object.assign(Object.create(host) as ts.CompilerHost, {
      fileExists: (file: string) => sources.has(file) || host.fileExists(file),
      readFile: (file: string) => sources.get(file) ?? host.readFile(file),
      getSourceFile: (file: string, language: ts.ScriptTarget | ts.CreateSourceFileOptions) => {
        const source = sources.get(file);
        return source === undefined ? host.getSourceFile(file, language) : ts.createSourceFile(file, source, language);
      },
    }),
  );
  return ts
    .getPreEmitDiagnostics(program)
    .map((found) => `${found.file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(found.messageText, "\n")}`);
}

describe("code in the documentation", function () {
  this.timeout(300_000);

  it("compiles", () => {
    const sources = programs();
    assert.ok(sources.size > 10);
    assert.deepEqual(compiled(sources), []);
  });

  it("does not compile if an input has the wrong type", () => {
    const wrong = `import * as recovery from "pulumi-recovery";\nnew recovery.VmRestore("a", { virtualMachineId: true, recoveryPointId: 1 });`;
    assert.match(compiled(new Map([[join(root, "docs", "wrong.ts"), wrong]]))[0] ?? "", /boolean/);
  });

  const shell = allPages().flatMap((page) => blocksOf(page).filter(({ language }) => language === "sh"));
  it("has valid syntax if it is shell code", () => {
    const broken = shell.flatMap(({ page, line, code }) => {
      const { status, stderr } = spawnSync("bash", ["-n"], { input: code, encoding: "utf8" });
      return status === 0 ? [] : [`${page}:${String(line)}: ${stderr}`];
    });
    assert.ok(shell.length > 5);
    assert.deepEqual(broken, []);
  });
});
