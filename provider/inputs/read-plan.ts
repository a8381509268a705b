import type { Properties } from "../plain/plain";
import { showValue } from "../plain/text";
import { onePoint, readGiven, readRestoreInputs } from "./check-restore";
import { at, isGiven, mustBePlain, propertiesOf, type Reader, readObject, readWord, textProblem } from "./problems";
import { readCheck, type ReadCheck } from "./read-check";
import { readGoals, type StoredGoals } from "./read-goals";
import { plannedInputs, type RestoreKind } from "./restore-table";
import { stampProblem } from "./rules";

/** A plan whose arguments can be right: durations in seconds, defaults filled in, values that are not there yet left as they are. */
export interface ReadPlan {
  readonly run: unknown;
  readonly kind: PlanKind;
  readonly goals?: StoredGoals;
  readonly wholeGoals?: StoredGoals;
  readonly waves: readonly ReadWave[];
  readonly onFailure: "stop" | "continue";
  readonly onMissedGoal: "fail" | "warn";
  readonly incidentAt?: unknown;
  readonly notes?: Properties;
}

export interface ReadWave {
  readonly name: string;
  readonly goals?: StoredGoals;
  readonly restores: readonly ReadRestore[];
}

export interface ReadRestore {
  readonly name: string;
  readonly kind: RestoreKind;
  /** The inputs of the VmRestore or FileRestore, as given; without a point of its own, the rule of its wave or of the plan. */
  readonly inputs: Properties;
  readonly recoveryPointTakenAt?: unknown;
  readonly goals?: StoredGoals;
  readonly checks: readonly (ReadCheck & { readonly given: unknown })[];
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
const ownProperties = ["recoveryPointTakenAt", "goals", "checks"] as const;
/** Reads the arguments of a plan. The result is to be used only when no problem was found. */
export function readPlan(args: unknown, reader: Reader): ReadPlan | undefined {
  const given = readObject(args, "", planProperties, reader);
  if (given === undefined) return undefined;
  const { problems } = reader;
  const optional = <Value>(name: string, read: (value: unknown, path: string) => Value): Value | undefined =>
    given[name] === undefined || given[name] === null ? undefined : read(given[name], name);

  leaf(given["run"], "run", (value) => textProblem(value, 200), reader);
  optional("incidentAt", (value, path) => {
    leaf(value, path, stampProblem, reader);
  });
  const notes = optional("notes", (value, path) => readNotes(value, path, reader));
  const word = <Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word =>
    optional(name, (value, path) => readWord(value, path, words, reader)) ?? words[0];
  const goals = readGoals(given["goals"], "goals", reader);
  const wholeGoals = readGoals(given["wholeGoals"], "wholeGoals", reader, ["recoveryTime"]);
  const kind = word("kind", ["drill", "recovery"]);
  const onFailure = word("onFailure", ["stop", "continue"]);
  const onMissedGoal = word("onMissedGoal", ["fail", "warn"]);
  const rule = readRule(given["recoveryPoint"], "", reader);
  const waves = readWaves(given["waves"], rule, reader);
  // Only now: every problem is told, not the first one alone.
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

function leaf(
  value: unknown,
  path: string,
  problemOf: (value: unknown) => string | undefined,
  { isOpen, problems }: Reader,
): void {
  const problem = isOpen(value) ? undefined : problemOf(value);
  if (problem !== undefined) problems.add(path, problem);
}

function readNotes(value: unknown, path: string, reader: Reader): Properties | undefined {
  const given = readObject(value, path, noteNames, reader);
  if (given === undefined) return undefined;
  const notes = noteNames.filter((name) => isGiven(given[name]));
  for (const name of notes) leaf(given[name], at(path, name), (text) => textProblem(text, 2_000), reader);
  return Object.fromEntries(notes.map((name) => [name, given[name]]));
}

/** By what the points are chosen of all restores that have none of their own, and no nearer rule. */
function readRule(value: unknown, path: string, reader: Reader): unknown {
  return isGiven(value) ? readGiven("recoveryPoint", value, path, reader) : undefined;
}

function readWaves(value: unknown, ruleOfPlan: unknown, reader: Reader): readonly ReadWave[] | undefined {
  if (reader.isOpen(value)) {
    mustBePlain("waves", reader);
    return undefined;
  }
  if (!Array.isArray(value)) {
    reader.problems.add("waves", ` is ${showValue(value)}: give a list of waves`);
    return undefined;
  }
  if (value.length === 0) {
    reader.problems.add("waves", " is empty: give at least one wave");
    return undefined;
  }
  const names = new Map<string, string>();
  const restoreNames = new Map<string, string>();
  return (value as readonly unknown[]).flatMap((wave, index) => {
    const path = at("waves", index);
    if (reader.isOpen(wave)) {
      mustBePlain(path, reader);
      return [];
    }
    const given = readObject(wave, path, ["name", "goals", "recoveryPoint", "restores"], reader);
    if (given === undefined) return [];
    const name = given["name"];
    takeName(name, at(path, "name"), names, reader);
    const goals = readGoals(given["goals"], at(path, "goals"), reader);
    const rule = readRule(given["recoveryPoint"], path, reader) ?? ruleOfPlan;
    const restores = readRestores(given["restores"], at(path, "restores"), restoreNames, rule, reader);
    return [{ name: typeof name === "string" ? name : "", ...(goals && { goals }), restores: restores ?? [] }];
  });
}

/** A name once in the plan, whatever its case: two rows that differ in one capital letter are mixed up at night. */
function takeName(value: unknown, path: string, taken: Map<string, string>, reader: Reader): void {
  if (reader.isOpen(value)) {
    mustBePlain(path, reader);
    return;
  }
  const problem = nameProblem(value);
  if (problem !== undefined) {
    reader.problems.add(path, problem);
    return;
  }
  const spelled = typeof value === "string" ? value.toLowerCase() : "";
  const before = taken.get(spelled);
  if (before === undefined) taken.set(spelled, path);
  else reader.problems.add(path, ` is taken: names are unique in a plan, and ${before} has it already`);
}

function readRestores(
  value: unknown,
  path: string,
  names: Map<string, string>,
  rule: unknown,
  reader: Reader,
): readonly ReadRestore[] | undefined {
  if (reader.isOpen(value)) {
    mustBePlain(path, reader);
    return undefined;
  }
  const given = propertiesOf(value, path, "an object of restores by their names", reader.problems);
  if (given === undefined) return undefined;
  const entries = Object.entries(given);
  if (entries.length === 0) {
    reader.problems.add(path, " is empty: give at least one restore");
    return undefined;
  }
  return entries.flatMap(([name, restore]) => {
    const own = at(path, name);
    takeName(name, own, names, reader);
    if (reader.isOpen(restore)) {
      mustBePlain(own, reader);
      return [];
    }
    const read = readRestore(name, restore, own, rule, reader);
    return read === undefined ? [] : [read];
  });
}

function readRestore(
  name: string,
  value: unknown,
  path: string,
  nearestRule: unknown,
  reader: Reader,
): ReadRestore | undefined {
  if (typeof value === "object" && value !== null && isGiven((value as Properties)["wait"])) {
    reader.problems.add(at(path, "wait"), " is nothing that a restore of a plan has: its wave waits for it");
  }
  const given = readObject(value, path, [...plannedInputs, ...ownProperties, "wait"], reader);
  if (given === undefined) return undefined;
  const own = Object.fromEntries(
    plannedInputs.flatMap((input) => (isGiven(given[input]) ? [[input, given[input]]] : [])),
  );
  const hasPoint = isGiven(own["recoveryPointId"]) || isGiven(own["recoveryPoint"]);
  const inputs: Properties = hasPoint || nearestRule === undefined ? own : { ...own, recoveryPoint: nearestRule };
  const kind = isGiven(given["paths"]) ? "FileRestore" : "VmRestore";
  readRestoreInputs(kind, own, path, reader);
  // Also of outputs: which of the two holds has to be known before the run.
  onePoint(inputs, path, { ...reader, isOpen: () => false });
  if (isGiven(given["recoveryPointTakenAt"])) {
    const stamp = at(path, "recoveryPointTakenAt");
    leaf(given["recoveryPointTakenAt"], stamp, stampProblem, reader);
    if (isGiven(inputs["recoveryPoint"])) {
      reader.problems.add(
        stamp,
        " is given beside a rule: recoveryPoint takes the time from the panel's list, so leave it out",
      );
    }
  }
  const goals = readGoals(given["goals"], at(path, "goals"), reader);
  return {
    name,
    kind,
    inputs,
    ...(isGiven(given["recoveryPointTakenAt"]) && { recoveryPointTakenAt: given["recoveryPointTakenAt"] }),
    ...(goals && { goals }),
    checks: readChecks(given["checks"], at(path, "checks"), reader),
  };
}

const mostChecks = 20;

function readChecks(value: unknown, path: string, reader: Reader): ReadRestore["checks"] {
  if (!isGiven(value)) return [];
  if (reader.isOpen(value)) {
    mustBePlain(path, reader);
    return [];
  }
  if (!Array.isArray(value)) {
    reader.problems.add(path, ` is ${showValue(value)}: give a list of checks`);
    return [];
  }
  if (value.length > mostChecks) {
    reader.problems.add(path, ` has ${String(value.length)} checks, but at most ${String(mostChecks)} are made`);
    return [];
  }
  return (value as readonly unknown[]).flatMap((given, index) => {
    const own = at(path, index);
    if (reader.isOpen(given)) {
      mustBePlain(own, reader);
      return [];
    }
    const check = readCheck(given, own, reader);
    return check === undefined ? [] : [{ ...check, given }];
  });
}

/** Names become part of the names of resources, and rows that somebody reads at night. */
const name = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u;

export function nameProblem(value: unknown): string | undefined {
  if (typeof value === "string" && name.test(value)) {
    // Restores are an object by their names. The SDK cannot write out one that has its own `toString`: the program stands still.
    return value in Object.prototype
      ? ` is ${showValue(value)}, a name that every object of JavaScript has: give another one`
      : undefined;
  }
  return ` is ${showValue(value)}, which is no name: give up to 60 letters, digits, spaces, ".", "-" and "_", the first and last a letter or a digit`;
}

export type PlanKind = "drill" | "recovery";
