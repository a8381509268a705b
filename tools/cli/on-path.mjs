import { copyFileSync, existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { run } from "../setup/run.mjs";
import { goCommands } from "./go-commands.mjs";
import { fileName, isExecutable, keepCommand, keptBinary, launcherName, quietEnvironment } from "./kept.mjs";
import { isUsable, oldestUsable } from "./version.mjs";

/** @type {import("./find.mjs").Way} */
export const onPath = {
  name: "pulumi on PATH",
  async look() {
    const found = which(fileName());
    if (found === undefined) return { why: "none" };
    const asked = await run(found, ["version"], { env: quietEnvironment(), limitMs: 30_000 });
    if (!asked.ok) return { why: `${found} does not run: ${asked.problem}` };
    const version = asked.stdout.trim();
    if (!isUsable(version, oldestUsable()))
      return { why: `${found} is ${version}, needed is ${oldestUsable()} or newer` };
    // The engine looks for the launcher beside its own binary, not beside a link to it.
    const real = realpathSync(found);
    if (existsSync(join(dirname(real), launcherName)) || which(launcherName) !== undefined) return { path: real };
    return { path: await withLauncher(real, version.replace(/^v/, "")) };
  },
};

/**
 * Keeps a copy of a CLI together with the launcher. Without it the CLI cannot run dynamic resources, and an installed CLI's folder is
 * not ours to change.
 *
 * @param {string} cli
 * @param {string} version
 */
async function withLauncher(cli, version) {
  return (
    keptBinary(goCommands.cli, version) ??
    keepCommand(goCommands.cli, version, (made) => {
      mkdirSync(join(made, "bin"), { recursive: true });
      copyFileSync(cli, join(made, "bin", fileName()));
      return Promise.resolve();
    })
  );
}

/** @param {string} name */
export function which(name) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path) && statSync(path).isFile() && isExecutable(path));
}
