import { isObject, type Properties, withoutUndefined } from "../plain/plain";
import { inputNamed, type InputName, inputNames, isInput, isInputOf, type RestoreKind } from "./restore-table";
import { closestName, containsUnknown, type Reading } from "./rules";

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

export interface CheckResult {
  readonly inputs: Properties;
  readonly failures: CheckFailure[];
}

/** Properties that the program's side adds by itself and that pass as they are. */
const passing: ReadonlySet<string> = new Set(["intent", "__provider"]);

/**
 * `check` of a restore: inputs in the one spelling that is stored and compared, and a failure for each that cannot be
 * right. The engine calls it in the preview, so a mistake is told before anything is overwritten. What is not known yet,
 * or holds something that is not, is left alone: the real run checks it again.
 */
export function checkRestore(kind: RestoreKind): (olds: unknown, news: unknown) => CheckResult {
  return (_olds, news) => {
    const given = isObject(news) ? news : {};
    const inputs: Record<string, unknown> = {};
    const failures: CheckFailure[] = [];
    for (const property of inputsOf(kind)) {
      const value = given[property] ?? undefined;
      if (value === undefined && !inputNamed(property).required) continue;
      const reading = value === undefined ? { problem: " is missing" } : readNew(property, value);
      if ("problem" in reading) failures.push({ property, reason: `${property}${reading.problem}` });
      put(inputs, property, "problem" in reading ? value : reading.value);
    }
    for (const property of Object.keys(given)) {
      if (passing.has(property)) put(inputs, property, given[property]);
      else if (!isInput(property) || !isInputOf(kind, property)) {
        failures.push({ property, reason: unknownName(kind, property) });
      }
    }
    return { inputs, failures };
  };
}

/**
 * `check` of an intent: accepts everything, so that an error names the restore the user wrote. What can be
 * normalised is, or an id written `42` in one run and `"42"` in the next would replace the intent.
 */
export function checkIntent(_olds: unknown, news: unknown): CheckResult {
  const inputs: Record<string, unknown> = {};
  for (const [property, value] of Object.entries(isObject(news) ? news : {})) {
    const reading = isInput(property) ? readNew(property, value) : { value };
    put(inputs, property, "problem" in reading ? value : reading.value);
  }
  return { inputs, failures: [] };
}

function inputsOf(kind: RestoreKind): readonly InputName[] {
  return inputNames.filter((name) => isInputOf(kind, name));
}

/** What is not known yet is left as it is. */
function readNew(property: InputName, value: unknown): Reading<unknown> {
  const { read, readNew: asked = read } = inputNamed(property);
  return containsUnknown(value) ? { value } : asked(value);
}

function unknownName(kind: RestoreKind, property: string): string {
  if (property === "paths") return "a VmRestore restores the whole machine and has no paths: use a FileRestore";
  return `a ${kind} has no input of this name${closestName(property, inputsOf(kind))}`;
}

/** The engine's protocol has no `undefined`: a result that holds one, at any depth, is lost with an error that names nothing. */
function put(inputs: Record<string, unknown>, property: string, value: unknown): void {
  const plain = withoutUndefined(value);
  if (plain === undefined || plain === null) return;
  Object.defineProperty(inputs, property, { value: plain, enumerable: true, writable: true, configurable: true });
}
