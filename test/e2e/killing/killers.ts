import { setTimeout as pause } from "node:timers/promises";
import type { Killable } from "../support/killable";
import { signal } from "../support/processes";

/** Ways to end a run early. None of them leaves a process of the run suspended. */
export const killers = {
  "kill -9 of the CLI": (run: Killable) => void run.killCli(),
  "kill -9 of the provider process": (run: Killable) => run.killProvider(),
  "Ctrl-C twice": async (run: Killable) => {
    run.interrupt();
    await pause(500);
    if (run.processes().some(({ kind }) => kind === "cli")) run.interrupt();
  },
  "a cancelled pipeline (SIGTERM, then SIGKILL)": async (run: Killable) => {
    const pids = run
      .processes()
      .flatMap(({ kind, pid }) => (kind === "cli" || kind === "provider" ? [{ kind, pid }] : []));
    for (const { kind, pid } of pids) if (kind === "cli") signal(pid, "SIGTERM");
    await pause(2_000);
    for (const { kind, pid } of pids) if (kind === "cli") signal(pid, "SIGKILL");
  },
} as const;

export type KillerName = keyof typeof killers;

/** Lets a stopped process continue, so that it can notice that its engine is gone. */
export function letGoOn(run: Killable): void {
  for (const { kind, pid } of run.processes()) if (kind === "provider") signal(pid, "SIGCONT");
}
