import { omit, type Properties } from "../plain/plain";
import { showValue } from "../plain/text";
import { checkOnePoint, readInput, readRestoreInputs } from "./check-restore";
import {
  childPath,
  isGiven,
  type Problems,
  reportUnknown,
  readPlainObject,
  type ReadContext,
  readObject,
  readWord,
  textProblem,
} from "./problems";
import { readCheck, type ParsedCheck } from "./read-check";
import { readGoals, type StoredGoals } from "./read-goals";
import { plannedInputs, type RestoreKind } from "./restore-table";
import { timeProblem } from "./read-values";

/** A plan with valid arguments: durations in seconds, defaults filled in, unknown values as given. */
export interface ParsedPlan {
  readonly run: unknown;
  readonly kind: PlanKind;
  readonly goals?: StoredGoals;
  readonly wholeGoals?: StoredGoals;
  readonly waves: readonly ParsedWave[];
  readonly onFailure: "stop" | "continue";
  readonly onMissedGoal: "fail" | "warn";
  readonly incidentAt?: unknown;
  readonly notes?: Properties;
}

export interface ParsedWave {
  readonly name: string;
  readonly goals?: StoredGoals;
  readonly restores: readonly ParsedRestore[];
  /** As given: resources, or a function. It is no data, and no part of what is stored or compared. */
  readonly dependsOn?: unknown;
}

interface ReadPlanContext extends ReadContext {
  /** Reports what is wrong with a wave's `dependsOn`. Absent in the plugin: neither a function nor a resource gets there from another process. */
  readonly checkDependsOn?: (value: unknown, path: string, problems: Problems) => void;
}

export interface ParsedRestore {
  readonly name: string;
  readonly kind: RestoreKind;
  /** The inputs of the VmRestore or FileRestore. One without a point or a rule has the rule of its wave or plan. */
  readonly inputs: Properties;
  readonly recoveryPointTakenAt?: unknown;
  readonly goals?: StoredGoals;
  readonly checks: readonly (ParsedCheck & { readonly given: unknown })[];
}

const planProperties = [
  "run",
  "kind",
  "goals",
  "wholeGoals",
  "recoveryPoint",
  "waves",
  "onFailure",
  "onMissedGoal",
  "incidentAt",
  "notes",
] as const;
const noteNames = ["scenario", "owner", "approver", "reference"] as const;
const planOnlyProperties = ["recoveryPointTakenAt", "goals", "checks"] as const;
/** Reads the arguments of a plan. If there is any problem, the result is undefined. */
export function readPlan(args: unknown, context: ReadPlanContext): ParsedPlan | undefined {
  const given = readObject(args, "", planProperties, context);
  if (given === undefined) return undefined;
  const { problems } = context;
  const optional = <Value>(name: string, read: (value: unknown, path: string) => Value): Value | undefined =>
    given[name] === undefined || given[name] === null ? undefined : read(given[name], name);

  checkLeaf(given["run"], "run", (value) => textProblem(value, 200), context);
  optional("incidentAt", (value, path) => {
    checkLeaf(value, path, timeProblem, context);
  });
  const notes = optional("notes", (value, path) => readNotes(value, path, context));
  const word = <Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word =>
    optional(name, (value, path) => readWord(value, path, words, context)) ?? words[0];
  const goals = readGoals(given["goals"], "goals", context);
  const wholeGoals = readGoals(given["wholeGoals"], "wholeGoals", context, ["recoveryTime"]);
  const kind = word("kind", ["drill", "recovery"]);
  const onFailure = word("onFailure", ["stop", "continue"]);
  const onMissedGoal = word("onMissedGoal", ["fail", "warn"]);
  const rule = readOptionalRule(given["recoveryPoint"], "", context);
  const waves = readWaves(given["waves"], rule, context);
  // The return comes after all reading, so that every problem is reported.
  if (waves === undefined || problems.all.length > 0) return undefined;
  return {
    run: given["run"],
    kind,
    ...(goals && { goals }),
    ...(wholeGoals && { wholeGoals }),
    waves,
    onFailure,
    onMissedGoal,
    ...(isGiven(given["incidentAt"]) && { incidentAt: given["incidentAt"] }),
    ...(notes && { notes }),
  };
}

function checkLeaf(
  value: unknown,
  path: string,
  problemOf: (value: unknown) => string | undefined,
  { isUnknown, problems }: ReadContext,
): void {
  const problem = isUnknown(value) ? undefined : problemOf(value);
  if (problem !== undefined) problems.add(path, problem);
}

function readNotes(value: unknown, path: string, context: ReadContext): Properties | undefined {
  const given = readObject(value, path, noteNames, context);
  if (given === undefined) return undefined;
  const notes = noteNames.filter((name) => isGiven(given[name]));
  for (const name of notes) checkLeaf(given[name], childPath(path, name), (text) => textProblem(text, 2_000), context);
  return Object.fromEntries(notes.map((name) => [name, given[name]]));
}

/** Reads the rule for restores that have no point and no nearer rule. */
function readOptionalRule(value: unknown, path: string, context: ReadContext): unknown {
  return isGiven(value) ? readInput("recoveryPoint", value, path, context) : undefined;
}

function readWaves(value: unknown, ruleOfPlan: unknown, context: ReadPlanContext): readonly ParsedWave[] | undefined {
  if (context.isUnknown(value)) {
    reportUnknown("waves", context);
    return undefined;
  }
  if (!Array.isArray(value)) {
    context.problems.add("waves", ` is ${showValue(value)}: give a list of waves`);
    return undefined;
  }
  if (value.length === 0) {
    context.problems.add("waves", " is empty: give at least one wave");
    return undefined;
  }
  const names = new Map<string, string>();
  const restoreNames = new Map<string, string>();
  return (value as readonly unknown[]).flatMap((wave, index) => {
    const path = childPath("waves", index);
    if (context.isUnknown(wave)) {
      reportUnknown(path, context);
      return [];
    }
    const given = readObject(wave, path, ["name", "goals", "recoveryPoint", "restores", "dependsOn"], context);
    if (given === undefined) return [];
    const name = given["name"];
    checkUniqueName(name, childPath(path, "name"), names, context);
    const goals = readGoals(given["goals"], childPath(path, "goals"), context);
    const rule = readOptionalRule(given["recoveryPoint"], path, context) ?? ruleOfPlan;
    const restores = readRestores(given["restores"], childPath(path, "restores"), restoreNames, rule, context);
    const { dependsOn } = given;
    if (isGiven(dependsOn)) checkDependsOn(dependsOn, childPath(path, "dependsOn"), context);
    return [
      {
        name: typeof name === "string" ? name : "",
        ...(goals && { goals }),
        restores: restores ?? [],
        ...(isGiven(dependsOn) && { dependsOn }),
      },
    ];
  });
}

function checkDependsOn(value: unknown, path: string, { checkDependsOn: check, problems }: ReadPlanContext): void {
  if (check !== undefined) check(value, path, problems);
  else problems.add(path, " is for programs in TypeScript and JavaScript: make two plans, the second with dependsOn");
}

/**
 * Requires a name to be unique in the plan, whatever its case: two rows that differ in one capital letter are easily
 * mixed up at night.
 */
function checkUniqueName(value: unknown, path: string, taken: Map<string, string>, context: ReadContext): void {
  if (context.isUnknown(value)) {
    reportUnknown(path, context);
    return;
  }
  const problem = nameProblem(value);
  if (problem !== undefined) {
    context.problems.add(path, problem);
    return;
  }
  const spelled = typeof value === "string" ? value.toLowerCase() : "";
  const before = taken.get(spelled);
  if (before === undefined) taken.set(spelled, path);
  else
    context.problems.add(
      path,
      ` is taken: names are unique in a plan, whatever their case, and ${before} has it already`,
    );
}

function readRestores(
  value: unknown,
  path: string,
  names: Map<string, string>,
  rule: unknown,
  context: ReadContext,
): readonly ParsedRestore[] | undefined {
  if (context.isUnknown(value)) {
    reportUnknown(path, context);
    return undefined;
  }
  const given = readPlainObject(value, path, "an object of restores by their names", context.problems);
  if (given === undefined) return undefined;
  const entries = Object.entries(given);
  return entries.flatMap(([name, restore]) => {
    const own = childPath(path, name);
    checkUniqueName(name, own, names, context);
    if (context.isUnknown(restore)) {
      reportUnknown(own, context);
      return [];
    }
    const read = readRestore(name, restore, own, rule, context);
    return read === undefined ? [] : [read];
  });
}

function readRestore(
  name: string,
  value: unknown,
  path: string,
  nearestRule: unknown,
  context: ReadContext,
): ParsedRestore | undefined {
  if (typeof value === "object" && value !== null && isGiven((value as Properties)["wait"])) {
    context.problems.add(
      childPath(path, "wait"),
      " does not apply in a plan, whose waves wait for their restores: leave it out",
    );
  }
  const given = readObject(value, path, [...plannedInputs, ...planOnlyProperties, "wait"], context);
  if (given === undefined) return undefined;
  const own = Object.fromEntries(
    plannedInputs.flatMap((input) => (isGiven(given[input]) ? [[input, given[input]]] : [])),
  );
  const hasPoint = isGiven(own["recoveryPointId"]) || isGiven(own["recoveryPoint"]);
  const inputs: Properties = hasPoint || nearestRule === undefined ? own : { ...own, recoveryPoint: nearestRule };
  const kind = isGiven(given["paths"]) ? "FileRestore" : "VmRestore";
  readRestoreInputs(kind, own, path, context);
  // Unknown values count too: point or rule has to be decided before the run.
  checkOnePoint(inputs, path, { ...context, isUnknown: () => false });
  if (isGiven(given["recoveryPointTakenAt"])) {
    const stamp = childPath(path, "recoveryPointTakenAt");
    checkLeaf(given["recoveryPointTakenAt"], stamp, timeProblem, context);
    if (isGiven(inputs["recoveryPoint"])) {
      context.problems.add(stamp, " is given beside a rule, which takes the time from the panel's list: leave it out");
    }
  }
  const goals = readGoals(given["goals"], childPath(path, "goals"), context);
  return {
    name,
    kind,
    inputs,
    ...(isGiven(given["recoveryPointTakenAt"]) && { recoveryPointTakenAt: given["recoveryPointTakenAt"] }),
    ...(goals && { goals }),
    checks: readChecks(given["checks"], childPath(path, "checks"), context),
  };
}

const maxChecks = 20;

function readChecks(value: unknown, path: string, context: ReadContext): ParsedRestore["checks"] {
  if (!isGiven(value)) return [];
  if (context.isUnknown(value)) {
    reportUnknown(path, context);
    return [];
  }
  if (!Array.isArray(value)) {
    context.problems.add(path, ` is ${showValue(value)}: give a list of checks`);
    return [];
  }
  if (value.length > maxChecks) {
    context.problems.add(path, ` has ${String(value.length)} checks, but at most ${String(maxChecks)} are allowed`);
    return [];
  }
  return (value as readonly unknown[]).flatMap((given, index) => {
    const own = childPath(path, index);
    if (context.isUnknown(given)) {
      reportUnknown(own, context);
      return [];
    }
    const check = readCheck(given, own, context);
    return check === undefined ? [] : [{ ...check, given: omit(given as Properties, "name") }];
  });
}

/** Names become part of resource names and of rows that somebody reads at night. */
const namePattern = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u;

export function nameProblem(value: unknown): string | undefined {
  if (typeof value === "string" && namePattern.test(value)) {
    // Restores are properties of an object. The SDK hangs on an object with its own `toString`.
    return value in Object.prototype
      ? ` is ${showValue(value)}, a name that every JavaScript object has: choose another one`
      : undefined;
  }
  const wrong = isGiven(value) ? ` is ${showValue(value)}, which is not a name` : " is missing";
  return `${wrong}: give up to 60 letters, digits, spaces, ".", "-" and "_"; the first and the last must be a letter or a digit`;
}

export type PlanKind = "drill" | "recovery";
