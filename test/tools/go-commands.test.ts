import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
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
});
