import { CommandError, parseOptions, secondsIn } from "../parts/command";
import { stateSource } from "../parts/load-state";
import { defaultProvider, type StackQuery } from "../parts/provider-settings";

export const usage = `Usage: pulumi-recovery ready [options]

Could the stack's restores run now? Reads the stack's stored state, and asks the
panel for recovery points, logs and transactions, with GETs only.

  --stack <name>          the stack (default: the one selected in this folder)
  --state <file>          read the state from this file; - reads standard input
  --plan <name>           only the restores of this plan
  --provider <name>       only this explicit provider's restores, with its
                          settings; "default": only those of none
  --goal-age <time>       how old data may be if no goal is declared: 24h
  --proven-within <time>  a run has completed each restore, its checks passed,
                          as it is declared now, within this time: 90d
  --known <file>          accepted questions (default: recovery-known.json)
  --json                  print the result as JSON
  --summary               append it to the job's summary (GITHUB_STEP_SUMMARY)
  --out <folder>          write ready.json and ready.md into this folder
  --metrics <file>        write gauges for Prometheus' textfile collector
  --help

Exit codes: 0 ready, or every question is accepted; 1 something is not ready;
2 something cannot be judged; 3 nothing was checked; 4 a defect of this command.
`;

const options = {
  stack: { type: "string" },
  state: { type: "string" },
  plan: { type: "string" },
  provider: { type: "string" },
  "goal-age": { type: "string" },
  "proven-within": { type: "string" },
  known: { type: "string" },
  json: { type: "boolean" },
  summary: { type: "boolean" },
  out: { type: "string" },
  metrics: { type: "string" },
} as const;

export interface ReadyArguments extends StackQuery {
  readonly plan?: string;
  readonly goalAgeSeconds?: number;
  readonly provenWithinSeconds?: number;
  readonly known?: string;
  readonly output: "text" | "json";
  readonly summary: "append" | "none";
  readonly folder?: string;
  readonly metrics?: string;
}

export function readReadyArguments(args: readonly string[]): ReadyArguments {
  const { stack, state, plan, provider, known, out, ...values } = parseOptions({ args: [...args], options }).values;
  if (provider !== undefined && provider !== defaultProvider && state !== undefined && stack !== undefined)
    throw new CommandError("--provider takes its settings from the state: leave --stack out beside --state");
  return {
    source: stateSource({ state, stack }),
    output: values.json === true ? "json" : "text",
    summary: values.summary === true ? "append" : "none",
    ...(stack !== undefined && { stack }),
    ...(plan !== undefined && { plan }),
    ...(provider !== undefined && { provider }),
    ...(values["goal-age"] !== undefined && { goalAgeSeconds: secondsIn("--goal-age", values["goal-age"]) }),
    ...(values["proven-within"] !== undefined && {
      provenWithinSeconds: secondsIn("--proven-within", values["proven-within"]),
    }),
    ...(known !== undefined && { known }),
    ...(out !== undefined && { folder: out }),
    ...(values.metrics !== undefined && { metrics: values.metrics }),
  };
}
