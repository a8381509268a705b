import { type ChildProcess, spawn } from "node:child_process";
import type { Probe } from "../inputs/read-check";
import { codeOf, maxOutputBytes, type AttemptResult, type Attempt } from "./attempt";

/** The environment variables that a command inherits. The panel's password and the state's passphrase are not among them. */
const inheritedVariables = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SSH_AUTH_SOCK",
  "SYSTEMROOT",
  "PATHEXT",
  "COMSPEC",
  "USERPROFILE",
];

/** Time between SIGTERM and SIGKILL. */
const graceMs = 2_000;

const running = new Set<ChildProcess>();
let isExitHandled = false;

/** Ends running commands with this process: nobody would wait for them. */
function killCommandsOnExit(): void {
  if (isExitHandled) return;
  isExitHandled = true;
  process.once("exit", () => {
    for (const child of running) sendSignal(child, "SIGKILL");
  });
}

/** Runs the command, without a shell and with no input. It passes when it ends with 0. */
export function commandAttempt(
  { argv, env }: Extract<Probe, { kind: "command" }>,
  environment: NodeJS.ProcessEnv = process.env,
): Attempt {
  return (limitMs) =>
    new Promise((resolve) => {
      killCommandsOnExit();
      const [file = "", ...args] = argv;
      let child: ChildProcess;
      try {
        child = spawn(file, args, {
          env: { ...inheritedFrom(environment), ...env },
          stdio: ["ignore", "pipe", "pipe"],
          shell: false,
          windowsHide: true,
          // Its own process group, so a signal reaches the processes that it starts, too.
          detached: process.platform !== "win32",
        });
      } catch (error) {
        resolve({ problem: `it could not be started: ${codeOf(error)}` });
        return;
      }
      running.add(child);
      let printed = "";
      let isTimedOut = false;
      let isOver = false;
      const finish = (problem: string | undefined): void => {
        if (isOver) return;
        isOver = true;
        running.delete(child);
        clearTimeout(timer);
        clearTimeout(lastTimer);
        resolve({
          ...(problem !== undefined && { problem }),
          ...(printed !== "" && { output: printed }),
        } satisfies AttemptResult);
      };
      let lastTimer: NodeJS.Timeout | undefined;
      const timeoutText = `it did not end within ${String(Math.round(limitMs / 1_000))}s`;
      const timer = setTimeout(() => {
        isTimedOut = true;
        sendSignal(child, "SIGTERM");
        lastTimer = setTimeout(() => {
          sendSignal(child, "SIGKILL");
          finish(timeoutText);
        }, graceMs);
      }, limitMs);
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding("utf8").on("data", (text: string) => {
          printed = (printed + text).slice(-maxOutputBytes);
        });
      }
      child.once("error", (error) => {
        finish(`it could not be started: ${codeOf(error)}`);
      });
      child.once("exit", (code, signal) => {
        const problem = isTimedOut
          ? timeoutText
          : code === 0
            ? undefined
            : code === null
              ? `it was ended by ${String(signal)}`
              : `it ended with exit code ${String(code)}`;
        // Its last output may still arrive, but a process that it left behind may hold the pipes open for ever.
        const settle = setTimeout(() => {
          finish(problem);
        }, 200);
        child.once("close", () => {
          clearTimeout(settle);
          finish(problem);
        });
      });
    });
}

function inheritedFrom(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => inheritedVariables.includes(name.toUpperCase())),
  );
}

function sendSignal(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It ended in the meantime.
  }
}
