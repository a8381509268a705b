import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { builtCommand } from "../support/built";
import { ask, restoreLine } from "./support/ask";
import { inDirectory } from "./support/temporary-directory";

const root = resolve(__dirname, "../..");

/** Runs the command, waits until it is listening, and always kills it afterwards. */
async function running<T>(
  args: readonly string[],
  use: (child: ChildProcess, output: () => string, addressOf: (name: string) => string) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [builtCommand, "sandbox", ...args], { cwd: root });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      child.emit("output");
    });
  const exit = once(child, "exit");
  try {
    while (!output.includes("recovery:password")) {
      await Promise.race([once(child, "output"), exit]);
      assert.equal(child.exitCode, null, output);
    }
    const addressOf = (name: string): string => new RegExp(`^${name} +(\\S+)$`, "m").exec(output)?.[1] ?? "";
    return await use(child, () => output, addressOf);
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await exit;
  }
}

describe("pulumi-recovery sandbox", function () {
  this.timeout(60_000);

  it("prints how to use it, logs requests one per line, and stops on Ctrl-C", () =>
    running(["--port", "0", "--password", "it's secret", "--user", "ann"], async (child, output, addressOf) => {
      const url = addressOf("Panel");
      assert.match(url, /^http:\/\/127\.0\.0\.1:[0-9]+$/);
      assert.match(output(), new RegExp(`^pulumi config set recovery:endpoint ${url}$`, "m"));
      assert.match(output(), /^pulumi config set recovery:username ann$/m);
      assert.match(output(), /^pulumi config set --secret recovery:password 'it'\\''s secret'$/m);
      assert.equal((await ask(url, restoreLine, { credentials: "ann:it's secret" })).status, 201);
      assert.equal((await ask(url, "GET /transactions.xml?detailed")).status, 401);
      assert.equal((await ask(addressOf("Page and control"), "GET /")).status, 200);
      child.kill("SIGINT");
      assert.deepEqual(await once(child, "exit"), [0, null]);
      const log = output().match(/^.* (?:GET|POST) .*$/gm) ?? [];
      assert.match(log[0] ?? "", new RegExp(`^[0-9T:.Z-]+ ${restoreLine} 201$`));
      assert.match(log[1] ?? "", /^[0-9T:.Z-]+ GET \/transactions\.xml\?detailed 401$/);
      assert.equal(log.length, 2);
      assert.match(output(), /\nStopped\n$/);
    }));

  it("serves the panel described in its scenario, and applies the given switches on top of the scenario's dialect", () =>
    inDirectory((folder) => {
      const file = join(folder, "scenario.json");
      writeFileSync(file, '{"machines":[{"id":77}],"dialect":{"preset":"bare","listingDelaySeconds":0}}');
      const state = join(folder, "state.json");
      const args = ["--port=0", "--scenario", file, "--switch", "wrapping=whole", "--state", state];
      return running(args, async (_child, _output, addressOf) => {
        const url = addressOf("Panel");
        assert.equal((await ask(url, restoreLine)).status, 404);
        assert.equal((await ask(url, "GET /transactions.json")).text, '{"transactions":[]}');
        assert.equal((await ask(url, restoreLine.replace("42", "77"))).status, 201);
        assert.ok(existsSync(state));
      });
    }));
});
