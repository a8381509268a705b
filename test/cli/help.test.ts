import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import assert from "node:assert/strict";
import { commands } from "../../cli/commands";
import { findSection, sectionsIn } from "../../cli/help/sections";
import { CommandError, type Command } from "../../cli/parts/command";
import { busyText, endedText } from "../../provider/restore/messages";
import { builtCommand } from "../support/built";
import { call } from "./support/call";

const root = join(__dirname, "..", "..");
const sections = ["troubleshooting", "running-again"].flatMap((page) =>
  sectionsIn(readFileSync(join(root, "docs", `${page}.md`), "utf8")),
);

describe("pulumi-recovery", () => {
  it("has help of 80 columns with its exit codes, for itself and for each command", async () => {
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

  it("prints JSON to standard output in every command that reads a panel or a state", () => {
    const reads = commands.filter(({ name }) => ["check", "ready", "status", "report"].includes(name));
    for (const { name, usage } of reads) assert.match(usage, /--json /, name);
  });

  it("shows a section in 80 columns when its word is given", async () => {
    for (const { word = "", title } of sections.filter((one) => one.word !== undefined)) {
      const { code, out } = await call(["help", word]);
      const lines = out.split("\n");
      assert.deepEqual([code, lines[0]], [0, title]);
      // What is indented is as it is on the page: code.
      for (const line of lines) assert.ok(line.length <= 80 || line.startsWith("    "), line);
      assert.doesNotMatch(out, /<!--|\]\(/);
    }
  });

  it("finds the section for a whole message or some of its words, and none for unknown words", async () => {
    const request = {
      name: "web",
      target: { kind: "VmRestore", virtualMachineId: "42" },
      timeouts: { busyMs: 1 },
      retryFailed: true,
    } as never;
    const words = { restoreActions: [], completeStatuses: [], failedStatuses: [] };
    const row = { id: "5020", action: "take_backup", status: "running", fields: {} };
    const busy = busyText(request, { rows: [row], contradictions: [] } as never, words, "timeouts.busy (30m)", false);
    const failed = endedText(request, { status: "failed", transactionIds: ["5015"], adopted: false, warnings: [] });
    for (const [word, message] of Object.entries({ busy, failed })) {
      assert.equal(findSection(sections, message.split(/\s+/))?.word, word);
      const [sentence = ""] = message.split("\n");
      assert.equal(findSection(sections, sentence.split(" "))?.word, word, sentence);
    }
    assert.equal(findSection(sections, ["certificate", "authority"])?.word, "connection");
    const pulumis = "error: the stack is currently\n locked by 1 lock(s). Either wait for the other process(es) to end";
    assert.equal(findSection(sections, [pulumis])?.word, "killed");
    assert.equal(findSection(sections, ["zzzz"]), undefined);
    const guessed = "appeared right after the request / this panel does not say which machine";
    for (const [asked, title] of Object.entries({
      "took transaction 5004 (pending) only because it appeared right after the request": guessed,
      "this panel does not say": guessed,
      "names no machine": "A question",
      'the earlier restore "db", which was sent and never listed, is forgotten':
        "the earlier restore / nothing here waits for it any more",
      "was not taken: it is another restore of this program": "A transaction in adopt that wasn't taken",
      "content: not sent: web, the previous restore of machine 42, is not complete":
        "The list is out of date, or a previous restore isn't complete",
      "asks: rows of this panel name no machine": "A question",
      "warning: an earlier `pulumi up` asked for this restore and left no record: it": "A killed run",
    }))
      assert.equal((await call(["help", asked])).out.split("\n")[0], title, asked);
    for (const asked of ["the machine was restored by somebody else on the panel", "1 failed: web", "machine fails"])
      assert.equal((await call(["help", asked])).code, 3, asked);
  });

  it("lists the sections when none is named or none is found", async () => {
    const overview = await call(["help"]);
    assert.equal(overview.code, 0);
    assert.match(overview.out, /^Usage: pulumi-recovery <command>[^]*Sections: adopt, busy,/);
    const none = await call(["help", "zzzz\u001b[31m"]);
    assert.deepEqual([none.code, none.out], [3, ""]);
    assert.match(none.err, /no section has these words: zzzz\u{fffd}\[31m\nSections: adopt,/u);
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    for (const word of ["version", "--version"])
      assert.deepEqual(await call([word]), { code: 0, out: `${version}\n`, err: "" });
  });

  it("ends with 3 when the command is missing or unknown", async () => {
    const none = await call([]);
    assert.equal(none.code, 3);
    assert.match(none.out, /^Usage/);
    const wrong = await call(["restore\u001b[31m"]);
    const said = "pulumi-recovery: there is no command restore\u{fffd}[31m; pulumi-recovery --help lists them\n";
    assert.deepEqual([wrong.code, wrong.err], [3, said]);
  });

  it("tells a user's mistake from a defect", async () => {
    const failing = (error: Error): readonly Command[] => [
      { name: "x", about: "", usage: "", run: () => Promise.reject(error) },
    ];
    const wrong = await call(["x"], {}, "", failing(new CommandError("no such file")));
    assert.deepEqual(wrong, { code: 3, out: "", err: "pulumi-recovery x: no such file\n" });
    const defect = await call(["x"], {}, "", failing(new TypeError("undefined is not a function")));
    assert.equal(defect.code, 4);
    assert.match(defect.err, /TypeError: undefined is not a function\n +at /);
  });

  it("keeps its exit code when its output is cut off, as by a pipe into head", async () => {
    const child = spawn(process.execPath, [builtCommand, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    const [said, ended] = await Promise.all([text(child.stderr), once(child, "close") as Promise<unknown[]>]);
    assert.deepEqual([ended[0], said], [0, ""]);
  });

  it("ends with 3 and without a stack trace when its output cannot be written", function () {
    if (!existsSync("/dev/full")) this.skip();
    const full = openSync("/dev/full", "w");
    try {
      const { status, stderr } = spawnSync(process.execPath, [builtCommand, "--help"], {
        encoding: "utf8",
        stdio: ["ignore", full, "pipe"],
      });
      const said = stderr.replace(/ENOSPC.*/, "ENOSPC");
      assert.deepEqual([status, said], [3, "pulumi-recovery: standard output cannot be written: ENOSPC\n"]);
    } finally {
      closeSync(full);
    }
  });
});
