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
   * transaction that was named by its id no mark was taken. Of one that an earlier run has posted and that turned out to have failed: where
   * the list stood then.
   */
  readonly postedAfter?: Mark | PanelAlone;
}

/** When one was posted that was not seen in the panel's list; undefined of any other, and where that is not told. */
export function unlistedSince({ status, transactionIds, postedAfter }: RestoreRecord): number | undefined {
  if (isFinished(status) || transactionIds.length > 0 || postedAfter === undefined) return undefined;
  const at = Date.parse("takenAt" in postedAfter ? (postedAfter.takenAt ?? "") : "");
  return Number.isNaN(at) ? undefined : at;
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
