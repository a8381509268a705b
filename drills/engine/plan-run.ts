import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { StoredFailure } from "../../provider/engine/outputs";
import type { Operations } from "../../provider/engine/sanitize";
import { whyRefused } from "../../provider/inputs/check-restore";
import { type Message, MessageError, messageText, partsOf } from "../../provider/plain/message";
import { ownVersion } from "../../provider/plain/own-version";
import { firstFew } from "../../provider/plain/text";
import { deepEqual, groupBy, omit, omitUndefined, type Properties } from "../../provider/plain/plain";
import { effectiveGoals } from "../judge/goals";
import { restoresIn } from "../judge/history";
import { isAgeUnmeasurable } from "../judge/judge";
import { required } from "../judge/read";
import { readPlanText, readRun, type PlanText, type RunBy, type StoredRun } from "../judge/stored";
import { lookUp, type LookedUp, newInPlan, lookUpRefusedText, notLookedUpText, pointsTooLate } from "./look-up";
import { Deleted, isKnown, ownOf, type Places, type PlanProcess, rowOf, type SeenParts } from "./parts";
import { detectPipeline } from "./pipeline";

export function planRunOperations(planProcess: PlanProcess, seen: SeenParts): Operations {
  const { id: up, engineLog } = planProcess;
  const deleted = new Deleted();
  const now = (): string => new Date().toISOString();
  return {
    check(olds, news) {
      const { inputs } = seen.check(olds, news);
      const plan = isKnown(inputs["plan"]) ? readPlanText(inputs["plan"]) : undefined;
      for (const text of plan ? withoutAgeTexts(plan) : []) engineLog.warn(rowOf(inputs), text);
      const refused = plan ? [...refusedMachines(plan, planProcess), ...pointsTooLate(newInPlan(plan))] : [];
      const failures = refused.map(({ path, why }) => ({ property: "", reason: `${path}: ${why}` }));
      return { inputs, failures };
    },

    diff(_id, olds, news) {
      const before = readRun(olds);
      seen.placed.set(rowOf(news), placesOf(news, before));
      if (!isKnown(news["run"], news["plan"]) || before === undefined) return { changes: true };
      if (before.run === news["run"] && before.plan === news["plan"]) return { changes: false };
      const plan = readPlanText(news["plan"]);
      const why = plan && refusal(before, plan);
      if (why !== undefined) throw new MessageError(why);
      return { changes: true };
    },

    async create(inputs) {
      const id = `run-${randomUUID()}`;
      const gone = deleted.of(inputs);
      const [before, plan] = [readRun(gone), readPlanText(inputs["plan"])];
      const refused = before && plan && refusal(before, plan);
      const why = refused ?? (await whyNotCarriedOut(planProcess, inputs, before));
      // Stores the outputs of the replaced run again. Otherwise, the next `up` would know nothing about that run.
      if (why !== undefined && before !== undefined) throw new StoredFailure(id, gone, messageText(why));
      if (why !== undefined) throw new MessageError(why);
      seen.placed.set(rowOf(inputs), placesOf(inputs, before));
      return { id, outs: runOutputs(inputs, before, up, now()) };
    },

    async update(_id, olds, news) {
      const before = readRun(olds);
      const why = await whyNotCarriedOut(planProcess, news, before);
      if (why !== undefined) throw new MessageError(why);
      return { outs: runOutputs(news, before, up, now()) };
    },

    read: deleted.read,
    delete: deleted.delete,
  };
}

/** Why the new parts of the plan cannot be carried out, according to the panel. Called before this `up` sends any restore. */
async function whyNotCarriedOut(
  planProcess: PlanProcess,
  inputs: Properties,
  before: StoredRun | undefined,
): Promise<Message | undefined> {
  const { engineLog } = planProcess;
  const plan = readPlanText(inputs["plan"]);
  if (plan === undefined || inputs["lookUp"] === false) return undefined;
  const planned = newInPlan(plan, before && readPlanText(before.plan));
  if (planned.length === 0) return undefined;
  const row = rowOf(inputs);
  engineLog.progress(row, `looking up restores on the panel (${String(planned.length)})`);
  const look = async () => lookUp(planned, planProcess.session().client, planProcess.listAccess().pointStates);
  const found = await look().catch(partsOf);
  if ("what" in found) return found;
  if (found.problems.length > 0) return lookUpRefusedText(found, planned.length);
  if (found.unknown.length > 0) engineLog.warn(row, notLookedUpText(found));
  return undefined;
}

/** Rejects the whole plan before anything is sent. Otherwise, the first wave would be restored before a machine in a later wave is rejected. */
function refusedMachines(plan: PlanText, planProcess: PlanProcess): LookedUp["problems"] {
  const first = new Map<string, string>();
  for (const { path, machine } of restoresIn(plan)) {
    const why = whyRefused(planProcess, machine);
    if (why !== undefined) first.set(why, first.get(why) ?? path);
  }
  return [...first].map(([why, path]) => ({ path, why }));
}

/** A warning about the restores whose data age goal can never be measured. */
function withoutAgeTexts(plan: PlanText): readonly string[] {
  const names = plan.waves.flatMap(({ goals, restores }) =>
    Object.entries(restores)
      .filter(([, restore]) => isAgeUnmeasurable(restore, effectiveGoals(restore.goals, goals, plan.goals)))
      .map(([name]) => name),
  );
  const effect = plan.onMissedGoal === "warn" ? "" : "the run will be incomplete, because ";
  const advice = "set recoveryPointTakenAt, or use a rule instead of recoveryPointId";
  return names.length === 0 ? [] : [`${effect}no data age can be measured for ${firstFew(names)}: ${advice}`];
}

/** Why this plan cannot follow the stored plan: it would restore machines again, or forget them. */
function refusal(before: StoredRun, plan: PlanText): Message | undefined {
  const { run, earlierRuns } = before;
  const earlier = earlierRuns.find((one) => one.run === plan.run);
  // If someone resets the program to an earlier commit, it must not restore every machine again.
  if (earlier !== undefined && run !== plan.run) {
    const what = `run ${earlier.run} already began at ${earlier.startedAt}, and every machine would be restored again`;
    return { what, next: "Choose a name that no earlier run of this plan has used", help: "plan" };
  }
  if (run !== plan.run) return undefined;
  const was = readPlanText(before.plan);
  if (was === undefined)
    return { what: `the stored plan of run ${run} cannot be read`, next: "Begin a new run", help: "plan" };
  const gone = was.waves.find(({ name }) => !plan.waves.some((one) => one.name === name));
  return (
    gone && {
      what: `wave ${gone.name} belongs to run ${run}`,
      next: "Keep it in the plan, with no restores if none was sent, or begin a new run",
      help: "plan",
    }
  );
}

/** The plan's waves with their machines, and its earlier requests. Empty as long as the plan is unknown. */
function placesOf(inputs: Properties, before: StoredRun | undefined): Places {
  const plan = isKnown(inputs["plan"]) ? readPlanText(inputs["plan"]) : undefined;
  const waves = plan?.waves.map(
    ({ name, restores }) => [name, Object.values(restores).map(({ machine }) => machine)] as const,
  );
  return { waves: new Map(waves), askedBefore: before && plan ? askedBefore(before, plan) : {} };
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** Keeps an earlier run's request until a later run requests a restore of the same machine in the same wave, whose search then covers both restores. */
function askedBefore(before: StoredRun, plan: PlanText): Places["askedBefore"] {
  const was = readPlanText(before.plan);
  const last = was === undefined ? [] : restoresIn(was);
  const present = restoresIn(plan);
  const isNewRun = before.run !== plan.run;
  const replaced = new Set(
    isNewRun ? last.map((one) => keyOf(one.wave, one.machine)) : present.map((one) => keyOf(one.wave, one.id)),
  );
  const names = new Set(isNewRun ? [] : present.map((one) => keyOf(one.wave, one.name, one.machine)));
  const known = Object.entries(before.askedBefore).flatMap(([machine, all]) =>
    all
      .filter(({ wave, id }) => !replaced.has(keyOf(wave, isNewRun ? machine : id)))
      .map(({ wave, id, ...more }) => ({ machine, wave, id, ...(!isNewRun && more) })),
  );
  const left = last
    .filter((one) => !names.has(keyOf(one.wave, one.name, one.machine)))
    // Requests that were removed from a wave during this run are stored with their triggers; the last run's requests, with that run's name.
    .map(({ machine, wave, id, form }) => {
      const more = isNewRun ? { run: before.run } : { triggers: JSON.stringify(form.triggers ?? []) };
      return { machine, wave, id, ...more };
    });
  const byMachine = groupBy([...known, ...left], ({ machine }) => machine);
  return Object.fromEntries([...byMachine].map(([machine, all]) => [machine, all.map((one) => omit(one, "machine"))]));
}

function runOutputs(inputs: Properties, before: StoredRun | undefined, up: string, at: string): Properties {
  const plan = required(readPlanText(inputs["plan"]), "the plan of this run");
  const asked = before ? askedBefore(before, plan) : {};
  const kept = Object.keys(asked).length > 0 ? { askedBefore: JSON.stringify(asked) } : {};
  const texts = { ...ownOf(inputs), run: plan.run, plan: inputs["plan"], ...kept };
  if (before?.run === plan.run) {
    const was = required(readPlanText(before.plan), "the stored plan of this run");
    const { startedAt, up: first, by, earlierRuns } = before;
    const changed = { ...before.changed, ...Object.fromEntries(changedParts(was, plan).map((part) => [part, at])) };
    return { ...texts, startedAt, up: first, by, changed, earlierRuns };
  }
  const earlierRuns = before ? [...before.earlierRuns, { run: before.run, startedAt: before.startedAt }] : [];
  return { ...texts, startedAt: at, up, by: whoRunsThis(), changed: {}, earlierRuns };
}

/** The changed parts of a plan. A part is one restore, or one wave's goals together with the order of its restores, or any other property as a whole. */
function changedParts(was: PlanText, is: PlanText): readonly string[] {
  const [before, now] = [partsIn(was), partsIn(is)];
  const names = [...new Set([...before.keys(), ...now.keys()])];
  return names.filter((part) => !deepEqual(before.get(part), now.get(part)));
}

function partsIn({ waves, ...others }: PlanText): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>(Object.entries({ ...others, waves: waves.map(({ name }) => name) }));
  for (const { name: wave, goals, restores } of waves) {
    parts.set(`waves.${wave}`, { goals, order: Object.keys(restores) });
    for (const [name, one] of Object.entries(restores)) parts.set(`waves.${wave}.${name}`, one);
  }
  return parts;
}

function whoRunsThis(): RunBy {
  return omitUndefined<RunBy>({
    host: hostname(),
    user: userName(),
    pipeline: detectPipeline(process.env),
    version: ownVersion(),
  });
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id without a name.
    return process.env["USER"] ?? process.env["USERNAME"];
  }
}
