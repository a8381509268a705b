import { messageText } from "../plain/message";
import { entriesOf, isObject, type Properties, omitUndefinedDeep } from "../plain/plain";
import { childPath, type CheckFailure, didYouMean, isGiven, Problems, type ReadContext } from "./problems";
import { nameInUrn } from "./resource-names";
import { inputNamed, type InputName, inputNames, inputsOf, isInput, type RestoreKind } from "./restore-table";
import { containsUnknown, readId, unknownString } from "./read-values";
import { ConfigurationError, howToAllow } from "./settings";

export type { CheckFailure };

export interface CheckResult {
  readonly inputs: Record<string, unknown>;
  readonly failures: CheckFailure[];
}

/**
 * The `check` for a restore. Returns the inputs in the form that is stored and compared, and a failure for each invalid input. The engine calls `check` in the
 * preview, so a mistake is reported before anything is overwritten. Unknown values are skipped, because the real run checks them again.
 */
export function checkRestore(kind: RestoreKind): (olds: unknown, news: unknown) => CheckResult {
  return (_olds, news) => {
    const given = isObject(news) ? news : {};
    const problems = new Problems();
    const context = { isUnknown: containsUnknown, problems };
    const chosen = choiceAsInputs(given);
    const own = chosen === undefined ? given : { ...given, recoveryPointId: undefined };
    const read = readRestoreInputs(kind, own, "", context);
    checkOnePoint(own, "", context);
    // Internal properties, which users do not set, are passed on unchanged.
    const internal = Object.entries(given).filter(([name]) => name.startsWith("__"));
    const known: readonly string[] = [...inputsOf(kind, inputNames), ...Object.keys(chosen ?? {})];
    const unknown = Object.keys(given).filter((name) => !name.startsWith("__") && !known.includes(name));
    const failures = [
      ...problems.all,
      ...unwaitedProblems(given["__previous"]),
      ...unknown.map((property) => ({ property, reason: unknownNameReason(kind, property) })),
    ];
    return { inputs: givenOnly([...read, ...Object.entries(chosen ?? {}), ...internal]), failures };
  };
}

/** Rejects a restore if the previous restore of its machine has `wait: false`: that restore may still be running, and nobody would see its end. */
function unwaitedProblems(previous: unknown): CheckFailure[] {
  if (!isObject(previous) || previous["wait"] !== false) return [];
  const name = `"${nameInUrn(String(previous["urn"]))}"`;
  const reason =
    `the previous restore of its machine, ${name}, has wait: false, so this run would not see it end, and this restore was not sent. ` +
    `Remove wait: false from ${name}.`;
  // No property is named, because the engine would print its value.
  return [{ property: "", reason }];
}

/**
 * The point that the rule chose, as inputs. A preview knows the point as soon as it knows the intent. The program passes on a choice only if it sets a rule and
 * no id, so an id here was put back by the engine (`ignoreChanges`).
 */
function choiceAsInputs({ recoveryPoint, __intent: intent }: Properties): Properties | undefined {
  if (!isGiven(recoveryPoint) || !isObject(intent) || !isGiven(intent.choice)) return undefined;
  const { choice, madeFor } = intent;
  const isKnown = isObject(choice) && isObject(madeFor);
  return {
    recoveryPointId: isKnown ? madeFor.recoveryPointId : unknownString,
    recoveryPointTakenAt: isKnown ? choice.recoveryPointTakenAt : unknownString,
  };
}

/** Reads the inputs that this kind of restore has, and ignores other properties. An invalid value is returned as given. */
export function readRestoreInputs(
  kind: RestoreKind,
  given: Properties,
  path: string,
  context: ReadContext,
): readonly (readonly [InputName, unknown])[] {
  return inputsOf(kind, inputNames).flatMap((name) => {
    const value = given[name];
    if (isGiven(value)) return [[name, readInput(name, value, path, context)]];
    if (inputNamed(name).required) context.problems.add(childPath(path, name), " is missing");
    return [];
  });
}

/** Reads one given input. An invalid value is returned as given. */
export function readInput(
  name: InputName,
  value: unknown,
  path: string,
  { isUnknown, problems }: ReadContext,
): unknown {
  const reading = holdsUnknown(value, isUnknown) ? { value } : inputNamed(name).read(value);
  if ("value" in reading) return reading.value;
  problems.add(childPath(path, name), reading.problem);
  return value;
}

/** Requires a point or a rule, but not both. An unknown value may turn out to be absent. */
export function checkOnePoint(
  { recoveryPointId, recoveryPoint }: Properties,
  path: string,
  { isUnknown, problems }: ReadContext,
): void {
  const [hasId, hasRule] = [isGiven(recoveryPointId), isGiven(recoveryPoint)];
  if (!hasId && !hasRule)
    problems.add(childPath(path, "recoveryPointId"), " is missing: set it, or a rule in recoveryPoint");
  if (!hasId || !hasRule || isUnknown(recoveryPointId) || isUnknown(recoveryPoint)) return;
  problems.add(childPath(path, "recoveryPoint"), " and recoveryPointId are both set: set only one");
}

/**
 * The `check` for an intent. It accepts everything, so that errors name the restore. Valid values are normalized, because an id written `42` in one run and
 * `"42"` in the next must not replace the intent.
 */
export function checkIntent(_olds: unknown, news: unknown): CheckResult {
  const inputs = entriesOf(news).map(([property, value]) => {
    const reading = isInput(property) && !containsUnknown(value) ? inputNamed(property).read(value) : { value };
    return [property, "problem" in reading ? value : reading.value] as const;
  });
  return { inputs: givenOnly(inputs), failures: [] };
}

/** True if plain data contains an unknown value. Other objects, such as resources, are not searched, because they may refer to themselves. */
function holdsUnknown(value: unknown, isUnknown: ReadContext["isUnknown"]): boolean {
  if (isUnknown(value)) return true;
  const isPlain = Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype);
  return isPlain && Object.values(value as object).some((inner) => holdsUnknown(inner, isUnknown));
}

function unknownNameReason(kind: RestoreKind, property: string): string {
  if (property === "paths") return "a VmRestore restores the whole machine and has no paths: use a FileRestore";
  return `a ${kind} has no input with this name${didYouMean(property, inputsOf(kind, inputNames))}`;
}

/** The engine's protocol has no `undefined`: a result that contains it is lost, and the error does not say where it was. */
function givenOnly(inputs: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const plain = inputs.map(([name, value]) => [name, omitUndefinedDeep(value)] as const);
  return Object.fromEntries(plain.filter(([, value]) => isGiven(value)));
}

/** The part of the provider process that knows which machines may be restored. */
interface KnowsAllowed {
  readonly whyNotAllowed: (machine: string) => string | undefined;
}

/** Adds a failure to the result of a restore's `check` if the machine may not be restored. An unknown machine is checked once its id is known. */
export function checkAllowed(process: KnowsAllowed, { inputs, failures }: CheckResult): CheckResult {
  const property = "virtualMachineId";
  const why = whyRefused(process, inputs[property]);
  return {
    inputs,
    failures: why === undefined ? failures : [...failures, { property, reason: `${property}: ${why}` }],
  };
}

/** Why a machine is rejected, or undefined if it is not. A value that is not an id is reported separately. */
export function whyRefused(process: KnowsAllowed, machine: unknown, notDone = "nothing was sent"): string | undefined {
  if (containsUnknown(machine)) return undefined;
  const reading = readId(machine);
  if ("problem" in reading) return undefined;
  try {
    const why = process.whyNotAllowed(reading.value);
    if (why === undefined) return undefined;
    return messageText({ what: `${notDone}: ${why}`, next: howToAllow, help: "machines" });
  } catch (error) {
    // Settings that are unknown or were not passed are reported when the intent is created.
    return error instanceof ConfigurationError ? error.message : undefined;
  }
}
