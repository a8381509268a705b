import { isObject, withoutUndefined } from "../plain/plain";
import type { RestoreKind } from "./intent";
import {
  closestName,
  containsUnknown,
  readAdopt,
  readCaptureLog,
  readCustomTimeouts,
  readFlag,
  readId,
  type Reading,
  readPaths,
  readTimeouts,
  readTriggers,
  withoutLeadingZeros,
  withPrintablePaths,
} from "./rules";

type Properties = Record<string, unknown>;

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

export interface CheckResult {
  readonly inputs: Properties;
  readonly failures: CheckFailure[];
}

interface Rule {
  readonly required: boolean;
  readonly read: (value: unknown) => Reading<unknown>;
}

const required = (read: Rule["read"]): Rule => ({ required: true, read });
const optional = (read: Rule["read"]): Rule => ({ required: false, read });

const vmRestoreRules: Readonly<Record<string, Rule>> = {
  virtualMachineId: required(withoutLeadingZeros(readId)),
  recoveryPointId: required(withoutLeadingZeros(readId)),
  triggers: optional(readTriggers),
  timeouts: optional(readTimeouts),
  wait: optional(readFlag),
  adopt: optional(withoutLeadingZeros(readAdopt)),
  retryFailed: optional(readFlag),
  captureLog: optional(readCaptureLog),
  customTimeouts: optional(readCustomTimeouts),
};

const rules: Readonly<Record<RestoreKind, Readonly<Record<string, Rule>>>> = {
  VmRestore: vmRestoreRules,
  FileRestore: { ...vmRestoreRules, paths: required(withPrintablePaths(readPaths)) },
};

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
    const inputs: Properties = {};
    const failures: CheckFailure[] = [];
    for (const [property, { required: needed, read }] of Object.entries(rules[kind])) {
      const value = given[property] ?? undefined;
      if (value === undefined && !needed) continue;
      const reading =
        value === undefined ? { problem: " is missing" } : containsUnknown(value) ? { value } : read(value);
      if ("problem" in reading) failures.push({ property, reason: `${property}${reading.problem}` });
      put(inputs, property, "problem" in reading ? value : reading.value);
    }
    for (const property of Object.keys(given)) {
      if (passing.has(property)) put(inputs, property, given[property]);
      else if (!Object.hasOwn(rules[kind], property)) {
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
  const inputs: Properties = {};
  for (const [property, value] of Object.entries(isObject(news) ? news : {})) {
    const rule = Object.hasOwn(rules.FileRestore, property) ? rules.FileRestore[property] : undefined;
    const reading = rule === undefined || containsUnknown(value) ? { value } : rule.read(value);
    put(inputs, property, "problem" in reading ? value : reading.value);
  }
  return { inputs, failures: [] };
}

function unknownName(kind: RestoreKind, property: string): string {
  if (property === "paths") return "a VmRestore restores the whole machine and has no paths: use a FileRestore";
  return `a ${kind} has no input of this name${closestName(property, Object.keys(rules[kind]))}`;
}

/** The engine's protocol has no `undefined`: a result that holds one, at any depth, is lost with an error that names nothing. */
function put(inputs: Properties, property: string, value: unknown): void {
  const plain = withoutUndefined(value);
  if (plain === undefined || plain === null) return;
  Object.defineProperty(inputs, property, { value: plain, enumerable: true, writable: true, configurable: true });
}
