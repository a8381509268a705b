import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";
import { onInterrupt } from "./interrupt.mjs";
import { root } from "./places.mjs";
import { heartbeat, say } from "./say.mjs";

/** Installs what `package-lock.json` says, unless `node_modules` holds just that. */
export async function installDependencies() {
  if (isInstalled(readLock("package-lock.json"), readLock("node_modules/.package-lock.json"))) return;
  const done = heartbeat("installing dependencies (npm ci)");
  // A half-filled node_modules looks like a whole one to every other tool.
  const forget = onInterrupt(() => {
    rmSync(join(root, "node_modules"), { recursive: true, force: true });
  });
  const outcome = await run(...npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]), { cwd: root });
  forget();
  const took = done();
  if (!outcome.ok) throw new Error(`npm ci failed:\n${outcome.problem}`);
  say(`dependencies installed in ${took}`);
}

/** @typedef {{ packages?: Record<string, { version?: string, integrity?: string, optional?: boolean }> }} Lock */

/**
 * npm writes down what it installed when it is through: nothing is written when it was interrupted. Optional
 * packages may be absent, they are made for another platform.
 *
 * @param {Lock} wanted
 * @param {Lock} installed
 */
export function isInstalled(wanted, installed) {
  const there = installed.packages ?? {};
  return Object.entries(wanted.packages ?? {}).every(([path, { version, integrity, optional }]) => {
    if (path === "") return true;
    const found = there[path];
    if (found === undefined) return optional === true;
    return found.version === version && found.integrity === integrity;
  });
}

/**
 * @param {string} path
 * @returns {Lock}
 */
function readLock(path) {
  const file = join(root, path);
  return existsSync(file) ? /** @type {Lock} */ (JSON.parse(readFileSync(file, "utf8"))) : {};
}

/**
 * The npm that runs this script, if one does; else the one on PATH.
 *
 * @param {readonly string[]} args
 * @returns {[command: string, args: readonly string[]]}
 */
function npm(args) {
  const running = process.env.npm_execpath;
  if (running?.endsWith("npm-cli.js")) return [process.execPath, [running, ...args]];
  return [process.platform === "win32" ? "npm.cmd" : "npm", args];
}
