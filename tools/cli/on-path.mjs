import { existsSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { run } from "../setup/run.mjs";
import { fileName, isExecutable, launcherName, quietEnvironment } from "./kept.mjs";
import { isUsable, oldestUsable } from "./version.mjs";

/** @type {import("./find.mjs").Way} */
export const onPath = {
  name: "pulumi on PATH",
  async look() {
    const found = which(fileName());
    if (found === undefined) return { why: "there is none" };
    const asked = await run(found, ["version"], { env: quietEnvironment(), limitMs: 30_000 });
    if (!asked.ok) return { why: `${found} does not run: ${asked.problem}` };
    const version = asked.stdout.trim();
    if (!isUsable(version, oldestUsable()))
      return { why: `${found} is ${version}, needed is ${oldestUsable()} or newer` };
    // The engine looks for the launcher beside its own binary, not beside a link to it.
    const real = realpathSync(found);
    if (existsSync(join(dirname(real), launcherName)) || which(launcherName) !== undefined) return { path: real };
    return { why: `${found} has no ${launcherName} beside it` };
  },
};

/** @param {string} name */
export function which(name) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path) && statSync(path).isFile() && isExecutable(path));
}
