import { decidingInputs, meansSame } from "../inputs/intent";
import { isFinished } from "../inputs/record";
import { containsUnknown } from "../inputs/rules";
import { isObject, same } from "../plain/plain";

type Properties = Readonly<Record<string, unknown>>;

export interface DiffResult {
  /** Undefined: the engine compares the inputs itself, and so can show which of them changed. */
  readonly changes?: boolean;
  readonly replaces?: string[];
}

/**
 * What is stored anew when it changes, while nothing is restored: how a restore is run and waited for. Ids and paths are among them,
 * because another spelling of the same restore is such a change too.
 */
const updating = [
  "virtualMachineId",
  "recoveryPointId",
  "paths",
  "timeouts",
  "wait",
  "adopt",
  "retryFailed",
  "captureLog",
  "customTimeouts",
  "__provider",
] as const;

/**
 * Decides between a new restore, an update that posts nothing, and nothing. `olds` are the stored outputs, which repeat
 * every input; `news` are checked inputs.
 *
 * Where only inputs decide, `changes` stays undefined. Where the stored status decides it must be true: the
 * engine would find equal inputs, take the restore for unchanged and forget its error, or ignore `replaces`. The
 * engine's own memory of the error does not help, because a refresh clears it.
 */
export function diffRestore(olds: Properties, news: Properties): DiffResult {
  const replaces = decidingInputs.filter((name) => otherRestore(name, olds[name], news[name]));
  if (replaces.length > 0) return { replaces };
  switch (statusOf(olds)) {
    case "failed":
      return news.retryFailed === false ? { changes: true } : { changes: true, replaces: ["status"] };
    case "cancelled":
      return { changes: true };
    case "unfinished":
      if (news.wait !== false) return { changes: true };
      break;
    case "complete":
  }
  const updates = updating.some((name) => changed(olds[name], news[name])) || otherIntent(olds.intent, news.intent);
  return updates ? {} : { changes: false };
}

/**
 * An intent is replaced when what it is for changes. It may hold further inputs of its restore, the ones
 * named in the restore's `replaceOnChanges`; those are for the engine to compare.
 */
export function diffIntent(olds: Properties, news: Properties): DiffResult {
  const replaces = ["kind", ...decidingInputs].filter((name) => otherRestore(name, olds[name], news[name]));
  if (replaces.length > 0) return { replaces };
  return updating.some((name) => changed(olds[name], news[name])) ? {} : { changes: false };
}

/** Whatever is not known to have ended goes on: a word of a later release, or none, is looked into and not trusted. */
function statusOf(olds: Properties): "complete" | "failed" | "cancelled" | "unfinished" {
  const { status } = olds;
  return typeof status === "string" && isFinished(status) ? status : "unfinished";
}

/** Not known yet counts as changed: the preview then announces the replacement, and the real run compares again. */
function otherRestore(name: string, stored: unknown, wanted: unknown): boolean {
  return containsUnknown(wanted) || !meansSame(name, stored, wanted);
}

function changed(stored: unknown, wanted: unknown): boolean {
  return containsUnknown(wanted) || !same(stored ?? undefined, wanted ?? undefined);
}

/**
 * Whether the restore came to another intent, for instance after `--replace` of the intent alone. The update stores the
 * new one and posts nothing; without it, the next run would compare with an intent that is no more. The rest of the
 * intent follows its id, but for the URN, which changes with a rename: that is no change of the restore.
 */
function otherIntent(stored: unknown, wanted: unknown): boolean {
  const id = (intent: unknown): unknown => (isObject(intent) ? intent.id : undefined);
  return changed(id(stored), id(wanted));
}
