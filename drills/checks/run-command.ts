import { type ChildProcess, spawn } from "node:child_process";
import { omitUndefined } from "../../provider/plain/plain";
import { codeOf, maxOutputBytes, type CheckAttempt } from "./kind";

export interface CommandProbe {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The environment variables that a command inherits. The panel's password and the state's passphrase are not among them. */
const inheritedVariables =
  "PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TZ TMPDIR TEMP TMP SSH_AUTH_SOCK SYSTEMROOT PATHEXT COMSPEC USERPROFILE".split(
    " ",
  );

const hasGroups = process.platform !== "win32";

/** How long to keep reading output after the command has exited. There must be a limit, because a process left behind may keep the pipes open. */
const lastOutputMs = 200;

/** The process ids of running commands, each of which leads its own process group. */
const running = new Set<number>();

// Kills running commands when this process exits, because nothing is left to wait for them.
process.once("exit", () => {
  for (const leader of running) signalGroup(leader, "SIGKILL");
});

/** Passes when the command exits with 0. In any case, kills all processes left in its group, but not a daemon that has left the group. */
export function commandAttempt(
  { command, env }: CommandProbe,
  environment: NodeJS.ProcessEnv = process.env,
  /** Time between SIGTERM and SIGKILL. */
  graceMs = 2_000,
): CheckAttempt {
  return (limitMs) => {
    const [file = "", ...args] = command;
    try {
      const child = spawn(file, args, {
        env: { ...inheritedFrom(environment), ...env },
        stdio: ["ignore", "pipe", "pipe"],
        shell: false,
        windowsHide: true,
        // Starts a new process group, so that the group can be signaled as a whole.
        detached: hasGroups,
      });
      return endOf(child, limitMs, graceMs);
    } catch (error) {
      return Promise.resolve({ problem: notStarted(error) });
    }
  };
}

const notStarted = (error: unknown): string => `it could not be started: ${codeOf(error)}`;

function endOf(child: ChildProcess, limitMs: number, graceMs: number): ReturnType<CheckAttempt> {
  return new Promise((resolve) => {
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    let printed = "";
    let isLate = false;
    let isOver = false;
    const finish = (problem: string | undefined): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (pid !== undefined) {
        signalGroup(pid, "SIGKILL");
        running.delete(pid);
      }
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      resolve(omitUndefined({ problem, output: printed || undefined }));
    };
    /** Finishes after `ms`, or as soon as the command has ended. `finish` then kills what is left of the command's group. */
    const finishWithin = (ms: number, problem: string | undefined): void => {
      clearTimeout(timer);
      timer = setTimeout(finish, ms, problem);
      child.once("close", () => {
        finish(problem);
      });
    };
    let timer = setTimeout(() => {
      isLate = true;
      if (pid !== undefined) signalGroup(pid, "SIGTERM");
      finishWithin(graceMs, `it did not end within ${String(Math.round(limitMs / 1_000))}s`);
    }, limitMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        printed = (printed + text).slice(-maxOutputBytes);
      });
    }
    child.once("error", (error) => {
      finish(notStarted(error));
    });
    child.once("exit", (code, signal) => {
      if (!isLate) finishWithin(lastOutputMs, problemOfEnd(code, signal));
    });
  });
}

function problemOfEnd(code: number | null, signal: string | null): string | undefined {
  if (code === 0) return undefined;
  return code === null ? `it was killed by ${String(signal)}` : `it exited with code ${String(code)}`;
}

function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(hasGroups ? -leader : leader, signal);
  } catch {
    // The whole group has already ended.
  }
}

function inheritedFrom(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => inheritedVariables.includes(name.toUpperCase())),
  );
}
