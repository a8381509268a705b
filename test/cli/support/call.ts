import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Command, commands, type Io, run } from "../../../cli/commands";
import { inDirectory } from "../../sandbox/support/temporary-directory";
import { assertComplete } from "../../support/readable";
import { settle, type VirtualClock } from "../../support/virtual-clock";

export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process. `PATH` is empty unless the test sets it, so no real Pulumi CLI is found. */
export async function call(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  stdin = "",
  known: readonly Command[] = commands,
  more: Partial<Io> = {},
): Promise<Called> {
  let [out, err] = ["", ""];
  const io: Io = {
    say: (line) => void (out += `${line}\n`),
    warn: (line) => void (err += `${line}\n`),
    environment: { PATH: "", ...environment },
    stdin: () => Promise.resolve(stdin),
    ...more,
  };
  const code = await run(args, io, known);
  assertComplete(out + err);
  return { code, out, err };
}

/** Fails unless the command exited with 3, printed nothing to standard output, and gave the expected reason. */
export function assertRefused({ code, out, err }: Called, says: RegExp): void {
  assert.deepEqual([code, out], [3, ""], err);
  assert.match(err, says);
}

/** Advances virtual time until the promise settles, and gives file reads real time to finish. */
export async function driven<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  promise.then(over, over);
  await settle();
  while (!isOver) await (clock.pending > 0 ? clock.advance(100) : settle());
  return promise;
}

/** Creates the given files in a temporary folder. `use` gets a function that returns a file's path, and one that reads a file written by a command. */
export function withFiles<T>(
  given: Readonly<Record<string, string>>,
  use: (pathOf: (name: string) => string, written: (name: string) => string) => Promise<T>,
): Promise<T> {
  return inDirectory((folder) => {
    const pathOf = (name: string): string => join(folder, name);
    for (const [name, text] of Object.entries(given)) writeFileSync(pathOf(name), text);
    return use(pathOf, (name) => readFileSync(pathOf(name), "utf8"));
  });
}

/** Runs the tests in a `describe` block in a folder without a project, so that no stack's configuration is read. */
export function useNoProject(): void {
  const before = process.cwd();
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "no-project-"));
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });
}

/** Puts a shell script on the path in place of the Pulumi CLI, in a temporary folder. */
export function withPulumi<T>(script: string, use: (PATH: string, folder: string) => Promise<T>): Promise<T> {
  return inDirectory((folder) => {
    writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return use(`${folder}${delimiter}${process.env["PATH"] ?? ""}`, folder);
  });
}
