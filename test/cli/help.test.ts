import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import assert from "node:assert/strict";
import { type Command, commands } from "../../cli/commands";
import { OnStage } from "../small-panels/stage";
import { named, trap } from "../small-panels/trap";
import { calm } from "../support/program";
import { builtCommand } from "../support/built";
import { assertRefused, call } from "./support/call";

const root = join(__dirname, "..", "..");
const texts = ["troubleshooting", "running-again"].map((page) =>
  readFileSync(join(root, "docs", `${page}.md`), "utf8"),
);
const wordsOf = (text: string): string =>
  text.replaceAll(/<!--.*?-->|^```\w*$|\]\([^)]*\)/gm, " ").replaceAll(/[^\p{L}\d]+/gu, " ");
const pages = wordsOf(texts.join("\n"));
/** The titles of the sections that messages refer to, keyed by help word. */
const titles = Object.fromEntries(
  texts
    .flatMap((text) => [...text.matchAll(/^#{2,4} (.+)\n\s*<!-- help: (\w+) -->$/gm)])
    .map(([, title = "", word = ""]) => [word, title]),
);

describe("pulumi-recovery", () => {
  it("prints help that fits in 80 columns and lists the exit codes, for itself and for each command", async () => {
    const ofEach = commands.flatMap(({ name }) => [`${name} --help`, `${name} -h`, `help ${name}`]);
    for (const args of ["--help", "-h", ...ofEach]) {
      const { code, out, err } = await call(args.split(" "));
      assert.deepEqual([code, err], [0, ""], args);
      const lines = out.trimEnd().split("\n");
      assert.ok(lines.length <= 32, `${args}: ${String(lines.length)} lines`);
      for (const line of lines) assert.ok(line.length <= 80, line);
      assert.match(out, /^Usage: pulumi-recovery /);
      assert.match(out, /\b0 \w/);
      assert.match(out, /\b3 \w/);
    }
    const { out } = await call(["--help"]);
    for (const { name, about } of commands) assert.ok(out.includes(`${name} `) && out.includes(about), name);
  });

  it("prints the section for a help word, wrapped to 80 columns", async () => {
    for (const [word, title] of Object.entries(titles)) {
      const { code, out } = await call(["help", word], {}, "", commands, { columns: 200 });
      const lines = out.split("\n");
      assert.deepEqual([code, lines[0]], [0, title]);
      // Indented lines are code, copied unchanged from the page.
      for (const line of lines) assert.ok(line.length <= 80 || line.startsWith("    "), line);
      assert.doesNotMatch(out, /<!--|\]\(/);
      assert.ok(pages.includes(wordsOf(out)), out);
    }
    assert.match((await call(["help", "trace"])).out, /^ {4}\S/m);
    const env = { ...process.env, COLUMNS: "40" };
    const { stdout } = spawnSync(process.execPath, [builtCommand, "help", "adopt"], { env, encoding: "utf8" });
    assert.match(stdout, /^.{1,40}(?:\n.{0,40})+$/);
  });

  it("finds the section for a whole message or some of its words, but none for unknown words", async () => {
    const declared = [calm, { ...calm, machine: "43", timeouts: { busy: 60 } }];
    const stage = new OnStage(trap({ row: named }), "json", { declared, restoreSeconds: 3_600 });
    stage.failing.add("42");
    stage.panel.work("43", "backup");
    const { errors } = await stage.up();
    const titleOf = async (...words: readonly string[]) => (await call(["help", ...words])).out.split("\n")[0];
    for (const [restore, word] of ["failed", "busy"].entries()) {
      const message = errors.get(restore) ?? "";
      assert.equal(await titleOf(...message.split(/\s+/)), titles[word], message);
      assert.equal(await titleOf(...(message.split("\n")[0] ?? "").split(" ")), titles[word], message);
    }
    assert.equal(await titleOf("certificate", "authority"), titles["connection"]);
    const pulumis = "error: the stack is currently\n locked by 1 lock(s). Either wait for the other process(es) to end";
    assert.equal(await titleOf(pulumis), titles["killed"]);
    const guessed = "appeared right after the request / this panel does not show which machine";
    for (const [asked, title] of Object.entries({
      "assumed to be this restore only because it appeared right after the request": guessed,
      'the earlier restore "db" was sent but never listed, and is being removed from the state':
        "the earlier restore / later restores no longer wait for it",
      "was not adopted: it is another restore of this program": "A transaction that wasn't adopted",
      "the panel has not listed it; gave up waiting for the response": titles["connection"],
      "content: not sent: web, the previous restore of machine 42, is not complete":
        "The list is out of date, or a previous restore isn't complete",
      "asks you, unless the machine's log names it, because rows of this panel name no machine": "A question",
      "db: check tcp 10.0.0.43 did not pass: connect ECONNREFUSED": titles["plan"],
      "transaction 5016 failed, and retryFailed is false: set new triggers to restore it again": titles["failed"],
      "warning: an earlier `pulumi up` requested this restore and left no record, so": "A killed run",
    }))
      assert.equal((await call(["help", asked])).out.split("\n")[0], title, asked);
    for (const asked of ["the machine was restored by somebody else on the panel", "1 failed: web", "machine fails"])
      assert.equal((await call(["help", asked])).code, 3, asked);
  });

  it("lists the sections if no words are given, or if no section contains them", async () => {
    const overview = await call(["help"]);
    assert.deepEqual([overview.code, /.{81}/.test(overview.out)], [0, false]);
    assert.match(overview.out, /^Usage: pulumi-recovery <command>[^]*Sections: adopt, busy,/);
    const none = await call(["help", "zzzz\u001b[31m"]);
    assertRefused(none, /no section contains these words: zzzz\u{fffd}\[31m\nSections: adopt,/u);
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    for (const word of ["version", "--version"])
      assert.deepEqual(await call([word]), { code: 0, out: `${version}\n`, err: "" });
  });

  it("exits with 3 if the command is missing or unknown", async () => {
    const none = await call([]);
    assert.equal(none.code, 3);
    assert.match(none.out, /^Usage/);
    const wrong = await call(["restore\u001b[31m"]);
    const said = "pulumi-recovery: there is no command restore\u{fffd}[31m; see pulumi-recovery --help\n";
    assert.deepEqual([wrong.code, wrong.err], [3, said]);
  });

  it("distinguishes a user's mistake from a defect", async () => {
    const failing: Command = {
      ...{ name: "x", about: "", usage: "" },
      run: () => Promise.reject(new TypeError("x is not a function")),
    };
    const wrong = await call(["check", "--machine", "042"]);
    assert.deepEqual([wrong.code, wrong.out, wrong.err.split("\n").length], [3, "", 2]);
    assert.match(wrong.err, /^pulumi-recovery check: --machine/);
    const defect = await call(["x"], {}, "", [failing]);
    assert.equal(defect.code, 4);
    assert.match(defect.err, /TypeError: x is not a function\n +at /);
  });

  it("keeps its exit code when its output is cut off, for example by piping it into head", async () => {
    const child = spawn(process.execPath, [builtCommand, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    const [said, ended] = await Promise.all([text(child.stderr), once(child, "close") as Promise<unknown[]>]);
    assert.deepEqual([ended[0], said], [0, ""]);
  });

  it("exits with 3 and prints no stack trace if its output cannot be written", function () {
    if (!existsSync("/dev/full")) this.skip();
    const full = openSync("/dev/full", "w");
    try {
      const stdio = ["ignore", full, "pipe"] as const;
      const { status, stderr } = spawnSync(process.execPath, [builtCommand, "--help"], {
        encoding: "utf8",
        stdio: [...stdio],
      });
      const said = stderr.replace(/ENOSPC.*/, "ENOSPC");
      assert.deepEqual([status, said], [3, "pulumi-recovery: cannot write to standard output: ENOSPC\n"]);
    } finally {
      closeSync(full);
    }
  });
});
