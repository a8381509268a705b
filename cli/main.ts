#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { commands } from "./commands";
import { exitCodes, type ExitCode } from "./parts/command";
import { run } from "./run";

const io = {
  say: (line: string): void => void process.stdout.write(`${line}\n`),
  warn: (line: string): void => void process.stderr.write(`${line}\n`),
  environment: process.env,
  columns: columnsOf(process.stdout.columns, process.env["COLUMNS"]),
  ...(process.stderr.isTTY && { progress: (line: string): void => void process.stderr.write(`\r\u001b[K${line}`) }),
  // Knows NO_COLOR and FORCE_COLOR too; a file and a pipe have none.
  isColourful: process.stdout.isTTY && process.stdout.hasColors(),
  stdin: (): Promise<string> => text(process.stdin),
};

/** A pipe has no width of its own, and whoever sets COLUMNS gives it one. */
function columnsOf(terminal: number | undefined, wished: string | undefined): number {
  const given = terminal ?? Number(wished);
  return Number.isInteger(given) && given > 0 ? given : 80;
}

// Whoever reads may have had enough, like `head`. What is said then goes nowhere, and the work and its exit code are what they are.
let unwritten: string | undefined;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || unwritten !== undefined) return;
  unwritten = error.message;
  process.stderr.write(`pulumi-recovery: standard output cannot be written: ${error.message}\n`);
  endWith(exitCodes.cannot);
});
// Nobody is left to be told.
process.stderr.on("error", () => undefined);

/** A worse code that was found before stays: of a run that failed, a full disk is not the news. */
function endWith(code: ExitCode): void {
  if (process.exitCode === undefined || process.exitCode === exitCodes.done) process.exitCode = code;
}

// Not `process.exit`: what was said is still on its way where the output is a pipe.
void run(process.argv.slice(2), io, commands).then((code) => {
  if (code !== exitCodes.done || unwritten === undefined) process.exitCode = code;
});
