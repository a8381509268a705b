import { parseEndpoint } from "../../provider/panel/endpoint";
import { PanelError } from "../../provider/panel/errors";
import { connectionRedactor } from "../../provider/panel/secrets";
import { systemClock } from "../../provider/plain/clock";
import { errorMessage } from "../../provider/plain/text";
import { noRestore, restoresOfPlan } from "../parts/load-state";
import { type Command, CommandError, exitCodes, type ExitCode, type Io } from "../parts/command";
import { appendJobSummary, writeIntoFolder } from "../parts/write";
import { loadKnownQuestions } from "../parts/known-questions";
import { writeMetrics } from "../parts/metrics";
import { defaultProvider, loadStack } from "../parts/provider-settings";
import type { StackRestore, StackState } from "../parts/stack-state";
import { readReadyArguments, usage, type ReadyArguments } from "./arguments";
import { assessReadiness, machinesToRead } from "./assess";
import { toMarkdown } from "./markdown";
import { metricsOf } from "./metrics";
import { readPanel } from "./read-panel";
import type { ReadyResult } from "./result";
import { printReady } from "./table";

export const ready: Command = {
  name: "ready",
  about: "whether the stack's restores could run now: for every morning",
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
  const { allowedMachines, username, password } = settings;
  const asked = { panel: parseEndpoint(settings.endpoint).address, provider, allowedMachines };
  const { progress } = io;
  const reading = await readPanel(settings, machinesToRead(restores, asked), {
    clock: systemClock,
    ...(progress !== undefined && { progress }),
  }).catch((error: unknown) => {
    if (error instanceof PanelError) throw new CommandError(error.message, { cause: error });
    throw error;
  });
  return assessReadiness(state, restores, reading, {
    ...asked,
    words: settings,
    redact: connectionRedactor(username, password),
    known,
    now: systemClock.wallTime(),
    ...(goalAgeSeconds !== undefined && { goalAgeSeconds }),
    ...(provenWithinSeconds !== undefined && { provenWithinSeconds }),
  });
}

/** With `--provider`, only its restores, else all. Throws if there are none. */
function restoresToJudge(state: StackState, { plan, provider }: ReadyArguments): readonly StackRestore[] {
  const found = restoresOfPlan(state, plan).filter(
    (one) => provider === undefined || (one.provider ?? defaultProvider) === provider,
  );
  if (found.length > 0 || state.unreadable.length > 0) return found;
  if (provider === defaultProvider) throw new CommandError("the state holds no restore without an explicit provider");
  if (provider !== undefined) throw new CommandError(`the state holds no restore of the provider ${provider}`);
  throw new CommandError(noRestore);
}

function exitCodeOf({ verdict, isAccepted }: ReadyResult): ExitCode {
  if (verdict === "not ready") return exitCodes.failed;
  return verdict === "ready" || isAccepted ? exitCodes.done : exitCodes.incomplete;
}

function publish(ready: ReadyResult, { output, summary, folder, metrics }: ReadyArguments, io: Io): ExitCode {
  const json = JSON.stringify(ready, undefined, 2);
  if (output === "json") io.say(json);
  else
    for (const line of printReady(ready, { columns: io.columns ?? 80, isColourful: io.isColourful === true }))
      io.say(line);
  // With --json, standard output contains only the JSON.
  const say = output === "json" ? io.warn : io.say;
  const markdown = toMarkdown(ready);
  if (folder !== undefined) {
    say(writeIntoFolder(folder, "ready.json", `${json}\n`));
    say(writeIntoFolder(folder, "ready.md", markdown));
  }
  if (metrics !== undefined) say(writeMetrics(metrics, metricsOf(ready)));
  const code = exitCodeOf(ready);
  if (summary === "none") return code;
  try {
    appendJobSummary(markdown, folder === undefined ? "" : `The whole of it is in ${folder}.`, { ...io, say });
    return code;
  } catch (error) {
    io.warn(`the job's summary cannot be written: ${errorMessage(error)}`);
    return code === exitCodes.done ? exitCodes.cannot : code;
  }
}
