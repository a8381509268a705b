import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { hostname, userInfo } from "node:os";
import type { CheckFailure } from "../../provider/inputs/problems";
import { howToAllow } from "../../provider/inputs/settings";
import { type Message, MessageError, messageText } from "../../provider/plain/message";
import { deepEqual, isObject, own, type Properties } from "../../provider/plain/plain";
import { readPlanText, readRun } from "../judge/read";
import type { Change, PlanText, PlanWave, RunBy, StoredRun } from "../judge/stored";
import { Deleted, isKnown, logged, ownOf, type PlanOperations, type PlanProcess } from "./parts";
import { detectPipeline } from "./pipeline";

const nothingSent = "no restore of the plan was sent";
/** The number of first changes, and of last changes, that are kept. */
const maxChanges = 50;

/** A run is saved before everything else of its plan. */
export function planRunOperations({
  id: up,
  engineLog,
  whyNotAllowed,
}: Pick<PlanProcess, "id" | "engineLog" | "whyNotAllowed">): PlanOperations {
  const deleted = new Deleted();
  const now = (): string => new Date().toISOString();
  return {
    check: (olds, news) => ({
      inputs: isObject(news) ? news : {},
      failures: isObject(news)
        ? [...refusedMachines(news, whyNotAllowed), ...(isObject(olds) ? movedRestores(olds, news) : [])]
        : [],
    }),

    diff: (_id, olds, news) =>
      logged(engineLog, nothingSent, () => {
        const before = readRun(olds);
        const { run } = news;
        if (!isKnown(run, news["plan"]) || before === undefined) return { changes: true };
        const earlier = before.earlierRuns.find((one) => one.run === run);
        // A program reset to an earlier commit would restore every machine again.
        if (earlier !== undefined && before.run !== run)
          throw new MessageError({
            what: `run ${earlier.run} was begun at ${earlier.startedAt}, and every machine would be restored again`,
            next: "Give the run a name that it never had",
            help: "plan",
          });
        const plan = readPlanText(news["plan"]);
        const back = before.run === run && plan ? putElsewhere(before, plan) : undefined;
        if (back !== undefined) throw new MessageError({ ...back, help: "plan" });
        return { changes: before.run !== run || before.plan !== news["plan"] };
      }),

    create: (inputs) =>
      logged(engineLog, nothingSent, () => ({
        id: `run-${randomUUID()}`,
        outs: runOutputs(inputs, readRun(deleted.of(inputs)), up, now()),
      })),

    update: (_id, olds, news) =>
      logged(engineLog, nothingSent, () => ({ outs: runOutputs(news, readRun(olds), up, now()) })),

    read: deleted.read,
    delete: deleted.delete,
  };
}

/** The whole plan is refused before anything is sent: otherwise a later wave's machine would be refused only after the first wave's restores. */
function refusedMachines({ plan }: Properties, whyNotAllowed: PlanProcess["whyNotAllowed"]): readonly CheckFailure[] {
  const waves = isKnown(plan) ? (readPlanText(plan)?.waves ?? []) : [];
  return waves.flatMap(({ restores }) =>
    Object.entries(restores).flatMap(([name, { machine }]) => {
      const why = whyAsFarAsKnown(() => whyNotAllowed(machine));
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

/** Within a run a restore that changes its wave would be restored again, and a restore whose wave is gone would be forgotten. */
function movedRestores(olds: Properties, news: Properties): CheckFailure[] {
  if (!isKnown(news["run"], news["plan"]) || olds["run"] !== news["run"] || olds["plan"] === news["plan"]) return [];
  const [was, is] = [readPlanText(olds["plan"]), readPlanText(news["plan"])];
  if (was === undefined || is === undefined) return [];
  const failures: CheckFailure[] = [];
  const fail = (reason: string): void => {
    failures.push({ property: "waves", reason: `waves: ${reason}` });
  };
  for (const { name: wave, restores } of was.waves) {
    if (!is.waves.some(({ name }) => name === wave))
      fail(`wave ${wave} belongs to run ${was.run}: leave it in with restores: {}, or begin a new run`);
    for (const other of is.waves) {
      if (other.name === wave) continue;
      const moved = Object.keys(restores).filter((name) => Object.hasOwn(other.restores, name));
      for (const name of moved)
        fail(
          `${name} belongs to wave ${wave} in run ${was.run}, and would be restored again in wave ${other.name}: leave it there, or begin a new run`,
        );
    }
  }
  return failures;
}

/** The same, where the restore was taken out by an `up` in between. */
function putElsewhere({ run, takenOut = {} }: StoredRun, plan: PlanText): Omit<Message, "help"> | undefined {
  for (const { name: wave, restores } of plan.waves)
    for (const name of Object.keys(restores)) {
      const was = own(takenOut, name);
      if (was === undefined || was === wave) continue;
      const what = `waves: ${name} was in wave ${was} of run ${run}, and may be restored again in wave ${wave}`;
      return { what, next: `Put it back into wave ${was}, or begin a new run` };
    }
  return undefined;
}

function takenOutBy(before: StoredRun, { waves }: PlanText): StoredRun["takenOut"] {
  const was = readPlanText(before.plan)?.waves ?? [];
  const gone = was.flatMap(({ name: wave, restores }) =>
    Object.keys(restores)
      .filter((name) => !waves.some((one) => Object.hasOwn(one.restores, name)))
      .map((name): [string, string] => [name, wave]),
  );
  const all = { ...before.takenOut, ...Object.fromEntries(gone) };
  return Object.keys(all).length > 0 ? all : undefined;
}

function runOutputs(inputs: Properties, before: StoredRun | undefined, up: string, at: string): Properties {
  const plan = readPlanText(inputs["plan"]);
  if (plan === undefined) throw new Error("the plan of this run cannot be read");
  const texts = { ...ownOf(inputs), run: plan.run, plan: inputs["plan"] };
  const by = whoRunsThis();
  if (before?.run === plan.run) {
    const changes = [...before.changes, ...changesSince(before, plan, at, personIn(by))];
    const kept =
      changes.length <= 2 * maxChanges ? changes : [...changes.slice(0, maxChanges), ...changes.slice(-maxChanges)];
    const { startedAt, up: first, by: firstBy, earlierRuns } = before;
    const takenOut = takenOutBy(before, plan);
    return { ...texts, startedAt, up: first, by: firstBy, changes: kept, earlierRuns, ...(takenOut && { takenOut }) };
  }
  const earlierRuns =
    before === undefined ? [] : [...before.earlierRuns, { run: before.run, startedAt: before.startedAt }];
  if (earlierRuns.some(({ run }) => run === plan.run))
    throw new MessageError({ what: `run ${plan.run} was begun before`, next: "Use a name once", help: "plan" });
  return { ...texts, startedAt: at, up, by, changes: [], earlierRuns };
}

function changesSince(before: StoredRun, plan: PlanText, at: string, who: string | undefined): readonly Change[] {
  const was = readPlanText(before.plan);
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
