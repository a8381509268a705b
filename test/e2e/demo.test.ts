import assert from "node:assert/strict";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { cliPath, repositoryRoot } from "../../tools/engine/cli";
import { expect } from "./support/ended";
import { long } from "../support/thorough";

/** Runs the demo like `npm run demo`, but without the set-up, and returns the final contents of the terminal. */
async function demo(): Promise<string> {
  const words = ["-r", "ts-node/register/transpile-only", join(repositoryRoot, "tools", "demo", "demo.ts")];
  const env = { ...process.env, PULUMI_RECOVERY_CLI: cliPath() };
  return stripVTControlCharacters(await expect(process.execPath, words, { cwd: repositoryRoot, env }));
}

long.describe("the demo", () => {
  it("shows progress, a killed run that is continued without a second POST, a failed restore with its log, and the outputs", async function () {
    this.timeout(400_000);

    const text = await demo();

    const [before = "", first = "", killed = "", failed = "", kept = ""] = text.split(/^▸ \d\. /m);
    assert.match(before, /\d+ GETs, nothing posted/);
    assert.match(first, /VmRestore web creating .*\[\d+\] running/);
    assert.match(killed, /adopted transaction \d+/);
    assert.match(killed, /2 POSTs for two restores, so none was repeated/);
    assert.match(failed, /restore "db" \(machine 43, recovery point 1008\) failed: transaction \d+/);
    assert.match(failed, /the end of the restore's log \(anything that looks like a secret is masked\):/);
    assert.match(failed, /▸ 1 more POST\./);
    assert.match(kept, /"status": "complete"/);
    assert.match(kept, /the panel saw 7 POSTs/);
  });
});
