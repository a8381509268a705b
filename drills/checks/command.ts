import { type ChildProcess, spawn } from "node:child_process";
import type { Probe } from "../inputs/read-check";
import { codeOf, maxOutputBytes, type AttemptResult, type Attempt } from "./attempt";
import { processTree, type ProcessTree } from "./process-tree";

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

/** The time for its last output after it has ended. A process that it left behind may hold the pipes open for ever. */
const lastOutputMs = 200;

const running = new Set<ProcessTree>();
let isExitHandled = false;

/** Ends running commands with this process: nobody would wait for them. */
function killCommandsOnExit(): void {
  if (isExitHandled) return;
  isExitHandled = true;
  process.once("exit", () => {
    for (const tree of running) tree.signal("SIGKILL");
  });
}

/**
 * Runs the command, without a shell and with no input. It passes when it ends with 0. A process that it leaves behind is ended with it,
 * also one that ignores SIGTERM.
 */
export function commandAttempt(
  { argv, env }: Extract<Probe, { kind: "command" }>,
  environment: NodeJS.ProcessEnv = process.env,
  /** Time between SIGTERM and SIGKILL. */
  graceMs = 2_000,
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
          // Its own process group and session, by which the processes that it starts are found.
          detached: process.platform !== "win32",
        });
      } catch (error) {
        resolve({ problem: `it could not be started: ${codeOf(error)}` });
        return;
      }
      const tree = child.pid === undefined ? undefined : processTree(child.pid);
      if (tree !== undefined) running.add(tree);
      let printed = "";
      let isLate = false;
      let isOver = false;
      let timer: NodeJS.Timeout | undefined;
      const finish = (problem: string | undefined): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        if (tree !== undefined) {
          tree.signal("SIGKILL");
          running.delete(tree);
        }
        for (const stream of [child.stdout, child.stderr]) stream?.destroy();
        resolve({
          ...(problem !== undefined && { problem }),
          ...(printed !== "" && { output: printed }),
        } satisfies AttemptResult);
      };
      const endLate = (): void => {
        isLate = true;
        tree?.signal("SIGTERM");
        const until = performance.now() + graceMs;
        const wait = (): void => {
          if (tree?.isRunning() === true && performance.now() < until) timer = setTimeout(wait, 50);
          else finish(`it did not end within ${String(Math.round(limitMs / 1_000))}s`);
        };
        wait();
      };
      timer = setTimeout(endLate, limitMs);
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding("utf8").on("data", (text: string) => {
          printed = (printed + text).slice(-maxOutputBytes);
        });
      }
      child.once("error", (error) => {
        finish(`it could not be started: ${codeOf(error)}`);
      });
      child.once("exit", (code, signal) => {
        if (isLate) return;
        clearTimeout(timer);
        const problem =
          code === 0
            ? undefined
            : code === null
              ? `it was ended by ${String(signal)}`
              : `it ended with exit code ${String(code)}`;
        timer = setTimeout(() => {
          finish(problem);
        }, lastOutputMs);
        child.once("close", () => {
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
