import { isHeldBack } from "../inputs/intent";
import { isFinished } from "../inputs/record";
import { isGiven } from "../inputs/problems";
import { decidingInputs, inputNames, meansSame } from "../inputs/restore-table";
import { containsUnknown } from "../inputs/read-values";
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
 * would find equal inputs and ignore `replaces`, or forget the restore's error. The engine's own memory of the error is
 * no help: a refresh clears it.
 */
export function diffRestore(olds: Properties, news: Properties): DiffResult {
  const replaces = decidingInputs.filter((name) => isOtherRestore(name, olds, news));
  if (replaces.length > 0) return { replaces };
  switch (endOf(olds)) {
    case "not sent":
      return { changes: true, replaces: ["status"] };
    case "failed":
      return news.retryFailed === false ? { changes: true } : { changes: true, replaces: ["status"] };
    case "cancelled":
      return { changes: true };
    case "unfinished":
      // A restore without transactions is unconfirmed, and every run looks for it, whatever `wait` says.
      if (news.wait !== false || !Array.isArray(olds.transactionIds) || olds.transactionIds.length === 0)
        return { changes: true };
      break;
    case "complete":
  }
  const updates =
    updatingInputs.some((name) => isChanged(olds[name], news[name])) || isOtherIntent(olds.intent, news.intent);
  return updates ? {} : { changes: false };
}

/**
 * An intent is replaced when another restore is asked for. It may hold further inputs, named in the restore's
 * `replaceOnChanges`, which the engine compares. Once a point is chosen, another spelling is no change: the preview of
 * an update would show the point as unknown and so announce a replacement. Giving the chosen point in place of the rule
 * is an update.
 */
export function diffIntent(olds: Properties, news: Properties): DiffResult {
  const replaces = ["kind", ...decidingInputs].filter((name) => isOtherRestore(name, olds, news));
  if (replaces.length > 0) return { replaces };
  if (isHeldBack(olds.mark)) return { changes: true, replaces: ["mark"] };
  const keepsItsChoice = isGiven(olds.choice) && isGiven(news.recoveryPoint);
  const deciding = new Set<string>(keepsItsChoice ? decidingInputs : []);
  const names = updatingInputs.filter((name) => !deciding.has(name));
  return names.some((name) => isChanged(olds[name], news[name])) ? {} : { changes: false };
}

/** Whatever is not known to have ended goes on: a word of a later release, or none, is looked into and not trusted. */
function endOf(olds: Properties): "complete" | "failed" | "cancelled" | "not sent" | "unfinished" {
  const { status } = olds;
  if (status === "not sent") return status;
  return typeof status === "string" && isFinished(status) ? status : "unfinished";
}

/**
 * An unknown value counts as changed: the preview announces the replacement, and the real run compares again. A rule
 * determines the point, so a point that is stored but not given came from the rule or from `adopt`.
 */
function isOtherRestore(name: string, olds: Properties, news: Properties): boolean {
  const wanted = news[name] ?? undefined;
  if (name === "recoveryPointId" && wanted === undefined && isGiven(news.recoveryPoint)) return false;
  // An id replaced the rule. The id itself is compared as any other.
  if (name === "recoveryPoint" && wanted === undefined && isGiven(olds.recoveryPoint) && isGiven(news.recoveryPointId))
    return false;
  return containsUnknown(wanted) || !meansSame(name, olds[name], wanted);
}

function isChanged(stored: unknown, wanted: unknown): boolean {
  return containsUnknown(wanted) || !deepEqual(stored ?? undefined, wanted ?? undefined);
}

/**
 * The restore has another intent, for instance after `--replace` of the intent alone. The update stores the new one and
 * posts nothing; otherwise the next run would compare with an intent that is gone. Only ids are compared, because a
 * rename changes the intent's URN.
 */
function isOtherIntent(stored: unknown, wanted: unknown): boolean {
  const id = (intent: unknown): unknown => (isObject(intent) ? intent.id : undefined);
  return isChanged(id(stored), id(wanted));
}
