import type { Mark, PanelAlone } from "./intent";

export type FinishedStatus = "complete" | "failed" | "cancelled";
export type UnfinishedStatus = "accepted" | "unknown" | "pending" | "running";

/** What is known of a restore: plain data, the same that becomes the resource's outputs and is resumed from. */
export interface RestoreRecord {
  readonly status: FinishedStatus | UnfinishedStatus;
  /** The transaction that is the restore; of a chain, the one whose action says so. */
  readonly transactionId?: string;
  /** All transactions it consists of, oldest first. */
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
   * While unfinished: the mark taken right before the POST, above which its transaction appears, and the panel it was sent to. Of a
   * transaction that was named by its id no mark was taken. Of one that has failed: where the list stood when that was seen.
   */
  readonly postedAfter?: Mark | PanelAlone;
}

/**
 * Posted, and not seen listed: whether it was carried out nobody knows. An error in every run, whatever is waited for, until its
 * transaction is known.
 */
export function isUnaccounted({ status, transactionIds }: Pick<RestoreRecord, "status" | "transactionIds">): boolean {
  return !isFinished(status) && transactionIds.length === 0;
}

export function isFinished(status: string | undefined): status is FinishedStatus {
  return status === "complete" || status === "failed" || status === "cancelled";
}

/** What a restore's record may hold: every output of a restore that is not one of its inputs. */
export const recordNames = [
  "status",
  "transactionId",
  "transactionIds",
  "action",
  "requestedAt",
  "startedAt",
  "finishedAt",
  "queuedSeconds",
  "durationSeconds",
  "adopted",
  "warnings",
  "logOutput",
  "postedAfter",
] as const;
