import {
  type Command,
  CommandError,
  type ExitCode,
  exitCodes,
  type Io,
  parseOptions,
  reachOf,
  secondsIn,
} from "../parts/command";
import { appendJobSummary, writeIntoFolder } from "../parts/write";
import { loadKnownQuestions } from "../parts/known-questions";
import { writeMetrics } from "../parts/metrics";
import { defaultProvider, loadStack, type StackQuery, stackOptions, stackQuery } from "../parts/provider-settings";
import { noRestore, restoresOfPlan, type StackRestore, type StackState } from "../parts/stack-state";
import { assessReadiness, machinesToRead } from "./assess";
import { readyMetrics } from "./metrics";
import { readPanel } from "./read-panel";
import type { ReadyResult } from "./result";
import { printReady, readyMarkdown } from "./table";
import { omitUndefined } from "../../provider/plain/plain";

const usage = `Usage: pulumi-recovery ready [options]

Could the stack's restores run now? Reads the stack's stored state, and queries
the panel for recovery points, logs and transactions, using only GETs. Before
the first \`pulumi up\`, it can judge what the program declares:

  pulumi preview --json --show-sames | pulumi-recovery ready --preview -

  --stack <name>          the stack (default: the one selected in this folder)
  --state <file>          read the state from this file; - reads standard input
  --preview <file>        read a preview instead; - reads standard input
  --plan <name>           only the restores of this plan
  --provider <name>       only this explicit provider's restores, with its
                          settings; "default": only those without one
  --reader                query as the user in RECOVERY_USERNAME and
                          RECOVERY_PASSWORD, regardless of other settings, and
                          decrypt no secrets
  --goal-age <time>       how old data may be if no goal is declared: 24h
  --proven-within <time>  require that a run completed each restore as declared
                          now, with its checks passing, within this time: 90d
  --known <file>          accepted questions (default: recovery-known.json)
  --json                  print the result as JSON
  --summary               append it to the job's summary (GITHUB_STEP_SUMMARY)
  --out <folder>          write ready.json and ready.md into this folder
  --metrics <file>        write gauges for Prometheus' textfile collector
  --help

Exit codes: 0 ready, or every question is accepted; 1 something is not ready;
2 something cannot be judged; 3 nothing was checked; 4 a bug in this command.
`;

const options = {
  ...stackOptions,
  preview: { type: "string" },
  "goal-age": { type: "string" },
  "proven-within": { type: "string" },
  known: { type: "string" },
  json: { type: "boolean" },
  summary: { type: "boolean" },
  out: { type: "string" },
  metrics: { type: "string" },
} as const;

interface ReadyArguments extends StackQuery {
  readonly goalAgeSeconds?: number;
  readonly provenWithinSeconds?: number;
  readonly known?: string;
  readonly output: "text" | "json";
  readonly summary: "append" | "none";
  readonly folder?: string;
  readonly metrics?: string;
}

function readReadyArguments(args: readonly string[]): ReadyArguments {
  const { known, out: folder, metrics, ...values } = parseOptions({ args: [...args], options }).values;
  if (folder === "-") throw new CommandError("--out needs a folder; --json prints the result");
  return {
    ...stackQuery(values),
    output: values.json === true ? "json" : "text",
    summary: values.summary === true ? "append" : "none",
    ...omitUndefined({ known, folder, metrics }),
    ...(values["goal-age"] !== undefined && { goalAgeSeconds: secondsIn("--goal-age", values["goal-age"]) }),
    ...(values["proven-within"] !== undefined && {
      provenWithinSeconds: secondsIn("--proven-within", values["proven-within"]),
    }),
  };
}

export const ready: Command = {
  name: "ready",
  about: "whether the stack's restores could run now; run this every morning",
  usage,
  async run(args, io) {
    const wanted = readReadyArguments(args);
    return publish(await lookAndAssess(wanted, io), wanted, io);
  },
};

async function lookAndAssess(wanted: ReadyArguments, io: Io): Promise<ReadyResult> {
  const { provider = defaultProvider, goalAgeSeconds, provenWithinSeconds } = wanted;
  const [known, { state, settings }] = await Promise.all([loadKnownQuestions(wanted.known), loadStack(wanted, io)]);
  const restores = restoresToJudge(state, wanted);
  const { allowedMachines } = settings;
  const asked = { panel: settings.endpoint, provider, allowedMachines };
  const reach = reachOf(io);
  const reading = await readPanel(settings, machinesToRead(restores, asked), reach);
  return assessReadiness(state, restores, reading, {
    ...asked,
    words: settings,
    known,
    now: reach.clock.wallTime(),
    ...omitUndefined({ goalAgeSeconds, provenWithinSeconds }),
  });
}

/** The restores of the provider given by `--provider`, otherwise all restores. Throws if there are none. */
function restoresToJudge(state: StackState, { plan, provider }: ReadyArguments): readonly StackRestore[] {
  const found = restoresOfPlan(state, plan).filter(
    (one) => provider === undefined || (one.provider ?? defaultProvider) === provider,
  );
  if (found.length > 0 || state.unreadable.length > 0) return found;
  if (provider !== undefined)
    throw new CommandError(`the ${state.from} contains no restore that uses provider ${provider}`);
  throw noRestore(state, "ready");
}

function exitCodeOf({ verdict, isAccepted }: ReadyResult): ExitCode {
  if (verdict === "not ready") return exitCodes.failed;
  return verdict === "ready" || isAccepted ? exitCodes.done : exitCodes.incomplete;
}

function publish(ready: ReadyResult, { output, summary, folder, metrics }: ReadyArguments, io: Io): ExitCode {
  const json = JSON.stringify(ready, undefined, 2);
  if (output === "json") io.say(json);
  else for (const line of printReady(ready, io)) io.say(line);
  // With `--json`, standard output contains nothing but the JSON.
  const say = output === "json" ? io.warn : io.say;
  const markdown = readyMarkdown(ready);
  if (folder !== undefined) {
    say(writeIntoFolder(folder, "ready.json", `${json}\n`));
    say(writeIntoFolder(folder, "ready.md", markdown));
  }
  if (metrics !== undefined) say(writeMetrics(metrics, readyMetrics(ready)));
  const code = exitCodeOf(ready);
  if (summary === "none") return code;
  const rest = folder === undefined ? "" : `The full result is in ${folder}.`;
  const written = appendJobSummary(markdown, rest, { ...io, say });
  return code === exitCodes.done ? written : code;
}
