import type { Mark, PanelOnly } from "./intent";
import { readMark, readWholeMark } from "./restore-inputs";

export type FinishedStatus = "complete" | "failed" | "cancelled";
type UnfinishedStatus = "accepted" | "unknown" | "pending" | "running";

/** The known facts of a restore. Plain data: they become the resource's outputs, and a later run resumes from them. */
export interface RestoreRecord {
  readonly status: FinishedStatus | UnfinishedStatus;
  /** The restore's transaction. In a chain, the one whose action is a restore. */
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
   * Unfinished: the panel, and the mark taken right before the POST, above which the transaction appears; a transaction named by its id has
   * no mark. Failed: the mark taken when the failure was seen. Absent for other ends.
   */
  readonly postedAfter?: Mark | PanelOnly;
  /** Of one that has failed: the mark above which it was posted, or found. The next try looks above it. */
  readonly tryMark?: Mark;
}

/**
 * True for a restore that was posted and never seen in the list: nobody knows if it was carried out. It is an error in every run, even with
 * `wait: false`, until its transaction is known.
 */
export function isUnconfirmed({ status, transactionIds }: Pick<RestoreRecord, "status" | "transactionIds">): boolean {
  return !isFinished(status) && transactionIds.length === 0;
}

export function isFinished(status: string | undefined): status is FinishedStatus {
  return status === "complete" || status === "failed" || status === "cancelled";
}

type FieldReader<Name extends keyof RestoreRecord> = (stored: unknown) => RestoreRecord[Name] | undefined;

/** Reads every field of a record from a state. The fields are a restore's outputs beside its inputs. A value of the wrong type is absent. */
export const recordTable: { readonly [Name in keyof RestoreRecord]-?: FieldReader<Name> } = {
  // A missing status, or one that this release does not know, is not an end.
  status: (stored) => statuses.find((status) => status === stored) ?? "unknown",
  transactionId: readText,
  transactionIds: readTexts,
  action: readText,
  requestedAt: readText,
  startedAt: readText,
  finishedAt: readText,
  queuedSeconds: readNumber,
  durationSeconds: readNumber,
  adopted: (stored) => stored === true,
  warnings: readTexts,
  logOutput: readText,
  postedAfter: readMark,
  tryMark: readWholeMark,
};

export const recordNames = Object.keys(recordTable) as readonly (keyof RestoreRecord)[];

const statuses = ["complete", "failed", "cancelled", "accepted", "pending", "running"] as const;

function readText(stored: unknown): string | undefined {
  return typeof stored === "string" ? stored : undefined;
}

function readTexts(stored: unknown): readonly string[] {
  return Array.isArray(stored) ? stored.filter((item): item is string => typeof item === "string") : [];
}

function readNumber(stored: unknown): number | undefined {
  return typeof stored === "number" ? stored : undefined;
}
