import { isObject, omitUndefined } from "../plain/plain";
import { names } from "./conventions";
import { type ConfiguredWords, factsReader, noWords, type ReadFacts } from "./facts";
import { type ListFields, rowStatus, usableRowsCheck } from "./fields";
import { type Answer, findRows, logList, pointList, transactionList, UndecodableError } from "./find-rows";
import { parseJson } from "./json";
import { idOf, rowReaders, type RowReader, valueAt } from "./row-reader";
import type { Format, ListedPoint, ListedRow, ListedLogItem, Page, RecoveryPointId, ListedTransaction } from "./types";
import { parseXml } from "./xml";

/** A page as the panel lists it. It includes the number of rows, because paging counts rows rather than items. */
export interface DecodedPage<Item> extends Page<Item> {
  readonly rowCount: number;
}

export function toPage<Item>({ skipped, panelTime }: Page<Item>, items: readonly Item[]): Page<Item> {
  return { items, skipped, ...(panelTime === undefined ? {} : { panelTime }) };
}

/** `now`: the time by the panel's clock or, if unknown, by the runner's. */
export type Decode<Item> = (body: string, format: Format, now?: number) => DecodedPage<Item>;

export function transactionDecoder(
  fields: ListFields = {},
  configured: ConfiguredWords = noWords,
  check = usableRowsCheck(fields),
): Decode<ListedTransaction> {
  const readFacts = factsReader(fields, configured);
  return (body, format, now) => {
    const rows = findRows(parseBody(body, format), transactionList, fields);
    const readers = readersOf(rows);
    if (rows.length > 0) check(readers);
    return pageOf(rows.length, readers, (row) => decodeTransaction(row, fields, readFacts(row, now)));
  };
}

export const decodeLogItems: Decode<ListedLogItem> = (body, format) => {
  const rows = findRows(parseBody(body, format), logList);
  const objects = rows.map((row) => (typeof row === "string" && row.trim() !== "" ? { text: row } : row));
  return pageOf(rows.length, readersOf(objects), decodeLogItem);
};

export const decodePoints: Decode<ListedPoint> = (body, format) => {
  const rows = findRows(parseBody(body, format), pointList);
  return pageOf(rows.length, readersOf(rows), decodePoint);
};

function parseBody(body: string, format: Format): Answer {
  if (body.trim() === "") throw new UndecodableError("it is empty");
  try {
    if (format === "json") return { format, value: parseJson(body.trimStart()) };
    const { root, value } = parseXml(body);
    return { format, value: { [root]: value } };
  } catch {
    throw new UndecodableError(`it is not well-formed ${format.toUpperCase()}, or is cut off`);
  }
}

function readersOf(rows: readonly unknown[]): readonly RowReader[] {
  return rows.filter(isObject).map(rowReaders());
}

function pageOf<Item extends ListedRow>(
  rowCount: number,
  rows: readonly RowReader[],
  itemOf: (row: RowReader) => Item | undefined,
): DecodedPage<Item> {
  const ids = new Set<string>();
  const items: Item[] = [];
  let skipped = rowCount - rows.length;
  for (const row of rows) {
    const item = itemOf(row);
    if (item === undefined) skipped++;
    else if (item.id === undefined || !ids.has(item.id)) items.push(item);
    if (item?.id !== undefined) ids.add(item.id);
  }
  return { items, skipped, rowCount };
}

/** Undefined for a row without an id, because such a row cannot be followed. */
function decodeTransaction(
  row: RowReader,
  at: ListFields,
  facts: ReturnType<ReadFacts>,
): ListedTransaction | undefined {
  if (facts === undefined) return undefined;
  const { id, action, createdAt, startedAt, finishedAt, updatedAt, startAfter } = facts;
  return omitUndefined<ListedTransaction>({
    id,
    identifier: row.trimmedText("identifier"),
    action,
    status: rowStatus(row, at),
    parentId: row.id("parent_id"),
    parentType: row.trimmedText("parent_type"),
    associatedObjectId: row.id("associated_object_id"),
    associatedObjectType: row.trimmedText("associated_object_type"),
    dependentTransactionId: facts.after,
    chainId: facts.chain,
    lockVersion: row.number("lock_version"),
    params: row.object("params"),
    // Without `detailed`, the field may be present but empty, which means the same as absent.
    logOutput: row.rawText("log_output") || undefined,
    userId: row.id("user_id"),
    actor: row.trimmedText("actor"),
    pid: row.number("pid"),
    priority: row.number("priority"),
    allowedCancel: row.flag("allowed_cancel"),
    scheduled: row.flag("scheduled"),
    createdAt,
    updatedAt,
    startAfter,
    startedAt,
    finishedAt,
    facts,
    fields: row.fields,
  });
}

function decodeLogItem(row: RowReader): ListedLogItem {
  const transaction = row.value("transaction");
  const named = row.id("transaction_id") ?? idOf(isObject(transaction) ? valueAt(transaction, "id") : transaction);
  const targetId = row.id("target_id");
  const targetType = row.trimmedText("target_type");
  const isTarget = targetId === undefined && named !== undefined;
  return omitUndefined<ListedLogItem>({
    id: row.id("id", "log_id", "uuid", "item_id"),
    action: row.trimmedText("action"),
    status: row.trimmedText("status"),
    targetId: targetId ?? named,
    targetType: isTarget ? "Transaction" : targetType,
    transactionId: /^transaction$/i.test(targetType ?? "") ? (targetId ?? named) : named,
    createdAt: row.stamp(...names.created),
    updatedAt: row.stamp("updated_at"),
    resourceDiffId: row.id("resource_diff_id"),
    resourceDiffIds: row.ids("resource_diff_ids"),
    fields: row.fields,
  });
}

function decodePoint(row: RowReader): ListedPoint | undefined {
  const id = row.id("id");
  if (id === undefined) return undefined;
  return omitUndefined<ListedPoint>({
    id: id as RecoveryPointId,
    state: row.nonEmptyText("state"),
    size: row.number("size"),
    createdAt: row.stamp("created_at"),
    virtualMachineId: row.id("virtual_machine_id") ?? row.id("virtual_server_id"),
    fields: row.fields,
  });
}
