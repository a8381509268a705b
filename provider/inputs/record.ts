import { deepEqual, omitUndefinedDeep, type Properties } from "../plain/plain";
import { readNumber, readOneOf, readStored, readText, readTexts, type ReaderTable } from "../plain/stored-fields";
import type { Mark } from "./intent";
import { readMark } from "./restore-inputs";

export type FinishedStatus = "complete" | "failed" | "cancelled";
/** `sent` means posted, but not listed by the panel yet. */
export type UnfinishedStatus = "sent" | "pending" | "running";
export type RestoreStatus = FinishedStatus | UnfinishedStatus;

/** Everything known about a restore, as plain data. It becomes the resource's outputs, and a later run resumes from it. */
export interface RestoreRecord {
  readonly status: RestoreStatus;
  /** The transaction that does the restoring. If there are several transactions, their actions show which one does. */
  readonly transactionId?: string;
  /** All transactions of the restore, oldest first. */
  readonly transactionIds: readonly string[];
  readonly action?: string;
  readonly requestedAt?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly queuedSeconds?: number;
  readonly durationSeconds?: number;
  /** The transaction that failed in the same job, although the restore itself is complete. Never retried automatically. */
  readonly failedPart?: string;
  /** The transactions of earlier attempts, which all failed. They are stored because someone may have the panel run them again. */
  readonly failedBefore?: readonly string[];
  readonly adopted: boolean;
  /** The recovery point that the adopted transaction names. */
  readonly adoptedPoint?: string;
  /** True if the unfinished restore was recognized only because it appeared right after the request, so another row without a machine may be the restore. */
  readonly isGuess?: boolean;
  readonly warnings: readonly string[];
  readonly logOutput?: string;
  /** The next run searches above this mark: the mark used to post or find the restore or, after a failure, the top of the list at that time. */
  readonly mark?: Mark;
}

export function isFinished(status: string | undefined): status is FinishedStatus {
  return status === "complete" || status === "failed" || status === "cancelled";
}

/** True if the restore itself failed. If only a later part failed, the restore is complete. */
export const isFailure = ({ status, failedPart }: { status: string; failedPart?: string | undefined }): boolean =>
  status === "failed" && failedPart === undefined;

const readStatus = readOneOf("complete", "failed", "cancelled", "sent", "pending", "running");

/** Reads every field of a record from a state. The fields are the outputs of a restore that are not inputs. */
const recordTable: ReaderTable<RestoreRecord> = {
  // A missing or unknown status is not final, so every run checks it again.
  status: (stored) => readStatus(stored) ?? "sent",
  transactionId: readText,
  transactionIds: (stored) => readTexts(stored) ?? [],
  action: readText,
  requestedAt: readText,
  startedAt: readText,
  finishedAt: readText,
  queuedSeconds: readNumber,
  durationSeconds: readNumber,
  failedPart: readText,
  failedBefore: readTexts,
  adopted: (stored) => stored === true,
  adoptedPoint: readText,
  isGuess: (stored) => stored === true || undefined,
  warnings: (stored) => readTexts(stored) ?? [],
  logOutput: readText,
  mark: readMark,
};

/**
 * The record in a restore's stored outputs. An unreadable field is treated as absent. But a failed restore is sent again only if every field that could
 * forbid this is readable; otherwise its end is treated as unknown and is looked up on the panel.
 */
export function readRestoreRecord(outputs: Properties): RestoreRecord {
  const record = omitUndefinedDeep(readStored(recordTable, outputs)) as RestoreRecord;
  const isRead = fieldsOfFailure.every((name) => deepEqual(record[name] ?? [], outputs[name] ?? []));
  return record.status === "failed" && !isRead ? { ...record, status: "sent" } : record;
}

const fieldsOfFailure = ["transactionIds", "failedBefore", "failedPart", "mark"] as const;

export const recordNames = Object.keys(recordTable) as readonly (keyof RestoreRecord)[];

/** The record's fields, except those that only later runs need. */
export const shownRecordNames = recordNames.filter(
  (name) => !["mark", "isGuess", "failedBefore", "adoptedPoint"].includes(name),
);
