#!/usr/bin/env node
/**
 * Which breaks do the quick unit tests notice? Puts breaks, drawn at random, into a scratch copy of the repository, one at a time, and shows
 * the test that notices each, or NOT NOTICED: that one wants a test, or a reason why nobody can see it.
 *
 *   node tools/breaks.mjs <seed> <count> [<copies side by side>]
 *
 * Tests of the same room run first, then those that play whole lives, then the others. What the compiler refuses is not counted.
 */
import { execFileSync, spawn } from "node:child_process";
import { hash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import { root } from "./setup/places.mjs";
import { testFiles } from "./test/order.mjs";

/** @typedef {{ file: string, broken: string, what: string }} Break */

const [seed = 1, count = 5, jobs = 1] = process.argv.slice(2).map(Number);
const swaps = ["=== !==", "!== ===", "&& ||", "|| &&", "> >=", ">= >", "< <=", "<= <", "+ -", "- +"];
const operators = new Map(swaps.map((swap) => /** @type {[string, string]} */ (swap.split(" "))));

process.chdir(root);
const tracked = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
const product = tracked.filter((file) => /^(provider|drills|report|cli)\/.*\.ts$/.test(file));
const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
const tests = testFiles("unit", {});
const lives = /^test\/(rows|restore|small-panels|drills|engine|program)\//;

function breaksOf(/** @type {string} */ file) {
  const code = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  /** @type {Break[]} */
  const found = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isTypeNode(node)) return;
    const text = node.getText();
    let to;
    if (ts.isBinaryExpression(node.parent)) to = operators.get(text);
    if (ts.isNumericLiteral(node)) to = `(${text} + 1)`;
    if (text === "true" || text === "false") to = `!${text}`;
    if (ts.isPrefixUnaryExpression(node) && text.startsWith("!")) to = node.operand.getText();
    if (ts.isReturnStatement(node) && node.expression) to = "return undefined as never;";
    if (ts.isExpressionStatement(node) && /^((await|void) )?[\w.]+\(/.test(text)) to = ";";
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const what = `${file}:${String(line)}: ${text.replace(/\s+/g, " ")} → ${String(to)}`;
    if (to) found.push({ file, broken: code.slice(0, node.getStart()) + to + code.slice(node.end), what });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

/** @type {Break} */
let tried = { file: "", broken: "", what: "" };
const textOf = (/** @type {string} */ path) => (path === join(root, tried.file) ? tried.broken : ts.sys.readFile(path));
const compiler = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => true,
  getCompilationSettings: () => ({ strict: true, module: ts.ModuleKind.Node16, resolveJsonModule: true }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => product.map((file) => join(root, file)),
  getScriptVersion: (path) => (path === join(root, tried.file) ? tried.what : ""),
  getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(textOf(path) ?? ""),
});

/** @param {string} copy @param {string} file @returns the test that notices what is broken in this file of the copy */
async function noticedBy(copy, file) {
  const room = `test/${dirname(file).replace(/^provider\/|(?<=^(cli|report))\/.*/, "")}/`;
  const turnOf = (/** @type {string} */ test) => (test.startsWith(room) ? 0 : lives.test(test) ? 1 : 2);
  const env = { ...process.env, TEST_NOTES: join(copy, "notes"), TEST_THOROUGH: "no" };
  for (const turn of [0, 1, 2]) {
    writeFileSync(env.TEST_NOTES, "");
    const files = tests.filter((test) => turnOf(test) === turn);
    if (files.length === 0) continue;
    const child = spawn(process.execPath, [mocha, "--bail", ...files], {
      cwd: copy,
      env,
      stdio: "ignore",
      timeout: 1_200_000,
    });
    const code = await new Promise((resolve) => void child.once("close", resolve));
    const failed = /"title":"(.*)","state":"failed"/.exec(readFileSync(env.TEST_NOTES, "utf8"));
    if (code !== 0) return failed?.[1] ?? `a run of tests that ended with ${String(code)}`;
  }
  return "NOT NOTICED";
}

const place = (/** @type {Break} */ { what }) => hash("sha256", `${String(seed)} ${what}`);
const drawn = product.flatMap(breaksOf).sort((a, b) => (place(a) < place(b) ? -1 : 1));
let [begun, unnoticed] = [0, 0];
const work = Array.from({ length: jobs }, async () => {
  const copy = mkdtempSync(join(tmpdir(), "recovery-breaks-"));
  for (const file of tracked) cpSync(file, join(copy, file));
  for (const name of [".git", "node_modules", "dist"]) symlinkSync(join(root, name), join(copy, name));
  for (let one = drawn.pop(); one !== undefined && begun < count; one = drawn.pop()) {
    tried = one;
    if (compiler.getSemanticDiagnostics(join(root, one.file)).length > 0) continue;
    begun++;
    writeFileSync(join(copy, one.file), one.broken);
    const by = await noticedBy(copy, one.file);
    cpSync(one.file, join(copy, one.file));
    if (by === "NOT NOTICED") unnoticed++;
    console.log(`${one.what}\n    ${by}`);
  }
  rmSync(copy, { recursive: true, force: true });
});
await Promise.all(work);
console.log(`${String(begun - unnoticed)} of ${String(begun)} noticed`);
