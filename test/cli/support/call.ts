import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { commands, run } from "../../../cli/commands";
import type { Command } from "../../../cli/parts/command";
import { inDirectory } from "../../sandbox/support/temporary-directory";

export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process, without a Pulumi CLI, unless a test brings one: a stack of this repository's own has no say. */
export async function call(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  stdin = "",
  known: readonly Command[] = commands,
): Promise<Called> {
  let [out, err] = ["", ""];
  const io = {
    say: (line: string) => void (out += `${line}\n`),
    warn: (line: string) => void (err += `${line}\n`),
    environment: { PATH: "", ...environment },
    stdin: () => Promise.resolve(stdin),
  };
  return { code: await run(args, io, known), out, err };
}

/** Puts a Pulumi CLI on the path that is this shell script, in a folder of the test's own. */
export function withPulumi<T>(script: string, use: (PATH: string, folder: string) => Promise<T>): Promise<T> {
  return inDirectory((folder) => {
    writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return use(`${folder}${delimiter}${process.env["PATH"] ?? ""}`, folder);
  });
}
