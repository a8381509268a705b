import { check } from "./check/check";
import type { Command } from "./parts/command";
import { ready } from "./ready/ready";
import { report } from "./report/report";
import { runbook } from "./runbook/runbook";
import { sandbox } from "./sandbox";

/** In the order of the help. */
export const commands: readonly Command[] = [check, ready, report, runbook, sandbox];

export function helpFor(all: readonly Command[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  return [
    "Usage: pulumi-recovery <command> [options]",
    "",
    "Commands:",
    ...all.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    "",
    "pulumi-recovery <command> --help lists the command's options; pulumi-recovery --version prints the version.",
    "",
    "Exit codes: 0 done; 3 not done, and the message says why; 4 a defect of this command. check: 1 there are faults,",
    "2 there are questions. ready: 1 something is not ready, 2 something cannot be told. report --gate: 1 the run failed,",
    "2 the run is incomplete.",
  ].join("\n");
}
