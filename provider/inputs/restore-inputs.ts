import { asList, isObject, omitUndefined, type Properties } from "../plain/plain";
import { readOneOf, readStored, type ReaderTable } from "../plain/stored-fields";
import type { Intent, Mark, Previous, ReplacedIntent, RestoreRequest, RestoreTarget, Timeouts } from "./intent";
import { type Limit, type TimeoutOperation, timeoutLimits } from "./read-values";
import { decidingValuesIn, inputIn, optionsIn, type RestoreKind } from "./restore-table";

/** What the inputs request of one restore, with their defaults. */
export interface RestoreInputs extends MachineOrder {
  readonly request: Omit<RestoreRequest, "name">;
  /** Absent if the engine runs the restore without its intent (`--target`). */
  readonly intent?: Intent;
}

/** A restore's place among its machine's restores, read from the inputs of the restore or its intent. */
export interface MachineOrder {
  readonly previous?: Previous;
  /** The transactions of all the machine's earlier restores. */
  readonly known: readonly string[];
}

/**
 * The typed form of checked inputs. Defaults are filled in here and not in the stored inputs, so a release with other defaults leaves every state unchanged.
 * The restore's own `total` takes precedence over Pulumi's `customTimeouts`.
 */
export function parseRestoreInputs(kind: RestoreKind, inputs: Properties, operation: TimeoutOperation): RestoreInputs {
  const request = omitUndefined<RestoreInputs["request"]>({
    target: parseTarget(kind, inputs),
    timeouts: timeoutsIn(inputs, operation),
    adopt: inputIn(inputs, "adopt"),
    ...optionsIn(inputs),
  });
  return omitUndefined<RestoreInputs>({ request, intent: readIntent(inputs.__intent), ...orderIn(inputs) });
}

/** The target, from the inputs of a restore or an intent. */
export function parseTarget(kind: RestoreKind, inputs: Properties): RestoreTarget {
  return { kind, ...decidingValuesIn(kind, inputs) };
}

const limitNames = Object.keys(timeoutLimits) as readonly Limit[];

function timeoutsIn(inputs: Properties, operation: TimeoutOperation): Timeouts {
  const total = inputIn(inputs, "customTimeouts")?.[operation];
  const given: Partial<Record<Limit, number>> = {
    ...omitUndefined({ total }),
    ...inputIn(inputs, "timeouts"),
  };
  const inMs = limitNames.flatMap((name) => {
    const seconds = given[name] ?? timeoutLimits[name].default;
    // Durations have up to three decimals, which binary fractions do not represent exactly.
    return seconds === undefined ? [] : [[`${name}Ms`, Math.round(seconds * 1_000)] as const];
  });
  return Object.fromEntries(inMs) as unknown as Timeouts;
}

/**
 * The intent as the engine passes it. If the restore runs without its intent, the value is absent or incomplete. It is then treated as absent, so nothing is
 * posted.
 */
export function readIntent(value: unknown): Intent | undefined {
  if (!isObject(value)) return undefined;
  const { id, urn } = value;
  const mark = readMark(value.mark);
  const madeFor = readMadeFor(value.madeFor);
  if (!isNonEmptyText(id) || !isNonEmptyText(urn)) return undefined;
  const choiceWarnings = isObject(value.choice) ? textsIn(value.choice["warnings"]) : [];
  return mark && madeFor && { id, urn, mark, madeFor, choiceWarnings };
}

/** The part of the intent that a restore's outputs keep. It includes the panel, because the ids of two panels are unrelated. */
export interface StoredIntent {
  readonly id: string;
  readonly urn?: string;
  readonly panel?: string;
}

const storedIntentTable: ReaderTable<StoredIntent> = { id: readWord, urn: readWord, panel: readWord };

export function readStoredIntent(value: unknown): StoredIntent | undefined {
  const { id, ...others } = readStored(storedIntentTable, value);
  return id === undefined ? undefined : { id, ...others };
}

const previousTable: ReaderTable<Previous> = {
  urn: readWord,
  intentId: readWord,
  madeUnder: readWord,
  status: readWord,
};

export function orderIn({ __previous: previous, __known: known }: Properties): MachineOrder {
  const { urn, ...others } = readStored(previousTable, previous);
  return { ...(urn !== undefined && { previous: { urn, ...others } }), known: textsIn(known) };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isNonEmptyText) : [];
}

function readMadeFor(value: unknown): RestoreTarget | undefined {
  if (!isObject(value)) return undefined;
  const kind = readOneOf<RestoreKind>("VmRestore", "FileRestore")(value.kind);
  try {
    return kind && parseTarget(kind, value);
  } catch {
    return undefined;
  }
}

/**
 * Reads a mark from a state, which may have been edited. The panel and the position are required, because a POST relies on the mark. The time is optional,
 * because some panels do not show it.
 */
export function readMark(value: unknown): Mark | undefined {
  if (!isObject(value)) return undefined;
  const { panel, ended, others = [], isWhole, newestId, takenAt, replaced } = value;
  const before = asList(replaced)
    .map(readReplaced)
    .filter((one) => one !== undefined);
  // With an invalid id, the position of the mark might never be found.
  if (!isNonEmptyText(panel) || !areIds(ended) || !areIds(others)) return undefined;
  return {
    panel,
    ended,
    ...(others.length > 0 && { others }),
    ...(isWhole === true && { isWhole }),
    ...(isNonEmptyText(newestId) && { newestId }),
    ...(isNonEmptyText(takenAt) && { takenAt }),
    ...(before.length > 0 && { replaced: before }),
  };
}

function readReplaced(value: unknown): ReplacedIntent | undefined {
  if (!isObject(value) || !isNonEmptyText(value.id)) return undefined;
  const mark = readMark(value.mark);
  return mark && { id: value.id, mark, ...(value.isEnded === true && { isEnded: true }) };
}

function areIds(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isNonEmptyText);
}

function readWord(value: unknown): string | undefined {
  return isNonEmptyText(value) ? value : undefined;
}

function isNonEmptyText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
