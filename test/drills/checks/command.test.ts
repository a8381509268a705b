import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandAttempt } from "../../../drills/checks/run-command";
import { pause, systemClock } from "../../../provider/plain/clock";
import { inDirectory } from "../../sandbox/support/temporary-directory";

describe("an attempt at a command check", () => {
  const node = (script: string, env: Record<string, string> = {}) =>
    commandAttempt(
      { command: [process.execPath, "-e", script], env },
      { PATH: "/bin", RECOVERY_PASSWORD: "hunter2", HOME: "/root" },
    );

  it("passes when the command exits with code 0, and keeps its output", async () => {
    assert.deepEqual(await node("console.log('up'); console.error('fine')")(10_000), { output: "up\nfine\n" });
  });

  it("passes the check's environment to the command, but none of the provider's secrets", async () => {
    const { output } = await node("console.log(JSON.stringify(process.env))", { TOKEN: "t" })(10_000);
    const env = JSON.parse(output ?? "{}") as Record<string, string>;
    assert.deepEqual([env["TOKEN"], env["PATH"], env["RECOVERY_PASSWORD"]], ["t", "/bin", undefined]);
  });

  it("runs the command without a shell", async () => {
    const command = [process.execPath, "-p", "process.argv[1]", "$HOME; exit 1"];
    const { output } = await commandAttempt({ command })(10_000);
    assert.equal(output, "$HOME; exit 1\n");
  });

  it("reports how the command ended, without quoting its output", async () => {
    const { problem } = await node("console.log('hunter2'); process.exit(3)")(10_000);
    assert.equal(problem, "it exited with code 3");
    const killed = await node("process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 5000)")(10_000);
    assert.equal(killed.problem, "it was killed by SIGTERM");
    const missing = commandAttempt({ command: ["/nowhere/at-all"] });
    assert.match((await missing(10_000)).problem ?? "", /could not be started: ENOENT/);
  });

  describe("when the command leaves processes running", () => {
    const stubborn = "trap '' TERM; echo $$; exec 2>&-; while :; do sleep 1; done";
    const sh = (script: string) => commandAttempt({ command: ["sh", "-c", script, "sh", stubborn] }, process.env, 300);
    const late = "it did not end within 1s";
    for (const [what, script, problem] of [
      ["a command that exceeds its time limit", "echo $$; sleep 60", late],
      ["a command that exceeds its time limit and ignores SIGTERM", stubborn, late],
      ["a child that ignores SIGTERM, even if its command obeys the signal", 'sh -c "$1" & wait', late],
      ["a child that outlives its command", 'sh -c "$1" >&2 & echo $!', undefined],
    ] as const)
      it(`kills ${what}`, async () => {
        const began = performance.now();
        const { problem: found, output = "" } = await sh(script)(600);
        assert.equal(found, problem);
        const pid = Number(/^\d+$/m.exec(output)?.[0]);
        assert.equal(await hasEnded(pid), true, output);
        assert.ok(performance.now() - began < 20_000);
      });

    it("kills a command's child when the provider process exits", () =>
      inDirectory(async (folder) => {
        const file = join(folder, "pid");
        const script = `sh -c 'trap "" TERM; echo $$ >"$FILE"; exec sleep 60' & wait`;
        const code = `
        const { commandAttempt } = require(${JSON.stringify(join(__dirname, "../../../drills/checks/run-command.ts"))});
        const [script, file] = process.argv.slice(1);
        void commandAttempt({ command: ["sh", "-c", script], env: { FILE: file } })(60_000);
        const { existsSync, statSync } = require("node:fs");
        setInterval(() => existsSync(file) && statSync(file).size > 0 && process.exit(), 50);`;
        spawnSync(process.execPath, ["-r", "ts-node/register", "-e", code, script, file], { timeout: 20_000 });
        assert.equal(await hasEnded(Number(readFileSync(file, "utf8"))), true);
      }));
  });
});

/** A killed process may take a moment to disappear. */
async function hasEnded(pid: number): Promise<boolean> {
  assert.ok(pid > 1, String(pid));
  for (let looks = 0; looks < 40; looks++) {
    const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    // A process that has ended may not have been reaped by its parent yet.
    if (/^(?:Z|$)/.test(stdout.trim())) return true;
    await pause(systemClock, 50);
  }
  process.kill(pid, "SIGKILL");
  return false;
}
