import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { messageOf } from "../../provider/text/message-of";
import { CommandError, type Io } from "../command";
import type { StateSource } from "./arguments";

/** The exported state, from wherever it was asked to be read. */
export async function stateFrom(source: Exclude<StateSource, { from: "nowhere" }>, io: Io): Promise<unknown> {
  switch (source.from) {
    case "stack":
      return parsed(await exported(source.name, io), "what `pulumi stack export` printed");
    case "file":
      return parsed(await read(source.file), source.file);
    case "stdin":
      return parsed(await io.stdin(), "standard input");
  }
}

export async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function parsed(json: string, what: string): unknown {
  try {
    // A file that went through Windows may begin with a mark of its encoding.
    return JSON.parse(json.replace(/^\u{feff}/u, ""));
  } catch {
    throw new CommandError(`${what} is not JSON${json.trim() === "" ? ": it is empty" : ""}`);
  }
}

async function exported(stack: string | undefined, { environment }: Io): Promise<string> {
  const args = ["stack", "export", "--non-interactive", ...(stack === undefined ? [] : ["--stack", stack])];
  const child = spawn("pulumi", args, {
    env: { ...environment, PULUMI_SKIP_UPDATE_CHECK: "true" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  try {
    const [output, problem, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code === 0) return output;
    throw new CommandError(`\`pulumi ${args.join(" ")}\` failed: ${problem.trim() || `exit code ${String(code)}`}`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `the Pulumi CLI could not be started (${messageOf(error)}): install it, or give an exported state with --state`,
      { cause: error },
    );
  }
}
