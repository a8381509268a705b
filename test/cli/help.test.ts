import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import assert from "node:assert/strict";
import { CommandError, type Command, exitCodes } from "../../cli/parts/command";
import { commands, helpFor } from "../../cli/commands";
import { builtCommand } from "../support/built";
import { call } from "./support/call";

const root = join(__dirname, "..", "..");

describe("pulumi-recovery", () => {
  it("has help that fits a screen, for itself and for each command", async () => {
    for (const args of [
      ["--help"],
      ["help"],
      ["-h"],
      ...commands.flatMap(({ name }) => [
        [name, "--help"],
        [name, "-h"],
        ["help", name],
      ]),
    ]) {
      const { code, out, err } = await call(args);
      assert.deepEqual([code, err], [0, ""], args.join(" "));
      const lines = out.trimEnd().split("\n");
      assert.ok(lines.length <= 24, `${args.join(" ")}: ${String(lines.length)} lines`);
      assert.ok(Math.max(...lines.map(({ length }) => length)) <= 122, args.join(" "));
      assert.match(out, /^Usage: pulumi-recovery /);
    }
  });

  it("lists every command", () => {
    for (const { name, about } of commands)
      assert.ok(helpFor(commands).includes(`${name} `) && helpFor(commands).includes(about));
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    assert.deepEqual(await call(["--version"]), { code: 0, out: `${version}\n`, err: "" });
  });

  it("ends with 3 without a command, with the help, and for one there is not", async () => {
    const none = await call([]);
    assert.equal(none.code, 3);
    assert.match(none.out, /^Usage/);
    const wrong = await call(["restore\u001b[31m"]);
    assert.equal(wrong.code, 3);
    assert.equal(
      wrong.err,
      "pulumi-recovery: there is no command restore\u{fffd}[31m; pulumi-recovery --help lists them\n",
    );
  });

  it("tells what a person can put right from a defect", async () => {
    const failing = (error: Error): readonly Command[] => [
      { name: "x", about: "", usage: "", run: () => Promise.reject(error) },
    ];
    assert.deepEqual(await call(["x"], {}, "", failing(new CommandError("no such file"))), {
      code: 3,
      out: "",
      err: "pulumi-recovery x: no such file\n",
    });
    const defect = await call(["x"], {}, "", failing(new TypeError("undefined is not a function")));
    assert.equal(defect.code, 4);
    assert.match(defect.err, /TypeError: undefined is not a function\n +at /);
  });

  it("documents its exit codes where it is documented", () => {
    const page = readFileSync(join(root, "docs", "report.md"), "utf8");
    const [said = ""] = /^Exit codes: [\s\S]*?(?=^```$)/m.exec(page) ?? [];
    for (const code of Object.values(exitCodes)) assert.match(said, new RegExp(`\\b${String(code)} \\w`));
  });

  it("is a command once it is installed", function () {
    this.timeout(60_000);
    assert.match(readFileSync(join(root, "cli", "main.ts"), "utf8"), /^#!\/usr\/bin\/env node\n/);
    const { status, stdout, stderr } = spawnSync(process.execPath, [builtCommand, "report", "--state", "-"], {
      input: "{}",
      encoding: "utf8",
    });
    assert.deepEqual([status, stdout], [3, ""]);
    assert.match(stderr, /pulumi-recovery report: this is not the state of a stack/);
  });

  it("keeps its exit code where nobody reads to the end, as behind a pipe into head", async function () {
    this.timeout(60_000);
    const child = spawn(process.execPath, [builtCommand, "--help"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    const [said, ended] = await Promise.all([text(child.stderr), once(child, "close") as Promise<unknown[]>]);
    assert.deepEqual([ended[0], said], [0, ""]);
  });

  it("ends with 3, and without a stack, where its output cannot be written", function () {
    if (!existsSync("/dev/full")) this.skip();
    this.timeout(60_000);
    const full = openSync("/dev/full", "w");
    try {
      const { status, stderr } = spawnSync(process.execPath, [builtCommand, "--help"], {
        encoding: "utf8",
        stdio: ["ignore", full, "pipe"],
      });
      assert.deepEqual(
        [status, stderr.replace(/ENOSPC.*/, "ENOSPC")],
        [3, "pulumi-recovery: standard output cannot be written: ENOSPC\n"],
      );
    } finally {
      closeSync(full);
    }
  });
});
