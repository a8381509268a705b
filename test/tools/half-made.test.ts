import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

describe("a folder that is made whole or not at all", () => {
  let folder = "";
  let place = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "recovery-whole-"));
    place = join(folder, "cli");
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("appears when it is full, in place of what was there", async () => {
    const { makeWhole } = await import("../../tools/setup/half-made.mjs");
    mkdirSync(place);
    writeFileSync(join(place, "old"), "");
    await makeWhole(place, (half) => {
      assert.deepEqual(readdirSync(place), ["old"]);
      writeFileSync(join(half, "new"), "text");
      return Promise.resolve();
    });
    assert.deepEqual(readdirSync(folder), ["cli"]);
    assert.deepEqual(readdirSync(place), ["new"]);
    assert.equal(readFileSync(join(place, "new"), "utf8"), "text");
  });

  it("is as before when filling it fails", async () => {
    const { makeWhole } = await import("../../tools/setup/half-made.mjs");
    mkdirSync(place);
    await assert.rejects(
      makeWhole(place, () => Promise.reject(new Error("disk full"))),
      /disk full/,
    );
    assert.deepEqual(readdirSync(folder), ["cli"]);
  });

  it("takes away what a killed set-up left, and nothing of a living one", async () => {
    const { makeWhole } = await import("../../tools/setup/half-made.mjs");
    mkdirSync(join(folder, `.cli-half-made-${String(2 ** 30)}`));
    mkdirSync(join(folder, `.cli-half-made-${String(process.ppid)}`));
    await makeWhole(place, () => Promise.resolve());
    assert.deepEqual(readdirSync(folder).sort(), [`.cli-half-made-${String(process.ppid)}`, "cli"]);
  });

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    it(`leaves nothing behind on ${signal}: not the folder, not the lock, not the command that filled it`, async () => {
      const pidFile = join(folder, "pid");
      const child = spawn(process.execPath, ["--input-type=module", "-e", fillForever(place, pidFile)], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      const ended = new Promise((resolve) => child.once("close", resolve));
      await new Promise((resolve) => child.stdout.once("data", resolve));
      child.kill(signal);
      assert.equal(await ended, code);
      assert.deepEqual(readdirSync(folder), ["pid"]);
      assert.throws(() => process.kill(Number(readFileSync(pidFile, "utf8")), 0), { code: "ESRCH" });
    });
  }
});

/** A set-up that fills a folder by a command that does not end. */
function fillForever(place: string, pidFile: string): string {
  const tool = (name: string): string =>
    JSON.stringify(pathToFileURL(join(__dirname, "..", "..", "tools", "setup", `${name}.mjs`)).href);
  const command = `require("node:fs").writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1000)`;
  return `
    import { existsSync, readFileSync } from "node:fs";
    import { makeWhole } from ${tool("half-made")};
    import { run } from ${tool("child")};
    import { withLock } from ${tool("lock")};
    const pidFile = ${JSON.stringify(pidFile)};
    const watch = setInterval(() => {
      if (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "") return;
      clearInterval(watch);
      console.log("filling");
    }, 10);
    await withLock(${JSON.stringify(place)} + ".lock", () =>
      makeWhole(${JSON.stringify(place)}, async () => {
        await run(process.execPath, ["-e", ${JSON.stringify(command)}, pidFile]);
        throw new Error("must not go on after it was stopped");
      }),
    );
  `;
}
