import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { hostname, userInfo } from "node:os";
import { StoredFailure } from "../../provider/engine/outputs";
import type { CheckFailure } from "../../provider/inputs/problems";
import { knownLater } from "../../provider/inputs/read-values";
import { howToAllow } from "../../provider/inputs/settings";
import { type Message, MessageError, messageText } from "../../provider/plain/message";
import { deepEqual, isObject, own, type Properties } from "../../provider/plain/plain";
import { readPlanText, readRun } from "../judge/read";
import type { Change, PlanText, PlanWave, RunBy, StoredRun } from "../judge/stored";
import { lookUp, newInPlan, lookUpRefusedText, notLookedUpText } from "./look-up";
import { Deleted, isKnown, logged, ownOf, type PlanOperations, type PlanProcess, rowOf } from "./parts";
import { detectPipeline } from "./pipeline";

const nothingSent = "no restore of the plan was sent";
/** For more restores than this, the row says that they are looked up. */
const manyRestores = 10;
/** The number of first changes, and of last changes, that are kept. */
const maxChanges = 50;

/** A run is saved before everything else of its plan. */
export function planRunOperations(planProcess: PlanProcess): PlanOperations {
  const { id: up, engineLog } = planProcess;
  const whyNotAllowed = (machine: string): string | undefined => planProcess.whyNotAllowed(machine);
  const deleted = new Deleted();
  const now = (): string => new Date().toISOString();
  /** Whether what is new can be carried out, as far as the panel says. Nothing of the plan was sent before. */
  const whyNotCarriedOut = async (inputs: Properties, before: StoredRun | undefined): Promise<Message | undefined> => {
    const plan = readPlanText(inputs["plan"]);
    if (plan === undefined || inputs["lookUp"] === false) return undefined;
    const planned = newInPlan(plan, before?.run === plan.run ? readPlanText(before.plan) : undefined);
    if (planned.length === 0) return undefined;
    const row = rowOf(inputs);
    if (planned.length > manyRestores)
      engineLog.progress(row, `looking up ${String(planned.length)} restores on the panel`);
    const found = await lookUp(planned, planProcess.session(row).client, planProcess.listAccess().pointStates);
    if (found.problems.length > 0) return lookUpRefusedText(found, planned.length);
    if (found.unknown.length > 0) engineLog.warn(row, notLookedUpText(found));
    return undefined;
  };
  return {
    check: (_olds, news) => ({
      inputs: isObject(news) ? news : {},
      failures: isObject(news) ? refusedMachines(news, whyNotAllowed) : [],
    }),

    diff: (_id, olds, news) =>
      logged(engineLog, nothingSent, () => {
        const before = readRun(olds);
        if (!isKnown(news["run"], news["plan"]) || before === undefined) return { changes: true };
        if (before.run === news["run"] && before.plan === news["plan"]) return { changes: false };
        const plan = readPlanText(news["plan"]);
        const why = plan && refusal(before, plan);
        if (why !== undefined) throw new MessageError({ ...why, help: "plan" });
        return { changes: true };
      }),

    create: (inputs) =>
      logged(engineLog, nothingSent, async () => {
        const id = `run-${randomUUID()}`;
        const gone = deleted.of(inputs);
        const [before, plan] = [readRun(gone), readPlanText(inputs["plan"])];
        const refused = before && plan && refusal(before, plan);
        const why = refused ? { ...refused, help: "plan" as const } : await whyNotCarriedOut(inputs, before);
        // What was replaced is kept: otherwise the next `up` would know nothing of it.
        if (why !== undefined && before !== undefined) throw new StoredFailure(id, gone, [messageText(why)]);
        if (why !== undefined) throw new MessageError(why);
        return { id, outs: runOutputs(inputs, before, up, now()) };
      }),

    update: (_id, olds, news) =>
      logged(engineLog, nothingSent, async () => {
        const before = readRun(olds);
        const why = await whyNotCarriedOut(news, before);
        if (why !== undefined) throw new MessageError(why);
        return { outs: runOutputs(news, before, up, now()) };
      }),

    read: deleted.read,
    delete: deleted.delete,
  };
}

/** The whole plan is refused before anything is sent: otherwise a later wave's machine would be refused only after the first wave's restores. */
function refusedMachines({ plan }: Properties, whyNotAllowed: PlanProcess["whyNotAllowed"]): CheckFailure[] {
  const waves = isKnown(plan) ? (readPlanText(plan)?.waves ?? []) : [];
  return waves.flatMap(({ restores }) =>
    Object.entries(restores).flatMap(([name, { machine }]) => {
      const why = machine === knownLater ? undefined : whyAsFarAsKnown(() => whyNotAllowed(machine));
      return why === undefined ? [] : [{ property: "waves", reason: notAllowedText(name, why) }];
    }),
  );
}

function notAllowedText(name: string, why: string): string {
  return messageText({ what: `waves: ${name}: ${nothingSent}: ${why}`, next: howToAllow, help: "machines" });
}

function whyAsFarAsKnown(why: () => string | undefined): string | undefined {
  try {
    return why();
  } catch {
    // Settings that cannot be read are the intent's error.
    return undefined;
  }
}

/** Why this plan cannot follow what is stored: machines would be restored again, or forgotten. */
function refusal(before: StoredRun, plan: PlanText): Omit<Message, "help"> | undefined {
  const { run, earlierRuns } = before;
  const earlier = earlierRuns.find((one) => one.run === plan.run);
  // A program reset to an earlier commit would restore every machine again.
  if (earlier !== undefined && run !== plan.run) {
    const what = `run ${earlier.run} was begun at ${earlier.startedAt}, and every machine would be restored again`;
    return { what, next: "Give the run a name that it never had" };
  }
  if (run !== plan.run) return undefined;
  const was = readPlanText(before.plan);
  if (was === undefined) return { what: `the stored plan of run ${run} cannot be read`, next: "Begin a new run" };
  const gone = was.waves.find(({ name }) => !plan.waves.some((one) => one.name === name));
  if (gone !== undefined)
    return {
      what: `wave ${gone.name} belongs to run ${run}`,
      next: "Leave it in with restores: {}, or begin a new run",
    };
  return putElsewhere(run, restoresIn(plan).filter(isMissingIn(was)), takenOutBy(before, was, plan));
}

/** Another wave knows nothing of what was sent to the machine, under whatever name. */
function putElsewhere(
  run: string,
  added: readonly PlacedRestore[],
  takenOut: NonNullable<StoredRun["takenOut"]>,
): Omit<Message, "help"> | undefined {
  for (const { name, machine, wave } of added) {
    const other = own(takenOut, machine)?.find((one) => one !== wave);
    if (other === undefined) continue;
    const what = `${name} would restore machine ${machine} in wave ${wave}, and wave ${other} of run ${run} may have restored it`;
    return { what, next: `Leave the machine in wave ${other}, or begin a new run` };
  }
  return undefined;
}

interface PlacedRestore {
  readonly wave: string;
  readonly name: string;
  readonly machine: string;
}

function restoresIn({ waves }: PlanText): readonly PlacedRestore[] {
  return waves.flatMap(({ name: wave, restores }) =>
    Object.entries(restores).map(([name, { machine }]) => ({ wave, name, machine })),
  );
}

function isMissingIn(plan: PlanText): (restore: PlacedRestore) => boolean {
  const known = new Set(restoresIn(plan).map((one) => JSON.stringify(one)));
  return (restore) => !known.has(JSON.stringify(restore));
}

function takenOutBy(
  { takenOut = {} }: StoredRun,
  was: PlanText | undefined,
  plan: PlanText,
): NonNullable<StoredRun["takenOut"]> {
  const found = new Map(Object.entries(takenOut));
  for (const { machine, wave } of was ? restoresIn(was).filter(isMissingIn(plan)) : [])
    found.set(machine, [...new Set([...(found.get(machine) ?? []), wave])]);
  return Object.fromEntries(found);
}

function runOutputs(inputs: Properties, before: StoredRun | undefined, up: string, at: string): Properties {
  const plan = readPlanText(inputs["plan"]);
  if (plan === undefined) throw new Error("the plan of this run cannot be read");
  const texts = { ...ownOf(inputs), run: plan.run, plan: inputs["plan"] };
  const by = whoRunsThis();
  if (before?.run === plan.run) {
    const was = readPlanText(before.plan);
    const changes = [...before.changes, ...changesSince(was, plan, at, personIn(by))];
    const kept =
      changes.length <= 2 * maxChanges ? changes : [...changes.slice(0, maxChanges), ...changes.slice(-maxChanges)];
    const { startedAt, up: first, by: firstBy, earlierRuns } = before;
    const takenOut = takenOutBy(before, was, plan);
    const gone = Object.keys(takenOut).length > 0 ? { takenOut } : {};
    return { ...texts, startedAt, up: first, by: firstBy, changes: kept, earlierRuns, ...gone };
  }
  const earlierRuns =
    before === undefined ? [] : [...before.earlierRuns, { run: before.run, startedAt: before.startedAt }];
  return { ...texts, startedAt: at, up, by, changes: [], earlierRuns };
}

function changesSince(
  was: PlanText | undefined,
  plan: PlanText,
  at: string,
  who: string | undefined,
): readonly Change[] {
  const found = was === undefined ? ["the plan was changed"] : differencesOf(was, plan);
  return found.map((what) => ({ at, ...(who !== undefined && { who }), what }));
}

const longestValue = 200;

/** Parts that may hold secrets: only the fact that they changed is reported. */
const unshown = /\.(?:checks|triggers)$/;

/** The changes of a plan, in sentences: `waves.data.db.point was 1008, is 1007`. */
function differencesOf(was: PlanText, is: PlanText): readonly string[] {
  const found: string[] = [];
  compare(byName(was), byName(is), "", found);
  for (const wave of is.waves)
    found.push(
      ...changedOrder(
        was.waves.find(({ name }) => name === wave.name),
        wave,
      ),
    );
  return found;
}

/** Waves and restores by their names. The order of waves counts. */
function byName({ waves, ...others }: PlanText): Properties {
  return {
    ...others,
    order: waves.map(({ name }) => name).join(", "),
    waves: Object.fromEntries(waves.map(({ name, restores }) => [name, restores])),
    waveGoals: Object.fromEntries(waves.map(({ name, goals }) => [name, goals])),
  };
}

/** The restores of one machine in one wave are carried out in the order of the program. */
function changedOrder(was: PlanWave | undefined, is: PlanWave): readonly string[] {
  const [before, now] = [restoresByMachine(was, is), restoresByMachine(is, was)];
  return [...now].flatMap(([machine, names]) => {
    const old = before.get(machine) ?? "";
    return old === names ? [] : [`waves.${is.name}: the order of machine ${machine} was ${old}, is ${names}`];
  });
}

/** For each machine, in order, the restores that have this machine in the other version of the wave too. */
function restoresByMachine(wave: PlanWave | undefined, other: PlanWave | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, { machine }] of Object.entries(wave?.restores ?? {})) {
    if (other?.restores[name]?.machine !== machine) continue;
    const before = found.get(machine);
    found.set(machine, before === undefined ? name : `${before}, ${name}`);
  }
  return found;
}

function compare(was: unknown, is: unknown, path: string, found: string[]): void {
  if (deepEqual(was, is)) return;
  if (unshown.test(path)) found.push(`${path} was changed`);
  else if (isObject(was) && isObject(is)) {
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)]))
      compare(was[name], is[name], path === "" ? name : `${path}.${name}`, found);
  } else if (was === undefined) found.push(`${path} was added${isObject(is) ? "" : `: ${shown(is)}`}`);
  else if (is === undefined) found.push(`${path} was taken out${isObject(was) ? "" : `, it was ${shown(was)}`}`);
  else found.push(`${path} was ${shown(was)}, is ${shown(is)}`);
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= longestValue ? text : `${text.slice(0, longestValue - 1)}…`;
}

/** Who runs `pulumi up`, where, and with which version of this package. */
function whoRunsThis(): RunBy {
  const [user, pipeline, version] = [userName(), detectPipeline(process.env), ownVersion()];
  return {
    host: hostname(),
    ...(user !== undefined && { user }),
    ...(pipeline && { pipeline }),
    ...(version !== undefined && { version }),
  };
}

/** The person behind a change; for a pipeline, whoever started it. */
function personIn({ user, pipeline }: RunBy): string | undefined {
  return pipeline?.["actor"] ?? user;
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id without a name.
    return process.env["USER"] ?? process.env["USERNAME"];
  }
}

function ownVersion(): string | undefined {
  const load = createRequire(__filename);
  for (const file of ["pulumi-recovery/package.json", "../../../package.json", "../../package.json"]) {
    try {
      const { name, version } = load(file) as { readonly name?: unknown; readonly version?: unknown };
      if (name === "pulumi-recovery" && typeof version === "string") return version;
    } catch {
      // Not there: the next place.
    }
  }
  return undefined;
}
