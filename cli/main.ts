#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { commands, run } from "./commands";
import { exitCodes } from "./parts/command";

let isOpen = true;
const io = {
  say: (line: string): void => void process.stdout.write(`${line}\n`),
  warn: (line: string): void => void process.stderr.write(`${line}\n`),
  isOpen: () => isOpen,
  environment: process.env,
  // A pipe has no width, so lines are cut only if COLUMNS sets a width.
  columns: process.stdout.columns || Number(process.env["COLUMNS"]) || 1_000,
  ...(process.stdout.isTTY && {
    redraw: (text: string): void => void process.stdout.write(`\u001b[H\u001b[2J${text}\n`),
  }),
  // `hasColors` respects NO_COLOR and FORCE_COLOR; files and pipes get no colors.
  isColourful: process.stdout.isTTY && process.stdout.hasColors(),
  stdin: (): Promise<string> => text(process.stdin),
};

// A reader such as `head` may close the pipe early. The rest of the output is then lost, but the work continues, with the same exit code.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  isOpen = false;
  if (error.code === "EPIPE") return;
  io.warn(`pulumi-recovery: cannot write to standard output: ${error.message}`);
  // Keeps a worse exit code that is already set: a full disk must not hide a failed run.
  process.exitCode ||= exitCodes.cannot;
});
// If standard error is closed, there is nowhere to report the problem.
process.stderr.on("error", () => undefined);

// `process.exit` could lose output that is still being written to a pipe.
void run(process.argv.slice(2), io, commands).then((code) => {
  process.exitCode = code || process.exitCode;
});
