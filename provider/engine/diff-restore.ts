import { isGiven } from "../inputs/problems";
import { containsUnknown } from "../inputs/read-values";
import { decidingInputs, inputNames, meansSame } from "../inputs/restore-table";
import { isFailure, isFinished, readRestoreRecord, type RestoreRecord } from "../inputs/record";
import { isObject, type Properties, deepEqual } from "../plain/plain";

export interface DiffResult {
  /** Undefined: the engine compares the inputs itself, and can show which of them changed. */
  readonly changes?: boolean;
  readonly replaces?: string[];
}

/**
 * Inputs whose change is an update: stored, nothing posted. The deciding inputs are among them, because another
 * spelling of the same restore is an update. `triggers` are not, because none and an empty list are the same.
 */
const updatingInputs: readonly string[] = [...inputNames.filter((name) => name !== "triggers"), "__provider"];

/**
 * Decides between a new restore, an update that posts nothing, and no change. `olds` are the stored outputs, which
 * repeat every input; `news` are checked inputs.
 *
 * `changes` stays undefined when inputs alone decide, and is true when the stored status decides. Otherwise the engine
 * would find equal inputs and ignore `replaces`, or forget the restore's error. Values that only come from other restores cause no update.
 */
export function diffRestore(olds: Properties, news: Properties): DiffResult {
  const replaces = replacing(olds, news);
  if (replaces.length > 0) return { replaces };
  const record = readRestoreRecord(olds);
  const { status, transactionIds } = record;
  if (isAttemptedAgain(record, news["retryFailed"] !== false, olds["recoveryPointId"]))
    return { changes: true, replaces: ["status"] };
  // A restore that is not listed is looked for by every run, whatever `wait` says.
  const isUnwatched = news["wait"] === false && !isFinished(status) && transactionIds.length > 0;
  if (status !== "complete" && !isUnwatched) return { changes: true };
  const updates =
    updatingInputs.some((name) => isChanged(olds[name], news[name])) ||
    isOtherIntent(olds["__intent"], news["__intent"]);
  return updates ? {} : { changes: false };
}

/** A restore that is stored as failed is attempted again under its intent; anything else is not. Where `adopt` named it, a rule has chosen no point. */
export const isAttemptedAgain = (record: RestoreRecord, retryFailed: boolean, recoveryPointId: unknown): boolean =>
  isFailure(record) && retryFailed && isGiven(recoveryPointId);

/**
 * An intent is replaced when another restore is asked for. Once a point is chosen, another spelling is not a change: the preview of an update would
 * show the point as unknown and so announce a replacement. Giving the chosen point in place of the rule is an update.
 */
export function diffIntent(olds: Properties, news: Properties): DiffResult {
  const replaces = [...(isOtherRestore("__kind", olds, news) ? ["__kind"] : []), ...replacing(olds, news)];
  if (replaces.length > 0) return { replaces };
  const keepsItsChoice = isGiven(olds["choice"]) && isGiven(news["recoveryPoint"]);
  const deciding = new Set<string>(keepsItsChoice ? decidingInputs : []);
  const names = updatingInputs.filter((name) => !deciding.has(name));
  return names.some((name) => isChanged(olds[name], news[name])) ? {} : { changes: false };
}

/** The inputs whose change makes another restore. */
function replacing(olds: Properties, news: Properties): string[] {
  const names = decidingInputs.filter((name) => isOtherRestore(name, olds, news));
  return [...names, ...(isBehindAnother(olds["__behind"], news["__behind"]) ? ["__behind"] : [])];
}

/**
 * `__behind` holds the intents of all restores of the whole machine before this restore. A new intent among them means that the machine is restored again, so this restore runs again too. An intent that is gone, because its restore was removed from the program, changes nothing.
 */
function isBehindAnother(stored: unknown, wanted: unknown): boolean {
  if (containsUnknown(wanted)) return true;
  const known = Array.isArray(stored) ? (stored as readonly unknown[]) : [];
  return Array.isArray(wanted) && wanted.some((id) => !known.includes(id));
}

/**
 * An unknown value counts as changed: the preview announces the replacement, and the real run compares again. A rule
 * determines the point, so a point that is stored but not given came from the rule or from `adopt`.
 */
function isOtherRestore(name: string, olds: Properties, news: Properties): boolean {
  const wanted = news[name] ?? undefined;
  if (name === "recoveryPointId" && wanted === undefined && isGiven(news["recoveryPoint"])) return false;
  // An id replaced the rule. The id itself is compared like any other.
  if (
    name === "recoveryPoint" &&
    wanted === undefined &&
    isGiven(olds["recoveryPoint"]) &&
    isGiven(news["recoveryPointId"])
  )
    return false;
  return containsUnknown(wanted) || !meansSame(name, olds[name], wanted);
}

function isChanged(stored: unknown, wanted: unknown): boolean {
  return containsUnknown(wanted) || !deepEqual(stored ?? undefined, wanted ?? undefined);
}

/**
 * The restore has another intent, for instance after `--replace` of the intent alone. The update stores the new intent and
 * posts nothing; otherwise the next run would compare with an intent that is gone. Only ids are compared, because a
 * rename changes the intent's URN.
 */
function isOtherIntent(stored: unknown, wanted: unknown): boolean {
  const id = (intent: unknown): unknown => (isObject(intent) ? intent["id"] : undefined);
  return isChanged(id(stored), id(wanted));
}
