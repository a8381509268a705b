import type { Transaction } from "../panel/terms/types";

/**
 * Two readings of a row with the same fingerprint tell a wait the same thing. Log output and params are left
 * out: they may hold secrets, and whoever changes them touches `updatedAt` or `lockVersion` as well.
 */
export function fingerprint(row: Transaction): string {
  return JSON.stringify([
    row.status,
    row.action,
    row.startedAt,
    row.finishedAt,
    row.updatedAt,
    row.createdAt,
    row.startAfter,
    row.lockVersion,
    row.chainId,
    row.dependentTransactionId,
    row.identifier,
    row.associatedObjectType,
    row.associatedObjectId,
    row.parentType,
    row.parentId,
    row.scheduled,
    row.allowedCancel,
    row.pid,
    row.actor,
    row.userId,
    row.priority,
  ]);
}
