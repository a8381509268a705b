import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** The place of a process in the trees of this machine. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Undefined where the system does not tell. */
  readonly session?: number;
  /** Tells it from a later process with the same id. */
  readonly startedAt: string;
}

/** Both lists leave out processes that have ended and wait for their parent to notice. */
export function processesInProc(): readonly ProcessRow[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // See proc_pid_stat(5). The second field is the program's name, which may hold spaces and brackets.
      const [state, parent, group, session, ...others] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const row = { pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session) };
      return state === "Z" || state === "X" ? [] : [{ ...row, startedAt: others[15] ?? "" }];
    } catch {
      return [];
    }
  });
}

export function processesOfPs(): readonly ProcessRow[] {
  const columns = ["pid", "ppid", "pgid", "stat", "lstart"].flatMap((column) => ["-o", `${column}=`]);
  const env = { ...process.env, LC_ALL: "C" };
  const { status, stdout } = spawnSync("ps", ["-A", ...columns], { encoding: "utf8", env });
  if (status !== 0) return [];
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, startedAt = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S)\S*\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state === "Z") return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), startedAt }];
  });
}
