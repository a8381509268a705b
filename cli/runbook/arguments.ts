import { CommandError, parseOptions } from "../parts/command";
import { stateSource, type StateSource } from "../parts/load-state";

const formats = ["html", "md"] as const;
export type RunbookFormat = (typeof formats)[number];

export const usage = `Usage: pulumi-recovery runbook [options] [-]

Writes a page for the day when the pipeline is down: every restore in its order, and what to do by hand.
Needs no panel and no passphrase, and decrypts nothing.

  --stack <name>   the stack, read with \`pulumi stack export\` (default: the one selected in this folder)
  --state <file>   read this file instead, as \`pulumi stack export\` wrote it; - reads standard input
  --plan <name>    only this plan
  --out <folder>   where the files go (default recovery-report)
  --format <list>  of ${formats.join(",")} (default all of them)
  --help

Exit codes: 0 the page is written; 3 no page, and the message says why; 4 a defect of this command.
`;

const options = {
  stack: { type: "string" },
  state: { type: "string" },
  plan: { type: "string" },
  out: { type: "string" },
  format: { type: "string" },
} as const;

export interface RunbookArguments {
  readonly source: StateSource;
  readonly plan?: string;
  readonly folder: string;
  readonly formats: readonly RunbookFormat[];
}

export function readRunbookArguments(args: readonly string[]): RunbookArguments {
  const { values, positionals } = parseOptions({ args: [...args], options, allowPositionals: true });
  const other = positionals.find((word) => word !== "-");
  if (other !== undefined) throw new CommandError(`what is ${other}? A state is given with --state`);
  const state = positionals.length > 0 ? "-" : values.state;
  if (state !== undefined && values.stack !== undefined)
    throw new CommandError("--stack and --state: give one of them");
  return {
    source: stateSource({ state, stack: values.stack }),
    folder: values.out ?? "recovery-report",
    formats: formatsFrom(values.format),
    ...(values.plan !== undefined && { plan: values.plan }),
  };
}

function formatsFrom(list: string | undefined): readonly RunbookFormat[] {
  if (list === undefined) return formats;
  const named = list.split(",").map((name) => name.trim());
  const unknown = named.find((name) => !formats.some((format) => format === name));
  if (unknown !== undefined)
    throw new CommandError(
      `--format: there is no ${unknown || "format without a name"}; there are ${formats.join(", ")}`,
    );
  return formats.filter((format) => named.includes(format));
}
