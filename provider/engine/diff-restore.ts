import { isHeldBack } from "../inputs/intent";
import { isFinished } from "../inputs/record";
import { isGiven } from "../inputs/problems";
import { decidingInputs, inputNames, meansSame } from "../inputs/restore-table";
import { containsUnknown } from "../inputs/read-values";
import { isObject, type Properties, deepEqual } from "../plain/plain";

export interface DiffResult {
  /** Undefined: the engine compares the inputs itself, and so can show which of them changed. */
  readonly changes?: boolean;
  readonly replaces?: string[];
}

/**
 * Inputs whose change is an update: stored, nothing posted. The deciding ones too, because another spelling of the same restore is such a
 * change. Not the triggers: none and an empty list are no change.
 */
const updatingInputs: readonly string[] = [...inputNames.filter((name) => name !== "triggers"), "__provider"];

/**
 * Decides between a new restore, an update that posts nothing, and nothing. `olds` are the stored outputs, which repeat
 * every input; `news` are checked inputs.
 *
 * Where only inputs decide, `changes` stays undefined. Where the stored status decides it must be true: the
 * engine would find equal inputs, take the restore for unchanged and forget its error, or ignore `replaces`. The
 * engine's own memory of the error does not help, because a refresh clears it.
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
      if (news.wait !== false || !hasTransactions(olds)) return { changes: true };
      break;
    case "complete":
  }
  const updates =
    updatingInputs.some((name) => isChanged(olds[name], news[name])) || isOtherIntent(olds.intent, news.intent);
  return updates ? {} : { changes: false };
}

/**
 * An intent is replaced when what it is for changes. It may hold further inputs of its restore, the ones
 * named in the restore's `replaceOnChanges`; those are for the engine to compare. Where it has chosen a point, another spelling is no change:
 * in the preview of an update what it stores is unknown, the point too, and its restore would seem to be replaced. A rule that is given up for
 * the point it chose is an update: the program says the point then.
 */
export function diffIntent(olds: Properties, news: Properties): DiffResult {
  const replaces = ["kind", ...decidingInputs].filter((name) => isOtherRestore(name, olds, news));
  if (replaces.length > 0) return { replaces };
  if (isHeldBack(olds.mark)) return { changes: true, replaces: ["mark"] };
  const keepsItsChoice = isGiven(olds.choice) && isGiven(news.recoveryPoint);
  const names = keepsItsChoice ? updatingInputs.filter((name) => !isDeciding(name)) : updatingInputs;
  return names.some((name) => isChanged(olds[name], news[name])) ? {} : { changes: false };
}

function isDeciding(name: string): boolean {
  return decidingInputs.some((deciding) => deciding === name);
}

/** Whatever is not known to have ended goes on: a word of a later release, or none, is looked into and not trusted. */
function endOf(olds: Properties): "complete" | "failed" | "cancelled" | "not sent" | "unfinished" {
  const { status } = olds;
  if (status === "not sent") return status;
  return typeof status === "string" && isFinished(status) ? status : "unfinished";
}

/** One without any is unaccounted for: it is looked for in every run, whatever is waited for. */
function hasTransactions({ transactionIds }: Properties): boolean {
  return Array.isArray(transactionIds) && transactionIds.length > 0;
}

/**
 * Not known yet counts as changed: the preview then announces the replacement, and the real run compares again. With a rule the point follows
 * from it: where none is wanted, the stored one was chosen by it, or is that of a transaction that `adopt` names.
 */
function isOtherRestore(name: string, olds: Properties, news: Properties): boolean {
  const wanted = news[name] ?? undefined;
  if (name === "recoveryPointId" && wanted === undefined && isGiven(news.recoveryPoint)) return false;
  if (name === "recoveryPoint" && wanted === undefined && isRuleGivenUp(olds, news)) return false;
  return containsUnknown(wanted) || !meansSame(name, olds[name], wanted);
}

/** Whether an id stands where a rule was. Whether it is the one that the rule chose is compared as that of any restore. */
function isRuleGivenUp(olds: Properties, news: Properties): boolean {
  return isGiven(olds.recoveryPoint) && !isGiven(news.recoveryPoint) && isGiven(news.recoveryPointId);
}

function isChanged(stored: unknown, wanted: unknown): boolean {
  return containsUnknown(wanted) || !deepEqual(stored ?? undefined, wanted ?? undefined);
}

/**
 * Whether the restore came to another intent, for instance after `--replace` of the intent alone. The update stores the
 * new one and posts nothing; without it, the next run would compare with an intent that is no more. The rest of the
 * intent follows its id, but for the URN, which changes with a rename: that is no change of the restore.
 */
function isOtherIntent(stored: unknown, wanted: unknown): boolean {
  const id = (intent: unknown): unknown => (isObject(intent) ? intent.id : undefined);
  return isChanged(id(stored), id(wanted));
}
