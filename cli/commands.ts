import { check } from "./check/check";
import { helpCommand } from "./help/help";
import type { Command } from "./parts/command";
import { ready } from "./ready/ready";
import { report } from "./report/report";
import { runbook } from "./runbook/runbook";
import { sandbox } from "./sandbox";
import { status } from "./status/status";

const help = helpCommand(
  () => commands,
  () => helpFor(commands),
);

/** In the order of the help. */
export const commands: readonly Command[] = [check, ready, status, report, runbook, sandbox, help];

export function helpFor(all: readonly Command[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  return [
    "Usage: pulumi-recovery <command> [options]",
    "",
    ...all.map(({ name, about }) => ` ${name.padEnd(width)} ${about}`),
    ` ${"version".padEnd(width)} the version of this package`,
    "",
    "pulumi-recovery <command> --help lists the command's options and exit codes.",
    "Every command: 0 done; 3 not done, and the message says why; 4 a defect of it.",
  ].join("\n");
}
