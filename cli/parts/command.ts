import { parseArgs, type ParseArgsConfig } from "node:util";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { durationWithin } from "../../provider/inputs/duration";
import type { Transport } from "../../provider/panel/transport";
import { type Clock, systemClock } from "../../provider/plain/clock";
import { errorMessage } from "../../provider/plain/text";

export interface Command {
  readonly name: string;
  /** One line in the list of commands. */
  readonly about: string;
  readonly usage: string;
  run(args: readonly string[], io: Io): Promise<ExitCode>;
}

/** A command's input and output, apart from files. */
export interface Io {
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Whether standard output shows colors. @default false */
  readonly isColourful?: boolean;
  /** The width of standard output. @default 80 */
  readonly columns?: number;
  /** Replaces the previously shown text. Absent if standard output is not a terminal. */
  readonly redraw?: (text: string) => void;
  /** False once nobody reads standard output any more. @default true */
  readonly isOpen?: () => boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: () => Promise<string>;
  /** How the panel is reached. @default HTTP and the system clock */
  readonly reach?: Reach;
}

interface Reach {
  readonly clock: Clock;
  readonly transport?: Transport;
}

export const reachOf = ({ reach = { clock: systemClock } }: Io): Reach => reach;

/** An error that the user can correct. It is printed as one line, without a stack trace. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The exit codes, as listed in each command's help. */
export const exitCodes = {
  done: 0,
  /** `report --gate`: the run failed. `check`: restores would fail. `ready`: something is not ready. */
  failed: 1,
  /** `report --gate`: the run is incomplete. `check`: there are questions. `ready`: something cannot be judged. `status`: the panel cannot be read. */
  incomplete: 2,
  /** The command could not do its work, for example because of a wrong argument, an unreadable state or an unwritable file. */
  cannot: 3,
  /** A bug in the command. */
  broken: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Parses options with Node's own parser, and reports an invalid option in one sentence. */
export function parseOptions<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // The first sentence names the option; the rest is advice about escaping.
    const message = errorMessage(error);
    throw new CommandError(`${message.split(/\.\s/)[0] ?? message}; --help lists the options`);
  }
}

/** Reads a duration option of up to ten years, because a data age goal can be longer than any wait. */
export function secondsIn(option: string, text: string): number {
  const reading = durationWithin({ maxSeconds: 10 * 366 * 86_400 })(text);
  if ("problem" in reading) throw new CommandError(`${option}${reading.problem}`);
  return reading.value;
}

/** Runs the Pulumi CLI in this folder and returns its output. `withoutCli` is the advice if the CLI is missing. */
export async function runPulumi(
  args: readonly string[],
  { environment }: Pick<Io, "environment">,
  withoutCli: string,
): Promise<string> {
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
    throw new CommandError(`the Pulumi CLI could not be started (${errorMessage(error)}): ${withoutCli}`, {
      cause: error,
    });
  }
}

/** Quotes a word for a shell if necessary. */
export function shellQuoted(value: string): string {
  return /^[A-Za-z0-9_.@%+=:,/-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
