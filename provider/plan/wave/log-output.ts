const longestLog = 64 * 1024;
const longestLogs = 2 * 1024 * 1024;

/** The ends of logs, and no more of them than the engine can be told of in one answer. */
export class LogOutput {
  readonly all: Record<string, string> = {};
  #size = 0;

  keep(name: string, log: string): void {
    const end = log.slice(-longestLog);
    if (this.#size + end.length > longestLogs) return;
    this.#size += end.length;
    this.all[name] = end;
  }
}
