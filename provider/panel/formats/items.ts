import { present } from "../../plain/present";
import { RowReader } from "./row";
import type { LogItem, Transaction, TransactionId } from "../terms/types";

/** Undefined for a row without an id, which nothing could be done with. */
export function transactionOf(fields: Readonly<Record<string, unknown>>): Transaction | undefined {
  const row = new RowReader(fields);
  const id = row.id("id");
  if (id === undefined) return undefined;
  return present<Transaction>({
    id: id as TransactionId,
    identifier: row.text("identifier"),
    action: row.text("action"),
    status: row.text("status"),
    parentId: row.id("parent_id"),
    parentType: row.text("parent_type"),
    associatedObjectId: row.id("associated_object_id"),
    associatedObjectType: row.text("associated_object_type"),
    dependentTransactionId: row.id("dependent_transaction_id") as TransactionId | undefined,
    chainId: row.id("chain_id"),
    lockVersion: row.number("lock_version"),
    params: row.object("params"),
    // Lists without `detailed` may carry the field empty, which tells as little as leaving it out.
    logOutput: row.filled("log_output"),
    userId: row.id("user_id"),
    actor: row.text("actor"),
    pid: row.number("pid"),
    priority: row.number("priority"),
    allowedCancel: row.flag("allowed_cancel"),
    scheduled: row.flag("scheduled"),
    createdAt: row.filled("created_at"),
    updatedAt: row.filled("updated_at"),
    startAfter: row.filled("start_after"),
    startedAt: row.filled("started_at"),
    finishedAt: row.filled("finished_at"),
    fields,
  });
}

export function logItemOf(fields: Readonly<Record<string, unknown>>): LogItem | undefined {
  const row = new RowReader(fields);
  const id = row.id("id");
  if (id === undefined) return undefined;
  return present<LogItem>({
    id,
    action: row.text("action"),
    status: row.text("status"),
    targetId: row.id("target_id"),
    targetType: row.text("target_type"),
    createdAt: row.filled("created_at"),
    updatedAt: row.filled("updated_at"),
    resourceDiffId: row.id("resource_diff_id"),
    resourceDiffIds: row.ids("resource_diff_ids"),
    fields,
  });
}
