import { isDecimalId } from "../panel/types";
import { isObject, type Properties } from "../plain/plain";
import {
  type HeldBack,
  type Intent,
  isHeldBack,
  type MachineBefore,
  type Mark,
  type PanelOnly,
  type PointChoice,
  type Predecessor,
  type RestoreRequest,
  type RestoreTarget,
  type Timeouts,
} from "./intent";
import { readPointRule } from "./read-point-rule";
import { isVmRestoreUrn } from "./resource-names";
import { decidingValuesIn, inputIn, optionsIn, type RestoreKind } from "./restore-table";
import { type Limit, timeoutLimits, type Operation } from "./read-values";

/** The inputs of one restore, with their defaults. */
interface RestoreInputs extends Omit<RestoreRequest, "name"> {
  /** Absent when the engine ran the restore without its intent (`--target`). */
  readonly intent?: Intent;
  /** Its intent was held back. */
  readonly heldBack?: HeldBack;
  readonly predecessor?: Predecessor;
  readonly machineBefore?: MachineBefore;
}

/**
 * The typed form of checked inputs. Defaults are filled in here and not in the stored inputs, so a release with another
 * default changes no state. The restore's own `total` overrides Pulumi's option for the whole operation.
 */
export function parseRestoreInputs(kind: RestoreKind, inputs: Properties, operation: Operation): RestoreInputs {
  const intent = readIntent(inputs.intent);
  const mark = isObject(inputs.intent) ? inputs.intent.mark : undefined;
  const predecessor = readPredecessor(inputs.predecessor);
  const machineBefore = readMachineBefore(inputs);
  return {
    target: parseTarget(kind, inputs),
    timeouts: timeoutsIn(inputs, operation),
    ...optionsIn(inputs),
    ...(intent && { intent }),
    ...(isHeldBack(mark) && { heldBack: mark }),
    ...(predecessor && { predecessor }),
    ...(machineBefore && { machineBefore }),
  };
}

function timeoutsIn(inputs: Properties, operation: Operation): Timeouts {
  const { [operation]: total } = inputIn(inputs, "customTimeouts") ?? {};
  return withDefaults({ ...(total !== undefined && { total }), ...inputIn(inputs, "timeouts") });
}

/** The target in the inputs of a restore or of an intent. */
export function parseTarget(kind: RestoreKind, inputs: Properties): RestoreTarget {
  return { kind, ...decidingValuesIn(kind, inputs) };
}

const limitNames = Object.keys(timeoutLimits) as readonly Limit[];

function withDefaults(given: Partial<Record<Limit, number>>): Timeouts {
  const inMs = limitNames.flatMap((name) => {
    const seconds = given[name] ?? timeoutLimits[name].default;
    // Durations have up to three decimals, which binary fractions do not represent exactly.
    return seconds === undefined ? [] : [[`${name}Ms`, Math.round(seconds * 1_000)] as const];
  });
  return Object.fromEntries(inMs) as unknown as Timeouts;
}

/**
 * The intent as the engine passes it. If the restore runs without its intent, it is absent or lacks parts: then there
 * is none, and nothing may be posted.
 */
export function readIntent(value: unknown): Intent | undefined {
  if (!isObject(value)) return undefined;
  const { id, urn } = value;
  const mark = readWholeMark(value.mark);
  const madeFor = readMadeFor(value.madeFor);
  const choice = readChoice(value.choice);
  if (!isNonEmptyText(id) || !isNonEmptyText(urn)) return undefined;
  return mark && madeFor && { id, urn, mark, madeFor, ...(choice && { choice }) };
}

/** The part of the intent in a restore's outputs; earlier releases stored all of it. */
export function readStoredIntent(value: unknown): (Pick<Intent, "id"> & Partial<Pick<Intent, "urn">>) | undefined {
  if (!isObject(value) || !isNonEmptyText(value.id)) return undefined;
  return { id: value.id, ...(isNonEmptyText(value.urn) && { urn: value.urn }) };
}

export function readChoice(value: unknown): PointChoice | undefined {
  if (!isObject(value)) return undefined;
  const { recoveryPointTakenAt, listed, fitted, warnings, incidentAt } = value;
  if (!isNonEmptyText(recoveryPointTakenAt) || typeof listed !== "number" || typeof fitted !== "number")
    return undefined;
  const known = Array.isArray(warnings) ? warnings.filter(isNonEmptyText) : [];
  return { recoveryPointTakenAt, listed, fitted, warnings: known, ...(isNonEmptyText(incidentAt) && { incidentAt }) };
}

/** The restore before it in the program, in the inputs of a restore or of an intent. */
export function readPredecessor(value: unknown): Predecessor | undefined {
  if (!isObject(value) || !isNonEmptyText(value.urn)) return undefined;
  const { urn, intentId, madeUnder, status, transactionIds } = value;
  return {
    urn,
    intentId: isNonEmptyText(intentId) ? intentId : undefined,
    madeUnder: isNonEmptyText(madeUnder) ? madeUnder : undefined,
    status: isNonEmptyText(status) ? status : undefined,
    transactionIds: textsIn(transactionIds),
    timeouts: timeoutsIn(value, "create"),
  };
}

/** The program hands it over by itself only where it is not the predecessor. */
export function readMachineBefore({ machineBefore, predecessor }: Properties): MachineBefore | undefined {
  const isMachine = isObject(predecessor) && isNonEmptyText(predecessor.urn) && isVmRestoreUrn(predecessor.urn);
  const found = isMachine ? predecessor : machineBefore;
  if (!isObject(found) || !isNonEmptyText(found.urn)) return undefined;
  return { urn: found.urn, transactionIds: textsIn(found.transactionIds) };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isNonEmptyText) : [];
}

function readMadeFor(value: unknown): RestoreTarget | undefined {
  if (!isObject(value)) return undefined;
  const { kind, virtualMachineId, recoveryPointId, recoveryPoint, paths, triggers } = value;
  if (!isKind(kind) || !isNonEmptyText(virtualMachineId)) return undefined;
  const rule = readPointRule(recoveryPoint);
  const isByRule = "value" in rule;
  if (!isNonEmptyText(recoveryPointId) && !isByRule) return undefined;
  return {
    kind,
    virtualMachineId,
    ...(isNonEmptyText(recoveryPointId) && { recoveryPointId }),
    ...(isByRule && { recoveryPoint: rule.value }),
    ...(Array.isArray(paths) && { paths: paths.filter(isNonEmptyText) }),
    ...(Array.isArray(triggers) && triggers.length > 0 && { triggers: triggers as readonly unknown[] }),
  };
}

export function isKind(value: unknown): value is RestoreKind {
  return value === "VmRestore" || value === "FileRestore";
}

/**
 * Reads a mark from a state that may have been edited. A waiting restore is resumed from it: even a part of it tells
 * the panel, or the row above which its transaction is. A page without a newest row is not an empty list, above which
 * everything would stand.
 */
export function readMark(value: unknown): Mark | PanelOnly | undefined {
  if (!isObject(value) || typeof value["panel"] !== "string") return undefined;
  const { panel, newestId, newestCreatedAt, takenAt, firstPageIds } = value;
  const ids = Array.isArray(firstPageIds) ? firstPageIds.filter(isNonEmptyText) : undefined;
  const taken = isNonEmptyText(takenAt) ? { takenAt } : {};
  if (!isNonEmptyText(newestId)) {
    // A state does not distinguish null from an absent property.
    const isOfEmptyList =
      Array.isArray(firstPageIds) &&
      firstPageIds.length === 0 &&
      [newestId, newestCreatedAt].every((of) => (of ?? undefined) === undefined);
    return isOfEmptyList ? { panel, ...taken, firstPageIds: [] } : { panel };
  }
  return {
    panel,
    newestId,
    ...(isNonEmptyText(newestCreatedAt) && { newestCreatedAt }),
    ...taken,
    // Marks of earlier releases always contain the page.
    ...(ids !== undefined && !isDecimalId(newestId) && { firstPageIds: ids }),
  };
}

/**
 * Reads the mark of an intent, which allows a POST, so it must have panel and place. Times are optional: a list may
 * show none.
 */
export function readWholeMark(value: unknown): Mark | undefined {
  const mark = readMark(value);
  const ids: unknown = isObject(value) ? value["firstPageIds"] : undefined;
  const isWhole = ids === undefined || ids === null || (Array.isArray(ids) && ids.every(isNonEmptyText));
  return mark !== undefined && mark.panel !== "" && isWhole && ("newestId" in mark || "firstPageIds" in mark)
    ? mark
    : undefined;
}

function isNonEmptyText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
