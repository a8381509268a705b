import { isGiven } from "../inputs/problems";
import { containsUnknown } from "../inputs/read-values";
import { decidingInputs, inputNames, meansSame } from "../inputs/restore-table";
import { isFailure, isFinished, readRestoreRecord, type RestoreRecord } from "../inputs/record";
import { isObject, type Properties, deepEqual } from "../plain/plain";

export interface DiffResult {
  /** If undefined, the engine compares the inputs itself, and can show which of them changed. */
  readonly changes?: boolean;
  readonly replaces?: string[];
}

/**
 * Inputs that, if changed, cause an update, which posts nothing. Deciding inputs are included, because the same restore written differently is an update.
 * `triggers` is left out, because an empty list means the same as no triggers.
 */
const updatingInputs: readonly string[] = [...inputNames.filter((name) => name !== "triggers"), "__provider"];

/**
 * Decides between a new restore, an update that posts nothing, and no change. `olds` are the stored outputs, which repeat every input; `news` are checked
 * inputs.
 *
 * `changes` is undefined if only changed inputs decide. It is true if the stored status decides: the engine would otherwise find the inputs equal and ignore
 * `replaces`, or forget the restore's error. Values that come only from other restores cause no update.
 */
export function diffRestore(olds: Properties, news: Properties): DiffResult {
  const replaces = replacing(olds, news);
  if (replaces.length > 0) return { replaces };
  const record = readRestoreRecord(olds);
  const { status, transactionIds } = record;
  if (isAttemptedAgain(record, news["retryFailed"] !== false, olds["recoveryPointId"]))
    return { changes: true, replaces: ["status"] };
  // Even with `wait: false`, every run searches for a restore that is not listed yet.
  const isUnwatched = news["wait"] === false && !isFinished(status) && transactionIds.length > 0;
  if (status !== "complete" && !isUnwatched) return { changes: true };
  const updates =
    updatingInputs.some((name) => isChanged(olds[name], news[name])) ||
    isOtherIntent(olds["__intent"], news["__intent"]);
  return updates ? {} : { changes: false };
}

/** True for a failed restore that may be attempted again under the same intent. This needs a recovery point, and a rule chooses none if `adopt` is set. */
export const isAttemptedAgain = (record: RestoreRecord, retryFailed: boolean, recoveryPointId: unknown): boolean =>
  isFailure(record) && retryFailed && isGiven(recoveryPointId);

/**
 * An intent is replaced if another restore is requested. Once a rule has chosen a point, the same inputs written differently are not a change: an update
 * would make the point unknown in the preview, which would then announce a replacement. Writing the chosen point's id instead of the rule is an update.
 */
export function diffIntent(olds: Properties, news: Properties): DiffResult {
  const replaces = [...(isOtherRestore("__kind", olds, news) ? ["__kind"] : []), ...replacing(olds, news)];
  if (replaces.length > 0) return { replaces };
  const keepsItsChoice = isGiven(olds["choice"]) && isGiven(news["recoveryPoint"]);
  const deciding = new Set<string>(keepsItsChoice ? decidingInputs : []);
  const names = updatingInputs.filter((name) => !deciding.has(name));
  return names.some((name) => isChanged(olds[name], news[name])) ? {} : { changes: false };
}

/** The inputs whose new values make this a different restore. */
function replacing(olds: Properties, news: Properties): string[] {
  const names = decidingInputs.filter((name) => isOtherRestore(name, olds, news));
  return [...names, ...(isBehindAnother(olds["__behind"], news["__behind"]) ? ["__behind"] : [])];
}

/**
 * `__behind` lists the intents of all earlier restores of the whole machine. A new intent among them means that the machine is restored again, so this restore
 * runs again too. If an intent is missing, its restore was removed from the program, which changes nothing.
 */
function isBehindAnother(stored: unknown, wanted: unknown): boolean {
  const known = Array.isArray(stored) ? (stored as readonly unknown[]) : [];
  return containsUnknown(wanted) || (Array.isArray(wanted) && wanted.some((id) => !known.includes(id)));
}

/**
 * An unknown value is treated as changed: the preview announces a replacement, and `pulumi up` compares again. With a rule, a stored point that is not among
 * the inputs comes from the rule or from `adopt`, so it is not compared.
 */
function isOtherRestore(name: string, olds: Properties, news: Properties): boolean {
  const wanted = news[name] ?? undefined;
  if (name === "recoveryPointId" && wanted === undefined && isGiven(news["recoveryPoint"])) return false;
  // If an id has replaced the rule, only the id is compared.
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
 * True if the restore has a different intent, for example after `--replace` for only the intent. The update stores the new intent and posts nothing. Without
 * the update, the next run would compare with the old intent, which is gone. Only ids are compared, because renaming changes the intent's URN.
 */
function isOtherIntent(stored: unknown, wanted: unknown): boolean {
  const id = (intent: unknown): unknown => (isObject(intent) ? intent["id"] : undefined);
  return isChanged(id(stored), id(wanted));
}
