import type { NewestPage } from "../../../provider/feed/types";
import { isDecimalId, type Transaction, type TransactionId } from "../../../provider/panel/types";
import { type Chain, type Row, rowOf } from "../../../provider/rows/chains";
import type { ConfiguredWords } from "../../../provider/rows/words";
import type { Intent, Mark, RestoreRequest, RestoreTarget, Timeouts } from "../../../provider/inputs/intent";
import type { RestoreRecord } from "../../../provider/inputs/record";

export const panelAddress = "https://panel.test";

export type RowFields = Partial<Omit<Transaction, "id" | "dependentTransactionId">> & {
  readonly dependentTransactionId?: string;
};

/** A row as the panel client hands it over. Only what a test names is told. */
export function transaction(id: string | number, fields: RowFields = {}): Transaction {
  return { id: String(id) as TransactionId, fields: {}, ...(fields as Partial<Transaction>) };
}

export function row(id: string | number, fields: RowFields = {}): Row {
  return rowOf(transaction(id, fields));
}

/** Of machine 42, by its associated object. */
export function ours(id: string | number, fields: RowFields = {}): Row {
  return row(id, { ...ofMachine("42"), action: "restore_recovery_point", status: "pending", ...fields });
}

export function ofMachine(id: string): RowFields {
  return { associatedObjectType: "VirtualMachine", associatedObjectId: id };
}

export function chain(first: Row, ...rest: Row[]): Chain {
  return [first, ...rest];
}

/** A row without the parts that only a panel's answer has, made an answer's row again. */
export function listed(of: Row): Transaction {
  return { ...of, fields: {} };
}

export const plainWords: ConfiguredWords = { restoreActions: [], completeStatuses: [], failedStatuses: [] };

export const target: RestoreTarget = { kind: "VmRestore", virtualMachineId: "42", recoveryPointId: "1007" };

export const minute = 60_000;

export const timeouts: Timeouts = {
  busyMs: 30 * minute,
  listedMs: 2 * minute,
  queueMs: 60 * minute,
  runMs: 240 * minute,
};

export function requestOf(changes: Partial<RestoreRequest> = {}): RestoreRequest {
  return {
    name: "web",
    target,
    timeouts,
    wait: true,
    adopt: "auto",
    retryFailed: true,
    captureLog: "onFailure",
    ...changes,
  };
}

export function markAt(newestId?: string, changes: Partial<Mark> = {}): Mark {
  return {
    panel: panelAddress,
    ...(newestId === undefined ? { firstPageIds: [] } : { newestId }),
    ...(newestId !== undefined && !isDecimalId(newestId) && { firstPageIds: [newestId] }),
    ...changes,
  };
}

export function intentOf(changes: Partial<Intent> = {}): Intent {
  return {
    id: "this-process-1",
    urn: "urn:pulumi:dev::drill::pulumi-nodejs:dynamic/recovery:RestoreIntent::web-intent",
    after: "none",
    mark: markAt("5000"),
    madeFor: target,
    ...changes,
  };
}

export function recordWith(changes: Partial<RestoreRecord> = {}): RestoreRecord {
  return { status: "running", transactionIds: [], adopted: false, warnings: [], ...changes };
}

export function newestPageOf(rows: readonly Row[], readAt = 0, panelTime?: number): NewestPage {
  return {
    rows: rows.map(listed),
    readAt,
    answeredAt: readAt,
    wallTime: new Date(readAt),
    ...(panelTime !== undefined && { panelTime }),
  };
}
