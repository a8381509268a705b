#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { commands } from "./commands";
import { run } from "./run";

const io = {
  say: (line: string): void => void process.stdout.write(`${line}\n`),
  warn: (line: string): void => void process.stderr.write(`${line}\n`),
  environment: process.env,
  stdin: (): Promise<string> => text(process.stdin),
};

// Whoever reads may have had enough, like `head`. What is said then goes nowhere, and the work and its exit code are what they are.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

// Not `process.exit`: what was said is still on its way where the output is a pipe.
void run(process.argv.slice(2), io, commands).then((code) => {
  process.exitCode = code;
});
