import type { MachineBefore, Mark, PanelOnly } from "./intent";
import { readNumber, readOneOf, readText, readTexts, type ReaderTable } from "../plain/stored-fields";
import { compareIds, type TransactionId } from "../panel/types";
import { readMark, readWholeMark } from "./restore-inputs";

export type FinishedStatus = "complete" | "failed" | "cancelled";
/**
 * `not sent`, in a plan: the restore before it is not complete; the next run tries. `overwritten`, in a plan's wave and in reports alone: it was
 * complete, and the machine was restored again since.
 */
type NotCounted = "not sent" | "overwritten";
type UnfinishedStatus = "accepted" | "unknown" | "pending" | "running";

/** The known facts of a restore. Plain data: they become the resource's outputs, and a later run resumes from them. */
export interface RestoreRecord {
  readonly status: FinishedStatus | UnfinishedStatus | NotCounted;
  /** The transaction that is the restore; of a chain, the one whose action says so. */
  readonly transactionId?: string;
  /** All transactions of the restore, oldest first. */
  readonly transactionIds: readonly string[];
  readonly action?: string;
  readonly requestedAt?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly queuedSeconds?: number;
  readonly durationSeconds?: number;
  readonly adopted: boolean;
  readonly warnings: readonly string[];
  readonly logOutput?: string;
  /**
   * While unfinished: the mark taken right before the POST, above which its transaction appears, and the panel it was sent to. A
   * transaction that was named by its id has no mark. Earlier releases stored here where the list stood when a failure was seen.
   */
  readonly postedAfter?: Mark | PanelOnly;
  /** A failed restore's mark: it was posted, or found, above it. The next try looks above it. */
  readonly tryMark?: Mark;
  /** The transactions of the last VmRestore of the machine before it, when this one was carried out. A later one overwrites it. */
  readonly machineTransactionIds?: readonly string[];
}

/**
 * True for a restore that was posted and never seen in the list: nobody knows if it was carried out. It is an error in every run, even with
 * `wait: false`, until its transaction is known.
 */
export function isUnconfirmed({ status, transactionIds }: Pick<RestoreRecord, "status" | "transactionIds">): boolean {
  return !isFinished(status) && status !== "not sent" && transactionIds.length === 0;
}

/**
 * The machine was restored since, by the VmRestore before it: none of that one's transactions is one that this one was sent behind. Where a record
 * names none of these, because the VmRestore was put before it later or a release stored none, ids tell which was made later.
 */
export function isOverwritten(
  { transactionIds: own, machineTransactionIds }: Pick<RestoreRecord, "transactionIds" | "machineTransactionIds">,
  machineBefore: Pick<MachineBefore, "transactionIds"> | undefined,
): boolean {
  const now = machineBefore?.transactionIds ?? [];
  if (now.length === 0) return false;
  if (machineTransactionIds) return !now.some((id) => machineTransactionIds.includes(id));
  const isLater = (id: string, than: string): boolean =>
    (compareIds(id as TransactionId, than as TransactionId) ?? 0) > 0;
  return own.length > 0 && now.every((id) => own.every((than) => isLater(id, than)));
}

export function isFinished(status: string | undefined): status is FinishedStatus {
  return status === "complete" || status === "failed" || status === "cancelled";
}

const statuses = [
  "complete",
  "failed",
  "cancelled",
  "accepted",
  "pending",
  "running",
  "not sent",
  "overwritten",
] as const;
const readStatus = readOneOf(...statuses);

/** Reads every field of a record from a state. The fields are a restore's outputs beside its inputs. */
export const recordTable: ReaderTable<RestoreRecord> = {
  // A missing status, or one that this release does not know, is not an end.
  status: (stored) => readStatus(stored) ?? "unknown",
  transactionId: readText,
  transactionIds: (stored) => readTexts(stored) ?? [],
  action: readText,
  requestedAt: readText,
  startedAt: readText,
  finishedAt: readText,
  queuedSeconds: readNumber,
  durationSeconds: readNumber,
  adopted: (stored) => stored === true,
  warnings: (stored) => readTexts(stored) ?? [],
  logOutput: readText,
  postedAfter: readMark,
  tryMark: readWholeMark,
  machineTransactionIds: readTexts,
};

export const recordNames = Object.keys(recordTable) as readonly (keyof RestoreRecord)[];
