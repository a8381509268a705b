#!/usr/bin/env node
import { readArguments, usage } from "./arguments";
import { startSandbox } from "./index";
import { SandboxError } from "./input/sandbox-error";

async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  if (options === "help") {
    process.stdout.write(usage);
    return;
  }
  const sandbox = await startSandbox({ ...options, onRequest: say });
  say(`Panel             ${sandbox.url}`);
  if (sandbox.controlUrl !== undefined) say(`Page and control  ${sandbox.controlUrl}`);
  say("");
  say(`pulumi config set recovery:endpoint ${sandbox.url}`);
  say(`pulumi config set recovery:username ${quoted(sandbox.username)}`);
  say(`pulumi config set --secret recovery:password ${quoted(sandbox.password)}`);
  say("");
  const stop = (): void => {
    // The state file is written before every answer; there is nothing left to save.
    void sandbox.stop().then(() => {
      say("Stopped");
    });
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** As a shell takes it back. */
function quoted(value: string): string {
  return /^[A-Za-z0-9_.@%+=:,/-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

main().catch((error: unknown) => {
  const expected = error instanceof SandboxError;
  process.stderr.write(`pulumi-recovery-sandbox: ${expected ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = expected ? 2 : 1;
});
