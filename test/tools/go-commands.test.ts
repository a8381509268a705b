import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

describe("the commands that are built from Go modules", () => {
  it("are each pinned with their sums, and none is kept in another's place", async () => {
    const { goCommands } = await import("../../tools/cli/go-commands.mjs");
    const { keptFolder } = await import("../../tools/cli/kept.mjs");
    const { pinnedVersion } = await import("../../tools/cli/version.mjs");
    const commands = Object.values(goCommands);
    for (const command of commands) {
      assert.match(pinnedVersion(command), /^\d+\.\d+\.\d+$/, command.what);
      const folder = join(root, command.pinnedIn);
      assert.ok(existsSync(join(folder, "go.sum")), command.what);
      assert.ok(readFileSync(join(folder, "go.mod"), "utf8").includes(command.package), command.what);
    }
    assert.equal(new Set(commands.map((command) => keptFolder(command))).size, commands.length);
  });

  it("are kept by their source too, where it lies here", async () => {
    const { goCommands } = await import("../../tools/cli/go-commands.mjs");
    const { keptFolder } = await import("../../tools/cli/kept.mjs");
    const folder = keptFolder(goCommands.sdkGenerator);
    assert.match(folder, /3\.\d+\.\d+-[0-9a-f]{12}$/);
    assert.notEqual(keptFolder({ ...goCommands.sdkGenerator, source: "go.mod" }), folder);
    assert.match(keptFolder(goCommands.s3Server), /\d+\.\d+\.\d+$/);
  });

  it("are said to be missing with what to install, each by its own name", async () => {
    const { missingMessage: missing } = await import("../../tools/cli/find.mjs");
    const { goCommands } = await import("../../tools/cli/go-commands.mjs");
    const message = missing(["build: Go is not installed"], goCommands.yamlHost);
    assert.match(message, /there is no pulumi-language-yaml 1\.\d+\.\d+ \(Pulumi's YAML host\)/);
    assert.match(message, /build: Go is not installed/);
    assert.match(message, /Install Go, 1\.\d+ or newer/);
  });
});

describe("a command that is to be kept", () => {
  it("is not, when it does not say the version that it was to be told", async function () {
    if (process.platform === "win32") this.skip();
    const { goCommands } = await import("../../tools/cli/go-commands.mjs");
    const { keepCommand: keep, keptBinary } = await import("../../tools/cli/kept.mjs");
    const cache = mkdtempSync(join(tmpdir(), "recovery-kept-"));
    const before = process.env.XDG_CACHE_HOME;
    process.env.XDG_CACHE_HOME = cache;
    const saying = (text: string) => (made: string) => {
      mkdirSync(join(made, "bin"), { recursive: true });
      writeFileSync(join(made, "bin", "pulumi"), `#!/bin/sh\necho '${text}'\n`, { mode: 0o755 });
      return Promise.resolve();
    };
    try {
      await assert.rejects(keep(goCommands.cli, "3.1.0", saying("")), /says that it is "", not 3\.1\.0/);
      assert.equal(keptBinary(goCommands.cli, "3.1.0"), undefined);
      const kept = await keep(goCommands.cli, "3.1.0", saying("v3.1.0"));
      assert.equal(keptBinary(goCommands.cli, "3.1.0"), kept);
    } finally {
      if (before === undefined) delete process.env.XDG_CACHE_HOME;
      else process.env.XDG_CACHE_HOME = before;
      rmSync(cache, { recursive: true });
    }
  });
});
