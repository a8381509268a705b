import { existsSync, readdirSync, readFileSync } from "node:fs";

/** An engine process that belongs to one test. Its home folder distinguishes it from other tests' processes. */
export interface EngineProcess {
  readonly pid: number;
  readonly kind: "cli" | "provider" | "launcher" | "other";
}

/** Processes are looked up in `/proc`. Without `/proc`, tests that kill processes are skipped. */
const canFindProcesses = existsSync("/proc/self/environ");

/** Skips the calling suite where processes cannot be looked up. */
export function needsProcesses(): void {
  before(function () {
    if (!canFindProcesses) this.skip();
  });
}

export function processesOf(pulumiHome: string): EngineProcess[] {
  if (!canFindProcesses) return [];
  const found: EngineProcess[] = [];
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const pid = Number(entry);
    if (!read(pid, "environ").includes(`PULUMI_HOME=${pulumiHome}`)) continue;
    found.push({ pid, kind: kindOf(read(pid, "cmdline")) });
  }
  return found;
}

function kindOf(words: readonly string[]): EngineProcess["kind"] {
  const [first = "", second = ""] = words;
  if (/(^|\/)pulumi$/.test(first)) return "cli";
  if (words.some((word) => word.endsWith("pulumi-resource-pulumi-nodejs"))) return "launcher";
  if (
    second.includes("dynamic-provider") ||
    second.endsWith("pulumi-resource-recovery") ||
    words.some((word) => word.includes("run-plugin"))
  )
    return "provider";
  return "other";
}

/** The words in a `/proc` file, or none if the process has ended or belongs to another user. */
function read(pid: number, file: "environ" | "cmdline"): string[] {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, "utf8").split("\0");
  } catch {
    return [];
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Sends a signal. A process that has already ended is not an error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
