import { CommandError, parseOptions, secondsIn } from "../parts/command";
import { defaultProvider } from "./declared";
import { stateSource, type StateSource } from "../parts/load-state";

export const usage = `Usage: pulumi-recovery ready [options]

Could the stack's restores run now? Reads the stack's stored state, and asks the
panel for recovery points, logs and transactions, with GETs only.

  --stack <name>     the stack (default: the one selected in this folder)
  --state <file>     read the state from this file; - reads standard input
  --plan <name>      only the restores of this plan
  --provider <name>  only this explicit provider's restores, with its settings;
                     default: only those of none, with the stack's
  --goal-age <time>  how old data may be if no goal is declared: 24h
  --known <file>     accepted questions (default recovery-known.json beside the
                     project, if there is one)
  --json             print the result as JSON
  --summary          append it to the job's summary (GITHUB_STEP_SUMMARY)
  --out <folder>     write ready.json and ready.md into this folder
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
  known: { type: "string" },
  json: { type: "boolean" },
  summary: { type: "boolean" },
  out: { type: "string" },
} as const;

export interface ReadyArguments {
  readonly source: StateSource;
  /** The stack whose configuration holds the connection. */
  readonly stack?: string;
  readonly plan?: string;
  readonly provider?: string;
  readonly goalAgeSeconds?: number;
  readonly known?: string;
  readonly output: "text" | "json";
  readonly summary: "append" | "none";
  readonly folder?: string;
}

export function readReadyArguments(args: readonly string[]): ReadyArguments {
  const { values } = parseOptions({ args: [...args], options });
  const { stack, state, plan, provider, known, out } = values;
  if (provider !== undefined && provider !== defaultProvider && state !== undefined && stack !== undefined)
    throw new CommandError("--provider takes its settings from the state: leave --stack out beside --state");
  return {
    source: state === undefined ? stateSource({ stack }) : stateSource({ state }),
    output: values.json === true ? "json" : "text",
    summary: values.summary === true ? "append" : "none",
    ...(stack !== undefined && { stack }),
    ...(plan !== undefined && { plan }),
    ...(provider !== undefined && { provider }),
    ...(values["goal-age"] !== undefined && { goalAgeSeconds: secondsIn("--goal-age", values["goal-age"]) }),
    ...(known !== undefined && { known }),
    ...(out !== undefined && { folder: out }),
  };
}
