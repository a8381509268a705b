import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { processesInProc, processesOfPs, type ProcessRow } from "./process-list";

/** The processes that a command started, and itself. */
export interface ProcessTree {
  /** True while one of them runs. */
  isRunning(): boolean;
  signal(signal: "SIGTERM" | "SIGKILL"): void;
}

/**
 * The tree of a process that leads a group and a session of its own. A signal to the group alone misses a process that left it, as `timeout`
 * does. A daemon is no part of the tree: it left group and session, and its parent has ended.
 */
export function processTree(leader: number, list: () => readonly ProcessRow[] = runningProcesses): ProcessTree {
  if (process.platform === "win32") return windowsTree(leader);
  /** A process whose parent was ended first is not found below it any more. */
  let found: readonly ProcessRow[] = [];
  const look = (): readonly ProcessRow[] => (found = rowsOfTree(list(), leader, found));
  return {
    isRunning: () => look().length > 0,
    signal: (signal) => {
      const outside = look().filter(({ group }) => group !== leader);
      // The whole group at once, so that none of it can start another process in between.
      for (const target of [-leader, ...outside.map(({ pid }) => pid)]) {
        try {
          process.kill(target, signal);
        } catch {
          // It ended in the meantime, or runs as another user.
        }
      }
    },
  };
}

/** `earlier` are rows of the same tree, seen before. */
function rowsOfTree(
  rows: readonly ProcessRow[],
  leader: number,
  earlier: readonly ProcessRow[] = [],
): readonly ProcessRow[] {
  let tree = rows.filter(
    (row) =>
      row.group === leader ||
      row.session === leader ||
      earlier.some(({ pid, startedAt }) => pid === row.pid && startedAt === row.startedAt),
  );
  for (;;) {
    const pids = new Set(tree.map(({ pid }) => pid));
    const children = rows.filter(({ pid, parent }) => pids.has(parent) && !pids.has(pid));
    if (children.length === 0) return tree;
    tree = [...tree, ...children];
  }
}

function windowsTree(leader: number): ProcessTree {
  return {
    isRunning: () => {
      try {
        return process.kill(leader, 0);
      } catch {
        return false;
      }
    },
    signal: (signal) => {
      const force = signal === "SIGKILL" ? ["/F"] : [];
      spawnSync("taskkill", ["/PID", String(leader), "/T", ...force], { stdio: "ignore", windowsHide: true });
    },
  };
}

/** All processes but those that have ended and wait for their parent to notice. */
function runningProcesses(): readonly ProcessRow[] {
  return existsSync("/proc/self/stat") ? processesInProc() : processesOfPs();
}
