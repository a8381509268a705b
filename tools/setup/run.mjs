import { execFile, spawn } from "node:child_process";
import { root } from "./places.mjs";

/**
 * @typedef {object} Outcome
 * @property {boolean} ok
 * @property {string} stdout
 * @property {string} problem a message to show if `ok` is false: the last lines of output, or why the command did not run
 */

/**
 * Runs a command to completion without showing its output.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, limitMs?: number, shell?: boolean }} [options]
 * @returns {Promise<Outcome>}
 */
export function run(command, args, { limitMs = 0, ...options } = {}) {
  return new Promise((resolve) => {
    const limits = { timeout: limitMs, killSignal: /** @type {const} */ ("SIGKILL"), maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(command, args, { ...options, ...limits, encoding: "utf8" }, (error, stdout, stderr) => {
      const lastLines = `${stdout}${stderr}`.trim().split("\n").slice(-25).join("\n");
      if (error === null) resolve({ ok: true, stdout, problem: "" });
      else if (error.killed === true)
        resolve({ ok: false, stdout, problem: `stopped after ${String(limitMs / 1_000)} s` });
      else resolve({ ok: false, stdout, problem: lastLines === "" ? error.message : lastLines });
    });
    child.stdin?.end();
  });
}

/** Runs one of this repository's scripts in this terminal, and returns its exit code. @returns {Promise<number>} */
export function runNode(/** @type {readonly string[]} */ args, /** @type {NodeJS.ProcessEnv} */ env) {
  // Ctrl-C reaches the script as well, and this process waits until the script ends.
  const wait = () => undefined;
  process.on("SIGINT", wait);
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  return new Promise((/** @type {(code: number) => void} */ resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve(code ?? 1);
    });
  }).finally(() => {
    process.off("SIGINT", wait);
  });
}
