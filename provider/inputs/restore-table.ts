import { panelSpelling } from "../panel/types";
import { type Properties, deepEqual } from "../plain/plain";
import { type PointRule, readPointRule } from "./read-point-rule";
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
  rejectingUnprintablePaths,
} from "./read-values";

export type RestoreKind = "VmRestore" | "FileRestore";

/** One input of a restore: what its check, its typed form, its comparison, its output and its place in a plan are made of. */
interface RestoreInput<Value> {
  /** The spelling that is stored. What an earlier release has stored passes too. */
  readonly read: ValueReader<Value>;
  /** Reads it instead where a program gives it. */
  readonly readNew?: ValueReader<NoInfer<Value>>;
  readonly required?: true;
  /** The one kind of restore that has it. */
  readonly only?: RestoreKind;
  /** Made out of an option of Pulumi's: a program does not write it among the inputs. */
  readonly fromOption?: true;
  /** Restores of a plan have none of their own. */
  readonly notInPlans?: true;
}

/** A change of it is another restore. */
interface DecidingInput<Value> extends RestoreInput<Value> {
  /** The one spelling for all values that mean the same restore. The value may be anything: a state may have been edited. */
  readonly decides: (value: unknown) => unknown;
}

/** It has a value in any case. */
interface DefaultedInput<Value> extends RestoreInput<Value> {
  /** Never stored, so that a release with another default changes no state. */
  readonly default: NoInfer<Value>;
}

const deciding = <Value>(one: DecidingInput<Value>): DecidingInput<Value> => one;
const option = <Value>(one: DefaultedInput<Value>): DefaultedInput<Value> => one;
const input = <Value>(one: RestoreInput<Value>): RestoreInput<Value> => one;

/** A state of 1.0.0 may hold `042`, which was machine 42 to the panel: whoever corrects it must not restore that machine again. */
const normalizedId = (id: unknown): unknown => (typeof id === "string" ? (panelSpelling(id) ?? id) : id);

/** In another order they restore the same files, and a glob or a directory listing has no order to rely on. */
const sortedPaths = (paths: unknown): unknown =>
  Array.isArray(paths) ? [...(paths as readonly unknown[])].sort() : paths;

const normalizedRule = (rule: unknown): unknown => {
  const reading = readPointRule(rule);
  return "value" in reading ? reading.value : rule;
};

const id = { read: readId, readNew: rejectingLeadingZeros(readId), decides: normalizedId };

/** Every input of a restore. `program/restores.ts` says what each is for. */
const inputTable = {
  virtualMachineId: deciding({ ...id, required: true }),
  // Exactly one of the two: `check-restore.ts` asks for it.
  recoveryPointId: deciding(id),
  recoveryPoint: deciding<PointRule>({ read: readPointRule, decides: normalizedRule }),
  paths: deciding({
    only: "FileRestore",
    read: readPaths,
    readNew: rejectingUnprintablePaths(readPaths),
    required: true,
    decides: sortedPaths,
  }),
  triggers: deciding({ read: readTriggers, decides: (triggers) => triggers ?? [] }),
  timeouts: input({ read: readTimeouts }),
  wait: option({ read: readBoolean, default: true, notInPlans: true }),
  adopt: option({ read: readAdopt, readNew: rejectingLeadingZeros(readAdopt), default: "auto" }),
  retryFailed: option({ read: readBoolean, default: true }),
  captureLog: option({ read: readCaptureLog, default: "onFailure" }),
  customTimeouts: input({ read: readCustomTimeouts, fromOption: true }),
} as const;

type InputTable = typeof inputTable;
export type InputName = keyof InputTable;
type ValueOf<Name extends InputName> = InputTable[Name] extends RestoreInput<infer Value> ? Value : never;
/** The names of those that have a property. */
type NamesWith<Property extends string> = {
  [Name in InputName]: InputTable[Name] extends Readonly<Record<Property, unknown>> ? Name : never;
}[InputName];

/** What the inputs with a default come to. */
export type RestoreOptions = { readonly [Name in NamesWith<"default">]: ValueOf<Name> };

/** What decides which restore it is, beside its kind. */
export type DecidingValues = { readonly [Name in "virtualMachineId"]: ValueOf<Name> } & {
  readonly [Name in Exclude<NamesWith<"decides">, "virtualMachineId">]?: ValueOf<Name>;
};

/** An input's row in the table. */
export function inputNamed(
  name: InputName,
): RestoreInput<unknown> & Partial<DecidingInput<unknown> & DefaultedInput<unknown>> {
  return inputTable[name];
}

export const inputNames = Object.keys(inputTable) as readonly InputName[];

export const decidingInputs = inputNames.filter((name) => inputNamed(name).decides) as readonly NamesWith<"decides">[];

/** Those that a program writes. */
export const writtenInputs = inputNames.filter((name) => !inputNamed(name).fromOption);

/** Those that a program writes of a restore in a plan. */
export const plannedInputs = writtenInputs.filter((name) => !inputNamed(name).notInPlans);

/** Whether restores of a kind have it. */
export function isInputOf(kind: RestoreKind, name: InputName): boolean {
  return (inputNamed(name).only ?? kind) === kind;
}

export function isInput(name: string): name is InputName {
  return Object.hasOwn(inputTable, name);
}

/** Whether one input means the same restore in two spellings. */
export function meansSame(name: string, a: unknown, b: unknown): boolean {
  return deepEqual(canonicalValue(name, a), canonicalValue(name, b));
}

/** The one spelling of an input for all values that mean the same restore. */
export function canonicalValue(name: string, value: unknown): unknown {
  const plainest = isInput(name) ? inputNamed(name).decides : undefined;
  return (plainest ? plainest(value) : value) ?? undefined;
}

/** The typed form of one input of a restore. Only a state that was edited by hand, or written by a release with other rules, throws. */
export function inputIn<Name extends InputName>(inputs: Properties, name: Name): ValueOf<Name> | undefined {
  const value = inputs[name] ?? undefined;
  const { required, read } = inputNamed(name);
  if (value === undefined && !required) return undefined;
  const reading = read(value);
  if ("problem" in reading) throw new Error(`the input ${name}${reading.problem}`);
  return reading.value as ValueOf<Name>;
}

/** The typed form of those with a default. */
export function optionsIn(inputs: Properties): RestoreOptions {
  const options = inputNames.filter((name) => inputNamed(name).default !== undefined);
  return Object.fromEntries(
    options.map((name) => [name, inputIn(inputs, name) ?? inputNamed(name).default]),
  ) as unknown as RestoreOptions;
}

/** The typed form of those that decide. One that means the same as none is left out: no triggers and an empty list are one. */
export function decidingValuesIn(kind: RestoreKind, inputs: Properties): DecidingValues {
  return Object.fromEntries(
    decidingInputs
      .filter((name) => isInputOf(kind, name))
      .map((name) => [name, inputIn(inputs, name)] as const)
      .filter(([name, value]) => !meansSame(name, value, undefined)),
  ) as unknown as DecidingValues;
}
