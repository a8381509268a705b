import { spawn } from "node:child_process";
import { root } from "./places.mjs";

/**
 * Runs a script of this repository with the terminal as its own.
 *
 * @param {readonly string[]} args of `node`
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} its exit code
 */
export function handOver(args, env) {
  // A Ctrl-C reaches the script as well, which ends in its own time; this process waits for it.
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
