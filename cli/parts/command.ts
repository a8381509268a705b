import type { ExitCode } from "./exit-codes";

export interface Command {
  readonly name: string;
  /** One line in the list of commands. */
  readonly about: string;
  readonly usage: string;
  run(args: readonly string[], io: Io): Promise<ExitCode>;
}

/** What a command reads and writes besides files. */
export interface Io {
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: () => Promise<string>;
}

/** What the person at the terminal can put right: printed as one line, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
