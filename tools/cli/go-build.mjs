import { dirname, join } from "node:path";
import { isUnreachable } from "../languages/unreachable.mjs";
import { root } from "../setup/places.mjs";
import { run } from "../setup/run.mjs";
import { startTicker } from "../setup/say.mjs";
import { fileName, keepCommand } from "./kept.mjs";
import { pinnedVersion } from "./version.mjs";

/** @typedef {import("./go-commands.mjs").GoCommand} GoCommand */

/**
 * Builds the unmodified command from the module that its `go.mod` and `go.sum` pin.
 *
 * @param {GoCommand} command
 * @returns {import("./find.mjs").Way}
 */
export function goBuild(command) {
  const version = pinnedVersion(command);
  return {
    name: `build of ${version} with Go`,
    async look() {
      const go = await run("go", ["version"], { limitMs: 30_000 });
      if (!go.ok) return { why: go.problem.includes("ENOENT") ? "Go is not installed" : go.problem };
      const done = startTicker(`building ${command.what} ${version} with Go (once; ${command.takes})`);
      try {
        return { path: await keepCommand(command, version, (made) => build(command, version, made)) };
      } catch (error) {
        const { message } = /** @type {Error} */ (error);
        // This repository's own source must compile; a foreign module may be out of reach.
        if (command.source !== undefined && !isUnreachable(message)) throw error;
        return { why: message };
      } finally {
        done();
      }
    },
  };
}

/**
 * @param {GoCommand} command
 * @param {string} version
 * @param {string} made
 */
async function build(command, version, made) {
  const { versionVariable } = command;
  const ldflags = ["-s -w", versionVariable === undefined ? "" : `-X ${versionVariable}=v${version}`].join(" ").trim();
  const binary = join(made, "bin", fileName(command));
  const outcome = await run("go", ["build", "-trimpath", "-ldflags", ldflags, "-o", binary, command.package], {
    cwd: join(root, command.pinnedIn),
    env: {
      ...process.env,
      // Like the official builds, this build needs no C compiler.
      CGO_ENABLED: "0",
      GOWORK: "off",
      // A stopped build leaves its scratch files in the half-made folder, which is removed.
      GOTMPDIR: dirname(made),
      // Without -modcacherw, downloaded modules are read-only and a user cannot remove the cache folder.
      GOFLAGS: `${process.env.GOFLAGS ?? ""} -modcacherw`.trim(),
    },
  });
  if (!outcome.ok) throw new Error(outcome.problem);
}
