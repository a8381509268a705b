import { type Properties, deepEqual } from "../plain/plain";
import { readPointRule } from "./read-point-rule";
import { type ValueReader, readBoolean } from "./problems";
import {
  readAdopt,
  readCaptureLog,
  readCustomTimeouts,
  readId,
  readPaths,
  readTimeouts,
  readTriggers,
  rejectingLeadingZeros,
} from "./read-values";

export type RestoreKind = "VmRestore" | "FileRestore";

/** One input of a restore. Its check, typed form, comparison, output and place in a plan are derived from this row. */
interface RestoreInput {
  /** Returns the form in which the value is stored, which is itself valid input. */
  readonly read: ValueReader<unknown>;
  readonly required?: true;
  /** The only kind of restore that has this input. */
  readonly only?: RestoreKind;
  /** True if the input is derived from one of Pulumi's options, rather than set by the program. */
  readonly fromOption?: true;
  /** True if a restore in a plan does not have this input. */
  readonly notInPlans?: true;
  /**
   * For an input that, if changed, makes this a different restore: the canonical form, equal for all values that mean the same restore. Accepts any value,
   * because a state may have been edited.
   */
  readonly canonical?: (value: unknown) => unknown;
  /** Never stored, so that a release with another default leaves every state unchanged. */
  readonly default?: unknown;
}

/** Sorted, because the order of paths does not matter: a glob or a directory listing has no fixed order. */
const sortedPaths = (paths: unknown): unknown =>
  Array.isArray(paths) ? [...(paths as readonly unknown[])].sort() : paths;

const normalizedRule = (rule: unknown): unknown => {
  const reading = readPointRule(rule);
  return "value" in reading ? reading.value : rule;
};

const id = { read: rejectingLeadingZeros(readId), canonical: (given: unknown): unknown => given };

/** Every input of a restore. `program/restores.ts` documents each. */
const inputTable = {
  virtualMachineId: { ...id, required: true },
  // `check-restore.ts` requires exactly one of the next two.
  recoveryPointId: id,
  recoveryPoint: { read: readPointRule, canonical: normalizedRule },
  paths: { only: "FileRestore", read: readPaths, required: true, canonical: sortedPaths },
  triggers: { read: readTriggers, canonical: (triggers: unknown) => triggers ?? [] },
  timeouts: { read: readTimeouts },
  wait: { read: readBoolean, default: true, notInPlans: true },
  adopt: { read: readAdopt },
  retryFailed: { read: readBoolean, default: true },
  captureLog: { read: readCaptureLog, default: "onFailure" },
  customTimeouts: { read: readCustomTimeouts, fromOption: true },
} as const satisfies Readonly<Record<string, RestoreInput>>;

type InputTable = typeof inputTable;
export type InputName = keyof InputTable;
type ValueOf<Name extends InputName> = InputTable[Name]["read"] extends ValueReader<infer Value> ? Value : never;
/** The names of the inputs whose rows in the table have this property. */
type NamesWith<Property extends string> = {
  [Name in InputName]: InputTable[Name] extends Readonly<Record<Property, unknown>> ? Name : never;
}[InputName];

/** The inputs that have a default. */
export type OptionalInputs = { readonly [Name in NamesWith<"default">]: ValueOf<Name> };

/** The inputs that, together with the kind, identify a restore. */
export type DecidingValues = { readonly [Name in "virtualMachineId"]: ValueOf<Name> } & {
  readonly [Name in Exclude<NamesWith<"canonical">, "virtualMachineId">]?: ValueOf<Name>;
};

/** An input's row in the table. */
export const inputNamed = (name: InputName): RestoreInput => inputTable[name];

export const inputNames = Object.keys(inputTable) as readonly InputName[];

export const decidingInputs = inputNames.filter(
  (name) => inputNamed(name).canonical,
) as readonly NamesWith<"canonical">[];

/** The inputs that a program sets. */
export const writtenInputs = inputNames.filter((name) => !inputNamed(name).fromOption);

/** The inputs that a program sets for a restore in a plan. */
export const plannedInputs = writtenInputs.filter((name) => !inputNamed(name).notInPlans);

/** Selects the inputs that restores of this kind have. */
export const inputsOf = <Name extends InputName>(kind: RestoreKind, names: readonly Name[]): readonly Name[] =>
  names.filter((name) => (inputNamed(name).only ?? kind) === kind);

export function isInput(name: string): name is InputName {
  return Object.hasOwn(inputTable, name);
}

/** True if two values of an input mean the same restore. */
export function meansSame(name: string, a: unknown, b: unknown): boolean {
  return deepEqual(canonicalValue(name, a), canonicalValue(name, b));
}

/** The canonical form of an input: equal for all values that mean the same restore. */
export function canonicalValue(name: string, value: unknown): unknown {
  const toCanonical = isInput(name) ? inputNamed(name).canonical : undefined;
  return (toCanonical ? toCanonical(value) : value) ?? undefined;
}

/** The typed form of one input. Throws only if the state was edited. */
export function inputIn<Name extends InputName>(inputs: Properties, name: Name): ValueOf<Name> | undefined {
  const value = inputs[name] ?? undefined;
  const { required, read } = inputNamed(name);
  if (value === undefined && !required) return undefined;
  const reading = read(value);
  if ("problem" in reading) throw new Error(`the input ${name}${reading.problem}`);
  return reading.value as ValueOf<Name>;
}

/** The typed form of the inputs with a default. */
export function optionsIn(inputs: Properties): OptionalInputs {
  const options = inputNames.filter((name) => inputNamed(name).default !== undefined);
  return Object.fromEntries(
    options.map((name) => [name, inputIn(inputs, name) ?? inputNamed(name).default]),
  ) as unknown as OptionalInputs;
}

/** The typed form of the deciding inputs. A value that means the same as no value, such as an empty list of triggers, is left out. */
export function decidingValuesIn(kind: RestoreKind, inputs: Properties): DecidingValues {
  return Object.fromEntries(
    inputsOf(kind, decidingInputs)
      .map((name) => [name, inputIn(inputs, name)] as const)
      .filter(([name, value]) => !meansSame(name, value, undefined)),
  ) as unknown as DecidingValues;
}
