#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { commands, run } from "./commands";
import { exitCodes, type ExitCode } from "./parts/command";

const io = {
  say: (line: string): void => void process.stdout.write(`${line}\n`),
  warn: (line: string): void => void process.stderr.write(`${line}\n`),
  environment: process.env,
  columns: columnsOf(process.stdout.columns, process.env["COLUMNS"]),
  ...(process.stdout.isTTY && {
    redraw: (text: string): void => void process.stdout.write(`\u001b[H\u001b[2J${text}\n`),
  }),
  ...(process.stderr.isTTY && { progress: (line: string): void => void process.stderr.write(`\r\u001b[K${line}`) }),
  // `hasColors` respects NO_COLOR and FORCE_COLOR; files and pipes get no colors.
  isColourful: process.stdout.isTTY && process.stdout.hasColors(),
  stdin: (): Promise<string> => text(process.stdin),
};

/** A pipe has no width, so nothing is cut unless COLUMNS sets a width. */
function columnsOf(terminal: number | undefined, wished: string | undefined): number {
  const given = terminal ?? Number(wished);
  return Number.isInteger(given) && given > 0 ? given : 1_000;
}

// A reader such as `head` may close the pipe early. The rest of the output is then lost, but the work continues, with the same exit code.
let unwritten: string | undefined;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || unwritten !== undefined) return;
  unwritten = error.message;
  process.stderr.write(`pulumi-recovery: cannot write to standard output: ${error.message}\n`);
  endWith(exitCodes.cannot);
});
// If standard error is closed, there is nowhere to report the problem.
process.stderr.on("error", () => undefined);

/** Keeps a worse exit code that is already set: a full disk must not hide a failed run. */
function endWith(code: ExitCode): void {
  if (process.exitCode === undefined || process.exitCode === exitCodes.done) process.exitCode = code;
}

// `process.exit` could lose output that is still being written to a pipe.
void run(process.argv.slice(2), io, commands).then((code) => {
  if (code !== exitCodes.done || unwritten === undefined) process.exitCode = code;
});
