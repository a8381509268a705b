import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { cliPath, repositoryRoot } from "../../tools/engine/cli";
import { long } from "../support/thorough";

/** Runs the demo as `npm run demo` does, without its set-up, and returns the contents of the terminal afterwards. */
function demo(): Promise<string> {
  const main = join(repositoryRoot, "tools", "demo", "demo.ts");
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ["-r", "ts-node/register/transpile-only", main],
      { cwd: repositoryRoot, env: { ...process.env, PULUMI_RECOVERY_CLI: cliPath() }, maxBuffer: 10_000_000 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
        else resolve(stripVTControlCharacters(stdout));
      },
    );
  });
}

long.describe("the demo", () => {
  it("shows progress, a killed run that continues without a second POST, a failed restore with its log, and the outputs", async function () {
    this.timeout(400_000);

    const text = await demo();

    const [before = "", first = "", killed = "", failed = "", kept = ""] = text.split(/^▸ \d\. /m);
    assert.match(before, /\d+ GETs, nothing posted/);
    assert.match(first, /VmRestore web creating .* running, \d+/);
    assert.match(killed, /adopted transaction \d+/);
    assert.match(killed, /2 POSTs for two restores, none of them twice/);
    assert.match(failed, /restore "db" \(machine 43, recovery point 1008\) failed: transaction \d+/);
    assert.match(failed, /the end of its log, secrets masked:/);
    assert.match(failed, /▸ 1 more POST\./);
    assert.match(kept, /"status": "complete"/);
    assert.match(kept, /the panel saw 7 POSTs/);
  });
});
