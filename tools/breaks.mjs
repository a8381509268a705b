#!/usr/bin/env node
/**
 * A mutation test for the quick unit tests. Injects random bugs into a scratch copy of the tracked files, one at a time, and prints the first test that fails,
 * or NOT NOTICED. A bug that no test notices needs a test, or a reason why it has no visible effect. Bugs that do not compile are skipped.
 *
 *   node tools/breaks.mjs <seed> <count> [<copies in parallel>]
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { hash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import { root } from "./setup/places.mjs";
import { testFiles } from "./test/order.mjs";

const [seed = 1, count = 5, jobs = 1] = process.argv.slice(2).map(Number);
const swaps = ["=== !==", "!== ===", "&& ||", "|| &&", "> >=", ">= >", "< <=", "<= <", "+ -", "- +"];
let tried = { file: "", broken: "", what: "" };
const operators = new Map(swaps.map((swap) => /** @type {[string, string]} */ (swap.split(" "))));
process.chdir(root);
const tracked = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
const product = tracked.filter((file) => /^(provider|drills|report|cli)\/.*\.ts$/.test(file));
const tests = testFiles("unit").filter((test) => tracked.includes(test) && !test.startsWith("test/package/"));

function breaksOf(/** @type {string} */ file) {
  const code = readFileSync(file, "utf8");
  const found = /** @type {(typeof tried)[]} */ ([]);
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isTypeNode(node)) return;
    const text = node.getText();
    let to;
    if (ts.isBinaryExpression(node.parent)) to = operators.get(text);
    if (ts.isNumericLiteral(node)) to = Number(node.text) > 9 ? `(${text} * 2)` : `(${text} + 1)`;
    if (text === "true" || text === "false") to = `!${text}`;
    if (ts.isPrefixUnaryExpression(node) && text.startsWith("!")) to = node.operand.getText();
    if (ts.isReturnStatement(node) && node.expression && text !== "return undefined;")
      to = "return undefined as never;";
    if (ts.isExpressionStatement(node) && /^((await|void) )?[\w.]+\(/.test(text)) to = ";";
    const before = code.slice(0, node.getStart());
    const what = `${file}:${String(before.split("\n").length)}: ${text.replace(/\s+/g, " ").slice(0, 99)} → ${String(to)}`;
    if (to) found.push({ file, broken: before + to + code.slice(node.end), what });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true), visit);
  return found;
}

const textOf = (/** @type {string} */ path) => ts.sys.readFile(path) ?? "";
const isTried = (/** @type {string} */ path) => path === join(root, tried.file);
const compiler = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => true,
  getCompilationSettings: () => ({ strict: true, module: ts.ModuleKind.Node16, resolveJsonModule: true }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => product.map((file) => join(root, file)),
  getScriptVersion: (path) => (isTried(path) ? tried.what : ""),
  getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(isTried(path) ? tried.broken : textOf(path)),
});

/** Runs the unit tests in a copy, those near `file` first, and returns the title of a failed test. @param {string} copy @param {string} file */
async function noticedBy(copy, file) {
  const room = `test/${dirname(file).replace(/^provider\/|(?<=^(cli|report))\/.*/, "")}/`;
  const lives = /^test\/(rows|restore|small-panels|drills|engine|program)\//;
  const turnOf = (/** @type {string} */ test) => (test.startsWith(room) ? 0 : lives.test(test) ? 1 : 2);
  const env = { ...process.env, TEST_NOTES: join(copy, "notes") };
  const options = { cwd: copy, env, stdio: /** @type {const} */ ("ignore"), timeout: 1_200_000 };
  const turns = [0, 1, 2].map((turn) => tests.filter((test) => turnOf(test) === turn));
  for (const files of turns.filter(({ length }) => length > 0)) {
    writeFileSync(env.TEST_NOTES, "");
    const child = spawn(process.execPath, ["node_modules/mocha/bin/mocha.js", "--bail", ...files], options);
    const code = await new Promise((resolve) => void child.once("close", resolve));
    const failed = /"title":"(.*)","state":"failed"/.exec(readFileSync(env.TEST_NOTES, "utf8"))?.[1];
    if (code !== 0) return failed ?? `the tests exited with ${String(code)}`;
  }
  return undefined;
}
const place = (/** @type {typeof tried} */ { what }) => hash("sha256", `${String(seed)} ${what}`);
const drawn = product.flatMap(breaksOf).sort((a, b) => (place(a) < place(b) ? -1 : 1));
const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
let [begun, noticed] = [0, 0];
async function work() {
  const copy = mkdtempSync(join(tmpdir(), "recovery-breaks-"));
  for (const file of tracked) cpSync(file, join(copy, file));
  for (const name of [".git", "node_modules"]) symlinkSync(join(root, name), join(copy, name));
  cpSync(join(root, "dist"), join(copy, "dist"), { recursive: true });
  assert.equal(await noticedBy(copy, ""), undefined, "the tests must pass before a bug is introduced");
  for (let one = drawn.pop(); one !== undefined && begun < count; one = drawn.pop()) {
    tried = one;
    if (compiler.getSemanticDiagnostics(join(root, one.file)).length > 0) continue;
    begun++;
    const built = join("dist", one.file.replace(/\.ts$/, ".js"));
    writeFileSync(join(copy, one.file), one.broken);
    writeFileSync(join(copy, built), ts.transpileModule(one.broken, { compilerOptions }).outputText);
    const by = await noticedBy(copy, one.file);
    for (const file of [one.file, built]) cpSync(file, join(copy, file));
    console.log(`${one.what}\n    ${by ?? "NOT NOTICED"}`);
    if (by !== undefined) noticed++;
  }
  rmSync(copy, { recursive: true, force: true });
}
await Promise.all(Array.from({ length: jobs }, work));
console.log(`${String(noticed)} of ${String(begun)} noticed`);
