import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { built } from "../support/built";
import { startSandbox, type Sandbox } from "../../sandbox";

const run = promisify(execFile);

/** Runs a program in a process of its own and returns what it printed as JSON. */
async function inProcess(code: string, env: Record<string, string> = {}): Promise<unknown> {
  const { stdout } = await run(process.execPath, ["-e", code], {
    cwd: built,
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout);
}

describe("the functions in a program's process", () => {
  let panel: Sandbox;

  before(async function () {
    this.timeout(60_000);
    panel = await startSandbox();
  });

  after(() => panel.stop());

  it("leave nothing behind that keeps the process alive", async function () {
    this.timeout(60_000);
    const alive = await inProcess(
      `
      require("./provider/program/functions").getTransactions({ limit: 30 }).then(() => {
        setImmediate(() => console.log(JSON.stringify(process.getActiveResourcesInfo())));
      });
    `,
      { RECOVERY_ENDPOINT: panel.url, RECOVERY_USERNAME: panel.username, RECOVERY_PASSWORD: panel.password },
    );
    const kinds = (alive as string[]).filter((kind) => /TCP|TLS|Timeout/.test(kind));
    assert.deepEqual(kinds, []);
  });
});
