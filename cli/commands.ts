import { PanelError } from "../provider/panel/errors";
import { ownVersion } from "../provider/plain/own-version";
import { forTerminal } from "../provider/plain/text";
import { ReportError } from "../report";
import { SandboxError } from "../sandbox";
import { check } from "./check/check";
import { helpCommand } from "./help/help";
import { type Command, CommandError, type ExitCode, exitCodes, type Io } from "./parts/command";
import { ready } from "./ready/ready";
import { reportCommand } from "./report/report";
import { runbook } from "./runbook/runbook";
import { sandbox } from "./sandbox";
import { status } from "./status/status";

export type { PanelCheckResult } from "./check/result";
export type { Command, Io } from "./parts/command";
export type { ReadyResult } from "./ready/result";
export type { StatusResult } from "./status/result";

const help = helpCommand(
  () => commands,
  () => helpFor(commands),
);

/** In the order in which the help lists them. */
export const commands: readonly Command[] = [check, ready, status, reportCommand, runbook, sandbox, help];

function helpFor(all: readonly Command[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  return [
    "Usage: pulumi-recovery <command> [options]",
    "",
    ...all.map(({ name, about }) => ` ${name.padEnd(width)} ${about}`),
    ` ${"version".padEnd(width)} the version of this package`,
    "",
    "pulumi-recovery <command> --help lists the command's options and exit codes.",
    "Exit codes: 0 done; 3 not done (the message says why); 4 a bug in the command.",
  ].join("\n");
}

/** Errors that the user can correct, so their message is enough. Any other error is a bug, and is shown with its stack. */
const correctable = [CommandError, ReportError, SandboxError, PanelError];

/** Runs the command line and returns its exit code. */
export async function run(args: readonly string[], io: Io, commands: readonly Command[]): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h") {
    io.say(helpFor(commands));
    return name === undefined ? exitCodes.cannot : exitCodes.done;
  }
  if (name === "version" || name === "--version") {
    io.say(ownVersion());
    return exitCodes.done;
  }
  const command = commands.find((one) => one.name === name);
  if (command === undefined) {
    io.warn(`pulumi-recovery: there is no command ${forTerminal(name)}; see pulumi-recovery --help`);
    return exitCodes.cannot;
  }
  if (rest.some((word) => word === "--help" || word === "-h")) {
    io.say(command.usage.trimEnd());
    return exitCodes.done;
  }
  try {
    return await command.run(rest, io);
  } catch (error) {
    const isDefect = !correctable.some((kind) => error instanceof kind);
    const text = error instanceof Error ? (isDefect ? String(error.stack) : error.message) : String(error);
    io.warn(`pulumi-recovery ${command.name}: ${forTerminal(text)}`);
    return isDefect ? exitCodes.broken : exitCodes.cannot;
  }
}
