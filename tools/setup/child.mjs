import { spawn } from "node:child_process";
import { onInterrupt } from "./interrupt.mjs";

/**
 * @typedef {object} Outcome
 * @property {boolean} ok
 * @property {string} stdout
 * @property {string} problem what to tell somebody when it is not ok: the last lines it printed, or why it did not run
 */

/**
 * Runs a command to its end. It gets a process group of its own, so that stopping it stops what it started too.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, limitMs?: number }} [options]
 * @returns {Promise<Outcome>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const { limitMs, ...rest } = options;
    const ownGroup = process.platform !== "win32";
    const child = spawn(command, args, { ...rest, detached: ownGroup, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let both = "";
    let stopped = "";
    const kill = () => {
      if (child.pid !== undefined && child.exitCode === null)
        process.kill(ownGroup ? -child.pid : child.pid, "SIGKILL");
    };
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            stopped = `stopped after ${String(Math.round(limitMs / 1_000))} s`;
            kill();
          }, limitMs);
    /** @type {(() => void) | undefined} */
    let killed;
    const forget = onInterrupt(
      () =>
        new Promise((gone) => {
          killed = gone;
          kill();
        }),
    );
    /** @param {boolean} ok @param {string} [problem] */
    const end = (ok, problem) => {
      clearTimeout(timer);
      if (killed) {
        // Set-up is being stopped: whoever waits for this command must not go on.
        killed();
        return;
      }
      forget();
      resolve({ ok, stdout, problem: problem ?? tail(both) });
    };
    child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      stdout += text;
      both += text;
    });
    child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      both += text;
    });
    child.once("error", (error) => {
      end(false, error.message);
    });
    child.once("close", (code) => {
      end(code === 0, stopped === "" ? undefined : stopped);
    });
  });
}

/** @param {string} text */
function tail(text) {
  return text.trim().split("\n").slice(-25).join("\n");
}
