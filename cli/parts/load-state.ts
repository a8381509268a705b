import { readFile } from "node:fs/promises";
import { errorMessage } from "../../provider/plain/text";
import { CommandError, type Io, runPulumi } from "./command";
import type { StackRestore, StackState } from "./stack-state";

export type StateSource =
  | { readonly from: "stack"; readonly name?: string }
  | { readonly from: "file"; readonly file: string }
  | { readonly from: "stdin" };

/** Turns `--state` and `--stack` into a source. */
export function stateSource({
  state,
  stack,
}: {
  readonly state?: string | undefined;
  readonly stack?: string | undefined;
}): StateSource {
  if (state === "-") return { from: "stdin" };
  if (state !== undefined) return { from: "file", file: state };
  return { from: "stack", ...(stack !== undefined && { name: stack }) };
}

/** Reads an exported state from its source. */
export async function loadStackState(
  source: StateSource,
  io: Io,
  secrets: "shown" | "encrypted" = "encrypted",
): Promise<unknown> {
  switch (source.from) {
    case "stack":
      return parseJson(await exportStack(source.name, secrets, io), "the output of `pulumi stack export`");
    case "file":
      return parseJson(await readTextFile(source.file), source.file);
    case "stdin":
      return parseJson(await io.stdin(), "standard input");
  }
}

export async function readTextFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

function parseJson(json: string, what: string): unknown {
  try {
    // A file from Windows may begin with a byte order mark.
    return JSON.parse(json.replace(/^\u{feff}/u, ""));
  } catch {
    throw new CommandError(`${what} is not JSON${json.trim() === "" ? ": it is empty" : ""}`);
  }
}

function exportStack(stack: string | undefined, secrets: "shown" | "encrypted", io: Io): Promise<string> {
  const args = [
    "stack",
    "export",
    "--non-interactive",
    ...(secrets === "shown" ? ["--show-secrets"] : []),
    ...(stack === undefined ? [] : ["--stack", stack]),
  ];
  return runPulumi(args, io, "install it, or give an exported state with --state");
}

/** The restores of a stack, or of one of its plans. Throws if the state holds no such plan. */
export function restoresOfPlan({ restores, plans }: StackState, plan: string | undefined): readonly StackRestore[] {
  if (plan === undefined) return restores;
  const names = plans.map(({ name }) => name);
  if (!names.includes(plan))
    throw new CommandError(`the state holds no plan ${plan}; it holds ${names.join(", ") || "none"}`);
  return restores.filter((one) => one.plan === plan);
}

export const noRestore = "the state holds no restore: `pulumi up` stores them";
