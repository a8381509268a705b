import { CommandError, parseOptions, secondsIn } from "../parts/command";
import { defaultProvider } from "./declared";
import { stateSource, type StateSource } from "../parts/load-state";

export const usage = `Usage: pulumi-recovery ready [options]

Could the stack's restores run now? Reads the stack's stored state, and asks the
panel for recovery points, logs and transactions, with GETs only.

  --stack <name>          the stack (default: the one selected in this folder)
  --state <file>          read the state from this file; - reads standard input
  --plan <name>           only the restores of this plan
  --provider <name>       only this explicit provider's restores, with its
                          settings (default: those of none, with the stack's)
  --goal-age <time>       how old data may be if no goal is declared: 24h
  --proven-within <time>  each has been restored and checked lately: 90d
  --history <files…>      reports (JSON) that may show it too, or their folder
  --inventory <file>      machines that should have a restore, an id a line
  --known <file>          accepted questions (default: recovery-known.json)
  --json                  print the result as JSON
  --summary               append it to the job's summary (GITHUB_STEP_SUMMARY)
  --out <folder>          write ready.json and ready.md into this folder
  --metrics <file>        write gauges for Prometheus' textfile collector
  --help

Exit codes: 0 ready; 1 something is not ready; 2 something cannot be told;
3 nothing was checked; 4 a defect of this command.
`;

const options = {
  stack: { type: "string" },
  state: { type: "string" },
  plan: { type: "string" },
  provider: { type: "string" },
  "goal-age": { type: "string" },
  "proven-within": { type: "string" },
  history: { type: "string", multiple: true },
  inventory: { type: "string" },
  known: { type: "string" },
  json: { type: "boolean" },
  summary: { type: "boolean" },
  out: { type: "string" },
  metrics: { type: "string" },
} as const;

export interface ReadyArguments {
  readonly source: StateSource;
  /** The stack whose configuration holds the connection. */
  readonly stack?: string;
  readonly plan?: string;
  readonly provider?: string;
  readonly goalAgeSeconds?: number;
  readonly provenWithinSeconds?: number;
  /** Files with reports of earlier runs. */
  readonly history: readonly string[];
  readonly inventory?: string;
  readonly known?: string;
  readonly output: "text" | "json";
  readonly summary: "append" | "none";
  readonly folder?: string;
  readonly metrics?: string;
}

export function readReadyArguments(args: readonly string[]): ReadyArguments {
  // A shell expands `reports/*.json`: the first file belongs to --history, the others stand alone.
  const { values, positionals: files } = parseOptions({ args: [...args], options, allowPositionals: true });
  const { stack, state, plan, provider, known, out, inventory } = values;
  if (files.length > 0 && values.history === undefined)
    throw new CommandError(`what is ${files[0] ?? ""}? A state is given with --state, earlier reports with --history`);
  if (provider !== undefined && provider !== defaultProvider && state !== undefined && stack !== undefined)
    throw new CommandError("--provider takes its settings from the state: leave --stack out beside --state");
  return {
    source: state === undefined ? stateSource({ stack }) : stateSource({ state }),
    output: values.json === true ? "json" : "text",
    summary: values.summary === true ? "append" : "none",
    history: [...(values.history ?? []), ...files],
    ...(stack !== undefined && { stack }),
    ...(plan !== undefined && { plan }),
    ...(provider !== undefined && { provider }),
    ...(values["goal-age"] !== undefined && { goalAgeSeconds: secondsIn("--goal-age", values["goal-age"]) }),
    ...(values["proven-within"] !== undefined && {
      provenWithinSeconds: secondsIn("--proven-within", values["proven-within"]),
    }),
    ...(inventory !== undefined && { inventory }),
    ...(known !== undefined && { known }),
    ...(out !== undefined && { folder: out }),
    ...(values.metrics !== undefined && { metrics: values.metrics }),
  };
}
