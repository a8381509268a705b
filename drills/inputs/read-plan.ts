import { checkOnePoint, readInput, readRestoreInputs } from "../../provider/inputs/check-restore";
import {
  childPath,
  isGiven,
  oneOf,
  type Problems,
  readBoolean,
  type ReadContext,
  readObject,
  readPlain,
  readPlainObject,
  reportUnknown,
  textProblem,
} from "../../provider/inputs/problems";
import { durationWithin } from "../../provider/inputs/duration";
import { timeProblem } from "../../provider/inputs/read-values";
import { plannedInputs } from "../../provider/inputs/restore-table";
import { isObject, omitUndefined, type Properties } from "../../provider/plain/plain";
import { showValue } from "../../provider/plain/text";
import { leaf } from "../checks/kind";
import type { Goals } from "../judge/stored";
import { type ReadCheck, readChecks } from "./read-check";

/** A plan whose known arguments are all valid. Durations are in seconds, defaults are filled in, and values that may be unknown are as given. */
export interface ReadPlan {
  readonly run: unknown;
  readonly kind: "drill" | "recovery";
  readonly goals?: Goals;
  readonly wholeGoals?: Pick<Goals, "recoveryTimeSeconds">;
  readonly waves: readonly GivenWave[];
  readonly onFailure: "stop" | "continue";
  readonly onMissedGoal: "fail" | "warn";
  readonly incidentAt?: unknown;
  readonly notes?: Properties;
  /** Set only if the program turns the look-up off. */
  readonly lookUp?: false;
}

/** A wave whose known arguments are all valid. `readRestores` reads the restores again once everything is known. */
export interface GivenWave {
  readonly name: string;
  /** The path of the wave's `restores` in the arguments. */
  readonly path: string;
  readonly goals?: Goals;
  readonly restores: Properties;
  /** The wave's rule, or else the plan's. Applies to restores without a point or a rule of their own. */
  readonly rule?: unknown;
  /** As given: resources, or a function. Not stored. */
  readonly dependsOn?: unknown;
}

export interface ReadRestore {
  readonly name: string;
  readonly path: string;
  /** The inputs in their stored form. A restore without its own point or rule gets the rule of its wave or plan. */
  readonly inputs: Properties;
  readonly isInherited?: true;
  readonly takenAt?: unknown;
  readonly goals?: Goals;
  readonly checks: readonly ReadCheck[];
}

interface ReadPlanContext extends ReadContext {
  /** Reports what is wrong with a wave's `dependsOn`. Absent in the plugin, because neither a function nor a resource can be passed from another process. */
  readonly checkDependsOn?: (value: unknown, path: string, problems: Problems) => void;
}

const planProperties =
  "run kind goals wholeGoals recoveryPoint waves onFailure onMissedGoal incidentAt notes lookUp".split(" ");
const noteNames = ["scenario", "owner", "approver", "reference"] as const;
const planOnlyProperties = ["recoveryPointTakenAt", "goals", "checks"] as const;

/** A failed operation sends all its properties in a single trailer, and would lose them at a size of 13 MB. */
const maxRestores = 3_000;
const maxChecks = 10_000;

/** Reads a plan's arguments. Returns undefined if there is any problem. */
export function readPlan(args: unknown, context: ReadPlanContext): ReadPlan | undefined {
  const given = readObject(args, "", planProperties, context);
  if (given === undefined) return undefined;
  const { problems } = context;
  leaf((value) => textProblem(value, 200))(given["run"], "run", context);
  if (isGiven(given["incidentAt"])) leaf(timeProblem)(given["incidentAt"], "incidentAt", context);
  const word = <const Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word =>
    readPlain(given[name], name, oneOf(...words), context) ?? words[0];
  const plan = omitUndefined<ReadPlan>({
    run: given["run"],
    kind: word("kind", ["drill", "recovery"]),
    goals: readGoals(given["goals"], "goals", context),
    wholeGoals: readGoals(given["wholeGoals"], "wholeGoals", context, ["recoveryTime"]),
    onFailure: word("onFailure", ["stop", "continue"]),
    onMissedGoal: word("onMissedGoal", ["fail", "warn"]),
    incidentAt: given["incidentAt"] ?? undefined,
    notes: isGiven(given["notes"]) ? readNotes(given["notes"], "notes", context) : undefined,
    waves: readWaves(given["waves"], readRule(given["recoveryPoint"], "", context), context),
    lookUp: readPlain(given["lookUp"], "lookUp", readBoolean, context) === false ? false : undefined,
  });
  return problems.all.length > 0 ? undefined : plan;
}

function readNotes(value: unknown, path: string, context: ReadContext): Properties | undefined {
  const given = readObject(value, path, noteNames, context);
  if (given === undefined) return undefined;
  const notes = noteNames.filter((name) => isGiven(given[name]));
  for (const name of notes) leaf((text) => textProblem(text, 2_000))(given[name], childPath(path, name), context);
  return Object.fromEntries(notes.map((name) => [name, given[name]]));
}

function readRule(value: unknown, path: string, context: ReadContext): unknown {
  return isGiven(value) ? readInput("recoveryPoint", value, path, context) : undefined;
}

function readWaves(value: unknown, ruleOfPlan: unknown, context: ReadPlanContext): readonly GivenWave[] {
  if (context.isUnknown(value)) {
    reportUnknown("waves", context);
    return [];
  }
  if (!Array.isArray(value) || value.length === 0) {
    context.problems.add("waves", " needs a list of at least one wave");
    return [];
  }
  const [names, restoreNames] = [new Map<string, string>(), new Map<string, string>()];
  return (value as readonly unknown[]).flatMap((wave, index) => {
    const path = childPath("waves", index);
    const given = readObject(wave, path, ["name", "goals", "recoveryPoint", "restores", "dependsOn"], context);
    if (given === undefined) return [];
    checkName(given["name"], childPath(path, "name"), names, context);
    const goals = readGoals(given["goals"], childPath(path, "goals"), context);
    const rule = readRule(given["recoveryPoint"], path, context) ?? ruleOfPlan;
    const ofRestores = childPath(path, "restores");
    for (const { name, path: own } of readRestores(given["restores"], ofRestores, rule, context))
      checkName(name, own, restoreNames, context);
    const { dependsOn, name } = given;
    if (isGiven(dependsOn)) checkDependsOn(dependsOn, childPath(path, "dependsOn"), context);
    return omitUndefined<GivenWave>({
      name: typeof name === "string" ? name : "",
      path: ofRestores,
      goals,
      restores: isObject(given["restores"]) ? given["restores"] : {},
      rule,
      dependsOn: dependsOn ?? undefined,
    });
  });
}

function checkDependsOn(value: unknown, path: string, { checkDependsOn: check, problems }: ReadPlanContext): void {
  if (check !== undefined) check(value, path, problems);
  else problems.add(path, " works only in TypeScript and JavaScript: declare a second plan with dependsOn");
}

/** Names must be unique regardless of case, because names that differ only in capitalization are easily confused. */
function checkName(name: unknown, path: string, taken: Map<string, string>, context: ReadContext): void {
  if (context.isUnknown(name)) {
    reportUnknown(path, context);
    return;
  }
  const wrong = nameProblem(name);
  const spelled = typeof name === "string" ? name.toLowerCase() : "";
  const first = taken.get(spelled);
  const twice = ` is taken: names must be unique in a plan, regardless of case, and ${String(first)} already has this name`;
  const problem = wrong ?? (first === undefined ? undefined : twice);
  if (problem === undefined) taken.set(spelled, path);
  else context.problems.add(path, problem);
}

/** Reads the restores in a wave and reports problems. Invalid restores may be missing from the result. */
export function readRestores(
  value: unknown,
  path: string,
  rule: unknown,
  context: ReadContext,
): readonly ReadRestore[] {
  if (context.isUnknown(value)) {
    reportUnknown(path, context);
    return [];
  }
  const given = readPlainObject(value, path, "an object of restores by name", context.problems) ?? {};
  const entries = Object.entries(given);
  const tooMany = (found: number, what: string, most: number): readonly ReadRestore[] => {
    context.problems.add(path, ` has ${String(found)} ${what}, but the limit is ${String(most)}: split the wave`);
    return [];
  };
  if (entries.length > maxRestores) return tooMany(entries.length, "restores", maxRestores);
  const read = entries
    .map(([name, restore]) => readRestore(name, restore, childPath(path, name), rule, context))
    .filter((restore) => restore !== undefined);
  const checks = read.reduce((sum, one) => sum + one.checks.length, 0);
  return checks > maxChecks ? tooMany(checks, "checks", maxChecks) : read;
}

function readRestore(
  name: string,
  value: unknown,
  path: string,
  nearestRule: unknown,
  context: ReadContext,
): ReadRestore | undefined {
  const { problems } = context;
  const given = readObject(value, path, [...plannedInputs, ...planOnlyProperties], context);
  if (given === undefined) return undefined;
  const kind = isGiven(given["paths"]) ? "FileRestore" : "VmRestore";
  const own = Object.fromEntries(readRestoreInputs(kind, given, path, context));
  const hasPoint = isGiven(own["recoveryPointId"]) || isGiven(own["recoveryPoint"]);
  const isInherited = !hasPoint && nearestRule !== undefined;
  const inputs: Properties = isInherited ? { ...own, recoveryPoint: nearestRule } : own;
  // An unknown value counts as set, because the program must choose between a point and a rule before the run.
  checkOnePoint(inputs, path, { ...context, isUnknown: () => false });
  const takenAt = given["recoveryPointTakenAt"];
  if (isGiven(takenAt)) {
    const stamp = childPath(path, "recoveryPointTakenAt");
    leaf(timeProblem)(takenAt, stamp, context);
    if (isGiven(inputs["recoveryPoint"]))
      problems.add(stamp, " does not apply to a rule, which uses the time in the panel's list: remove it");
  }
  const goals = readGoals(given["goals"], childPath(path, "goals"), context);
  const checks = readChecks(given["checks"], childPath(path, "checks"), context);
  const more = { isInherited: isInherited ? (true as const) : undefined, takenAt: takenAt ?? undefined, goals };
  return omitUndefined<ReadRestore>({ name, path, inputs, checks, ...more });
}

/** Names become part of resource names and table rows, so they must be easy to read. */
const namePattern = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u;

export function nameProblem(value: unknown): string | undefined {
  if (typeof value === "string" && namePattern.test(value))
    // JavaScript moves integer names to the beginning of an object, which would change the program's order. The SDK hangs if an object has its own `toString`.
    return /^\d+$/.test(value) || value in Object.prototype
      ? ` is ${showValue(value)}, which has a special meaning in a JavaScript object: choose a name such as "${value}-1"`
      : undefined;
  const wrong = isGiven(value) ? ` is ${showValue(value)}, which is not a valid name` : " is missing";
  return `${wrong}: use up to 60 letters, digits, spaces, ".", "-" and "_", with a letter or a digit first and last`;
}

/** A data age goal may be longer than any wait, because a plan may restore backups that are months old. */
const maxGoalSeconds = 3_660 * 86_400;

const goalNames = { recoveryTime: "recoveryTimeSeconds", dataAge: "dataAgeSeconds" } as const;

/** Reads goals, in seconds. They decide the verdict, so they must be plain values that the preview can check. */
function readGoals(
  value: unknown,
  path: string,
  context: ReadContext,
  known: readonly (keyof typeof goalNames)[] = ["recoveryTime", "dataAge"],
): Goals | undefined {
  if (!isGiven(value)) return undefined;
  const given = readObject(value, path, known, context);
  if (given === undefined) return undefined;
  const bounds = { minSeconds: 1, maxSeconds: maxGoalSeconds };
  const read = known.flatMap((name) => {
    const seconds = readPlain(given[name], childPath(path, name), durationWithin(bounds), context);
    return seconds === undefined ? [] : [[goalNames[name], seconds]];
  });
  return Object.fromEntries(read) as Goals;
}
