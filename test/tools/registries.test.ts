import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

it("package registries are not named in any tracked file, so a clone uses the registry configured on its own machine", () => {
  const configured = [ask("npm", "config", "get", "registry"), ask("go", "env", "GOPROXY", "GOSUMDB")].join(" ");
  const hosts = [...configured.matchAll(/https?:\/\/(?:[^/@\s]*@)?([^/\s,|:]+)/g)].map(([, host]) => host!);
  const known = ["registry.npmjs.", "registry.yarnpkg.", "proxy.golang.", "sum.golang.", '"resolved": "http'];
  const patterns = [...known, ...hosts].flatMap((text) => ["-e", text]);
  const here = ":!test/tools/registries.test.ts";
  const found = spawnSync("git", ["grep", "-nIF", ...patterns, "--", ".", here], { cwd: root, encoding: "utf8" });
  assert.equal(found.stdout, "");
  assert.equal(found.status, 1, found.stderr);
});

function ask(command: string, ...args: readonly string[]): string {
  return spawnSync(command, args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" }).stdout;
}
