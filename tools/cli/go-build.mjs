import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../setup/child.mjs";
import { root } from "../setup/places.mjs";
import { heartbeat, say } from "../setup/say.mjs";
import { fileName, keep } from "./kept.mjs";
import { pinnedVersion } from "./version.mjs";

/** @typedef {import("./go-commands.mjs").GoCommand} GoCommand */

/**
 * The unmodified command, built from the module that its `go.mod` and `go.sum` pin.
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
      const done = heartbeat(`building ${command.what} ${version} with Go (once; takes minutes)`);
      let took = "";
      try {
        const cli = await keep(command, version, (folder) => build(command, version, folder));
        took = done();
        say(`${command.what} was built in ${took}`);
        return { cli };
      } catch (error) {
        return { why: /** @type {Error} */ (error).message };
      } finally {
        if (took === "") done();
      }
    },
  };
}

/**
 * @param {GoCommand} command
 * @param {string} version
 * @param {string} folder
 */
async function build(command, version, folder) {
  const work = join(folder, "work");
  mkdirSync(work, { recursive: true });
  const { versionVariable } = command;
  const ldflags = ["-s -w", versionVariable === undefined ? "" : `-X ${versionVariable}=v${version}`].join(" ").trim();
  const args = [
    "build",
    "-trimpath",
    "-ldflags",
    ldflags,
    "-o",
    join(folder, "bin", fileName(command)),
    command.package,
  ];
  const outcome = await run("go", args, {
    cwd: join(root, command.pinnedIn),
    env: {
      ...process.env,
      // As the official builds: no C compiler needed.
      CGO_ENABLED: "0",
      GOWORK: "off",
      // Go's scratch files go with the folder when the build is stopped.
      GOTMPDIR: work,
      // Downloaded modules are read-only otherwise, and a user who removes a cache folder meets that.
      GOFLAGS: `${process.env.GOFLAGS ?? ""} -modcacherw`.trim(),
    },
  });
  rmSync(work, { recursive: true, force: true });
  if (!outcome.ok) throw new Error(outcome.problem);
}
