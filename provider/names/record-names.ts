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
