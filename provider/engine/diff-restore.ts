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
    case "failed":
      return news.retryFailed === false ? { changes: true } : { changes: true, replaces: ["status"] };
    case "cancelled":
      return { changes: true };
    case "unfinished":
      if (news.wait !== false || !hasTransactions(olds)) return { changes: true };
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
  const keepsItsChoice = isGiven(olds.choice) && isGiven(news.recoveryPoint);
  const names = keepsItsChoice ? updatingInputs.filter((name) => !isDeciding(name)) : updatingInputs;
  return names.some((name) => isChanged(olds[name], news[name])) ? {} : { changes: false };
}

function isDeciding(name: string): boolean {
  return decidingInputs.some((deciding) => deciding === name);
}

/** Any status that is not known to be final counts as unfinished, also one of a later release. */
function endOf(olds: Properties): "complete" | "failed" | "cancelled" | "unfinished" {
  const { status } = olds;
  return typeof status === "string" && isFinished(status) ? status : "unfinished";
}

/** A restore without transactions is unconfirmed, and every run looks for it, whatever `wait` says. */
function hasTransactions({ transactionIds }: Properties): boolean {
  return Array.isArray(transactionIds) && transactionIds.length > 0;
}

/**
 * An unknown value counts as changed: the preview announces the replacement, and the real run compares again. A rule
 * determines the point, so a point that is stored but not given came from the rule or from `adopt`.
 */
function isOtherRestore(name: string, olds: Properties, news: Properties): boolean {
  const wanted = news[name] ?? undefined;
  if (name === "recoveryPointId" && wanted === undefined && isGiven(news.recoveryPoint)) return false;
  if (name === "recoveryPoint" && wanted === undefined && isRuleGivenUp(olds, news)) return false;
  return containsUnknown(wanted) || !meansSame(name, olds[name], wanted);
}

/** An id replaced the rule. The id itself is compared as any other. */
function isRuleGivenUp(olds: Properties, news: Properties): boolean {
  return isGiven(olds.recoveryPoint) && !isGiven(news.recoveryPoint) && isGiven(news.recoveryPointId);
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
