import type { Settings } from "../../provider/inputs/settings";
import { parseEndpoint } from "../../provider/panel/endpoint";
import { PanelError } from "../../provider/panel/errors";
import { connectionRedactor } from "../../provider/panel/secrets";
import { systemClock } from "../../provider/plain/clock";
import { errorMessage } from "../../provider/plain/text";
import { type EarlierReport, ReportError } from "../../report";
import { type Command, CommandError, exitCodes, type ExitCode, type Io } from "../parts/command";
import { appendJobSummary } from "../parts/job-summary";
import { loadKnownQuestions } from "../parts/known-questions";
import { loadSettings, stackSource } from "../parts/load-settings";
import { readEarlierReports } from "../parts/load-report";
import { loadStackState } from "../parts/load-state";
import { writeMetrics } from "../parts/metrics";
import { writeIntoFolder } from "../parts/write";
import { readReadyArguments, usage, type ReadyArguments } from "./arguments";
import { defaultProvider, readDeclaration, type Declaration, planNamesIn } from "./declared";
import { assessReadiness, isOnPanel, machinesToRead } from "./assess";
import { readInventory } from "./inventory";
import { readPanel } from "./read-panel";
import { toMarkdown } from "./markdown";
import { metricsOf } from "./metrics";
import type { ReadyResult } from "./result";
import { settingsOfProvider } from "./provider-settings";
import { printReady } from "./table";

const exitCodeOf: Readonly<Record<ReadyResult["verdict"], ExitCode>> = {
  ready: exitCodes.done,
  "not ready": exitCodes.failed,
  "cannot be told": exitCodes.incomplete,
};

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
  const { provenWithinSeconds } = wanted;
  const provider = wanted.provider === defaultProvider ? undefined : wanted.provider;
  const [known, { exported, settings }] = await Promise.all([
    loadKnownQuestions(wanted.known),
    provider === undefined ? loadStack(wanted, io) : loadStackOfProvider(wanted, provider, io),
  ]);
  const [earlier, inventory] = await Promise.all([
    readEarlierReports(wanted.history),
    wanted.inventory === undefined ? undefined : readInventory(wanted.inventory),
  ]);
  const declaration = asCommandError(() => declarationOf(exported, wanted, earlier));
  const panel = parseEndpoint(settings.endpoint).address;
  const { progress } = io;
  const { allowedMachines } = settings;
  const reading = await readPanel(settings, machinesToRead(declaration, { panel, allowedMachines }), {
    clock: systemClock,
    ...(progress !== undefined && { progress }),
  }).catch((error: unknown) => {
    if (error instanceof PanelError) throw new CommandError(error.message, { cause: error });
    throw error;
  });
  const redact = connectionRedactor(settings.username, settings.password);
  const now = systemClock.wallTime();
  const asked = provider === undefined ? {} : { provider };
  return assessReadiness(declaration, reading, {
    panel,
    ...asked,
    allowedMachines,
    words: settings,
    redact,
    known,
    now,
    ...(provenWithinSeconds !== undefined && { provenWithinSeconds }),
    ...(inventory && { inventory: { machines: inventory, restored: machinesIn(exported, panel) } }),
  });
}

interface LoadedStack {
  readonly exported: unknown;
  readonly settings: Settings;
}

async function loadStack({ source, stack }: ReadyArguments, io: Io): Promise<LoadedStack> {
  const [exported, settings] = await Promise.all([loadStackState(source, io), loadSettings(stack, io)]);
  return { exported, settings };
}

async function loadStackOfProvider({ source, stack }: ReadyArguments, provider: string, io: Io): Promise<LoadedStack> {
  const [exported, read] = await Promise.all([
    loadStackState(source, io, "shown"),
    // A state that was given may be of another stack than this folder's.
    source.from === "stack" ? stackSource(stack, io) : undefined,
  ]);
  const ofStack = read !== undefined && "source" in read ? read.source : undefined;
  return { exported, settings: asCommandError(() => settingsOfProvider(exported, provider, io, ofStack)) };
}

/** The machines of all restores of a stack on this panel, whatever else was asked for: another panel has another machine of the same id. */
function machinesIn(exported: unknown, panel: string): ReadonlySet<string> {
  const restores = readDeclaration(exported, {}).restores.filter((one) => isOnPanel(one, panel));
  return new Set(restores.flatMap(({ machine }) => machine ?? []));
}

function asCommandError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ReportError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

/** Reads the restores to check, and throws if there are none. */
function declarationOf(
  exported: unknown,
  { plan, provider, goalAgeSeconds }: ReadyArguments,
  earlier: readonly EarlierReport[],
): Declaration {
  const declaration = readDeclaration(exported, {
    earlier,
    ...(plan !== undefined && { plan }),
    ...(provider !== undefined && { provider }),
    ...(goalAgeSeconds !== undefined && { goalAgeSeconds }),
  });
  if (declaration.restores.length > 0 || declaration.unreadable.length > 0) return declaration;
  const plans = planNamesIn(exported);
  if (plan !== undefined && !plans.includes(plan))
    throw new CommandError(`the state holds no plan ${plan}; it holds ${plans.join(", ") || "none"}`);
  if (provider === defaultProvider) throw new CommandError("the state holds no restore without an explicit provider");
  if (provider !== undefined) throw new CommandError(`the state holds no restore of the provider ${provider}`);
  throw new CommandError("the state holds no restore: `pulumi up` stores them");
}

function publish(ready: ReadyResult, { output, summary, folder, metrics }: ReadyArguments, io: Io): ExitCode {
  const json = JSON.stringify(ready, undefined, 2);
  if (output === "json") io.say(json);
  else {
    const colours = io.isColourful === true ? "in colour" : "plain";
    for (const line of printReady(ready, { columns: io.columns ?? 80, colours })) io.say(line);
  }
  // With --json, standard output holds the JSON alone.
  const say = output === "json" ? io.warn : io.say;
  const markdown = toMarkdown(ready);
  if (folder !== undefined) {
    say(writeIntoFolder(folder, "ready.json", `${json}\n`));
    say(writeIntoFolder(folder, "ready.md", markdown));
  }
  if (metrics !== undefined) say(writeMetrics(metrics, metricsOf(ready)));
  const code = exitCodeOf[ready.verdict];
  if (summary === "none") return code;
  try {
    appendJobSummary(markdown, folder === undefined ? "" : `The whole of it is in ${folder}.`, { ...io, say });
    return code;
  } catch (error) {
    io.warn(`the job's summary cannot be written: ${errorMessage(error)}`);
    return code === exitCodes.done ? exitCodes.cannot : code;
  }
}
