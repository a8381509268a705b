import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./places.mjs";
import { run } from "./run.mjs";
import { startTicker, say } from "./say.mjs";
import { createWhole } from "./whole.mjs";

/** Installs the packages listed in `package-lock.json`, unless `node_modules` already contains them. This module must not use any packages itself. */
export async function installDependencies() {
  if (isInstalled()) return;
  const done = startTicker("installing dependencies (npm ci)");
  try {
    // A half-filled node_modules would look complete to every other tool.
    await createWhole(join(root, "node_modules"), async (made) => {
      const folder = dirname(made);
      for (const name of ["package.json", "package-lock.json", ".npmrc"])
        copyFileSync(join(root, name), join(folder, name));
      const outcome = await npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder], folder);
      if (!outcome.ok) throw new Error(`npm ci failed:\n${outcome.problem}`);
    });
  } finally {
    done();
  }
  say("dependencies installed");
}

/** @typedef {{ packages?: Record<string, { version?: string, integrity?: string, optional?: boolean }> }} Lock */

/**
 * Compares the lock file with the file that npm writes at the end of an installation; an interrupted installation leaves no such file. Optional packages
 * for other platforms may be absent.
 */
function isInstalled() {
  const there = readLock("node_modules/.package-lock.json").packages ?? {};
  const wanted = readLock("package-lock.json").packages ?? {};
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === "") return true;
    const found = there[path];
    if (found === undefined) return optional === true;
    return found.version === version && found.integrity === integrity;
  });
}

/** @returns {Lock} */
function readLock(/** @type {string} */ path) {
  const file = join(root, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

/** Runs npm: the npm that runs this script, or else the npm on PATH. */
export function npm(/** @type {readonly string[]} */ args, /** @type {string} */ cwd) {
  const running = process.env.npm_execpath;
  if (running?.endsWith("npm-cli.js")) return run(process.execPath, [running, ...args], { cwd });
  return run("npm", args, { cwd, shell: process.platform === "win32" });
}
