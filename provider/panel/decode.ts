import { parseStamp } from "../plain/clock";
import { isObject, omitUndefined } from "../plain/plain";
import { type ListFields, rowId, rowStatus, textAt, usableRowsCheck } from "./fields";
import { type Answer, findRows, logList, pointList, transactionList, UndecodableError } from "./find-rows";
import { parseJson } from "./json";
import { first, idOf, rowReaders, type RowReader, stampOf, textOf, valueAt } from "./row-reader";
import {
  codeNames,
  errorNames,
  isCode,
  isGoodCode,
  knownStatus,
  noErrors,
  noValues,
  noWords,
  resultNames,
  statusNames,
  successNames,
} from "./status-words";
import type {
  EndFields,
  Format,
  ListedPoint,
  ListedRow,
  LogItem,
  Page,
  RecoveryPointId,
  Transaction,
  TransactionId,
} from "./types";
import { parseXml } from "./xml";

/** A page as listed, with its number of rows: paging counts rows, not items. */
export interface DecodedPage<Item> extends Page<Item> {
  readonly rowCount: number;
}

/** The page for callers, with these items. */
export function toPage<Item>({ skipped, panelTime }: Page<Item>, items: readonly Item[]): Page<Item> {
  return { items, skipped, ...(panelTime === undefined ? {} : { panelTime }) };
}

/** `now`: the panel's clock, or the runner's. */
export type Decode<Item> = (body: string, format: Format, now?: number) => DecodedPage<Item>;

/** The decoder of one panel's transactions. It throws `UnusableRows` if a list cannot be used. */
export function transactionDecoder(fields: ListFields = {}, check = usableRowsCheck(fields)): Decode<Transaction> {
  return (body, format, now) => {
    const rows = findRows(parseBody(body, format), transactionList, fields);
    const readers = readersOf(rows);
    if (rows.length > 0) check(readers);
    return pageOf(rows.length, readers, (row) => decodeTransaction(row, fields, now));
  };
}

export const decodeLogItems: Decode<LogItem> = (body, format) => {
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
    if (format === "json") return { format, value: parseJson(body.replace(/^\uFEFF/, "")) };
    const { root, value } = parseXml(body);
    return { format, value: { [root]: value } };
  } catch {
    throw new UndecodableError(`it is not ${format === "json" ? "JSON" : "well-formed XML"}, or is cut off`);
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

const createdNames = ["created_at", "created", "requested_at", "queued_at", "time"];
const finishedNames = ["finished_at", "completed_at", "ended_at", "end_time"];

/** Undefined for a row without an id, which is useless. */
function decodeTransaction(row: RowReader, at: ListFields, now: number | undefined): Transaction | undefined {
  const id = rowId(row, at);
  if (id === undefined) return undefined;
  const createdAt = at.requested ? stampOf(textAt(row, at.requested)) : row.stamp(...createdNames);
  const startedAt = at.started ? stampOf(textAt(row, at.started)) : row.stamp("started_at", "start_time");
  const finishedAt = at.finished ? stampOf(textAt(row, at.finished)) : row.stamp(...finishedNames);
  const times = omitUndefined({ began: startedAt ?? createdAt, ended: finishedAt });
  const machine = at.machine && textAt(row, at.machine);
  const point = at.point && textAt(row, at.point);
  return omitUndefined<Transaction>({
    id: id as TransactionId,
    identifier: row.trimmedText("identifier"),
    action: at.action ? textAt(row, at.action) : actionOf(row),
    status: rowStatus(row, at),
    parentId: row.id("parent_id"),
    parentType: row.trimmedText("parent_type"),
    associatedObjectId: row.id("associated_object_id"),
    associatedObjectType: row.trimmedText("associated_object_type"),
    dependentTransactionId: row.link("dependent_transaction_id") as TransactionId | undefined,
    chainId: at.job ? textAt(row, at.job) : row.link("chain_id"),
    lockVersion: row.number("lock_version"),
    params: row.object("params"),
    // Lists without `detailed` may carry an empty field, which means the same as none.
    logOutput: row.rawText("log_output") || undefined,
    userId: row.id("user_id"),
    actor: row.trimmedText("actor"),
    pid: row.number("pid"),
    priority: row.number("priority"),
    allowedCancel: row.flag("allowed_cancel"),
    scheduled: row.flag("scheduled"),
    createdAt,
    updatedAt: row.stamp("updated_at"),
    startAfter: row.stamp("start_after"),
    startedAt,
    finishedAt,
    named: machine || point ? omitUndefined({ machine, point }) : undefined,
    endFields: endFields(row, { ...times, isNamed: at.status !== undefined, now }),
    fields: row.fields,
  });
}

/** What the fields beside a row's status say of its end. Undefined where they say nothing. `isNamed`: the setting `fields` has the status. */
function endFields(
  row: RowReader,
  { isNamed, began, ended, now }: { isNamed: boolean; began?: string; ended?: string; now: number | undefined },
): EndFields | undefined {
  const texts = (names: readonly string[]): readonly string[] =>
    names.map((name) => row.nonEmptyText(name)).filter((text) => text !== undefined);
  const statuses = isNamed ? [] : texts(statusNames).slice(1);
  const results = texts(resultNames).filter((text) => !noValues(text));
  const found = omitUndefined<EndFields>({
    statuses: statuses.length > 0 ? statuses : undefined,
    results: results.length > 0 ? results : undefined,
    against: againstIn(row),
    isPast: isPast(began, ended, now) || undefined,
  });
  return Object.keys(found).length > 0 ? found : undefined;
}

/** The first field that contradicts a good end, with its text. */
function againstIn(row: RowReader): string | undefined {
  const isAgainst = (name: string): boolean => {
    const value = row.value(name);
    const text = textOf(value)?.trim() ?? "";
    if (successNames.includes(name)) return noWords(text);
    // A word in it is of a second field, see `resultNames`.
    if (name === "exit_status" && !isCode(text)) return false;
    return !saysNothing(value) && !(codeNames.includes(name) && isGoodCode(text));
  };
  const name = [...errorNames, ...successNames, ...codeNames].find(isAgainst);
  if (name === undefined) return undefined;
  const text = (row.trimmedText(name) ?? "").replaceAll(/\s+/g, " ");
  return text === "" ? name : `${name}: ${text.length > mostShown ? `${text.slice(0, mostShown)}…` : text}`;
}

const mostShown = 60;

/** Whether the value of an error says that there is none. */
export function saysNothing(value: unknown): boolean {
  if (Array.isArray(value) || isObject(value)) return Object.values(value).every(saysNothing);
  const text = textOf(value) ?? "";
  return noValues(text) || noWords(text) || noErrors(text) || knownStatus(text) === "complete";
}

/** A panel may write when a row is expected to end, or fill both stamps when it makes the row. */
function isPast(began: string | undefined, ended: string | undefined, now = -Infinity): boolean {
  const [from, to] = [parseStamp(began), parseStamp(ended)];
  return from !== undefined && to?.namesZone === from.namesZone && from.at < to.at && to.at <= now;
}

/** Fields of these names may be anything, so they are the action only of a restore. */
const perhapsActions = ["type", "operation", "op", "kind", "task", "job"];

function actionOf(row: RowReader): string | undefined {
  const isRestore = (text: string | undefined): boolean => /restore/i.test(text ?? "");
  return (
    row.nonEmptyText("action") ??
    first(perhapsActions, (name) => {
      const text = row.nonEmptyText(name);
      return isRestore(text) ? text : undefined;
    })
  );
}

function decodeLogItem(row: RowReader): LogItem {
  const transaction = row.value("transaction");
  const named = row.id("transaction_id") ?? idOf(isObject(transaction) ? valueAt(transaction, "id") : transaction);
  const targetId = row.id("target_id");
  const targetType = row.trimmedText("target_type");
  const target = targetId === undefined && named !== undefined ? { id: named, type: "Transaction" } : undefined;
  return omitUndefined<LogItem>({
    id: row.id("id", "log_id", "uuid", "item_id"),
    action: row.trimmedText("action"),
    status: row.trimmedText("status"),
    targetId: targetId ?? target?.id,
    targetType: target?.type ?? targetType,
    transactionId: /^transaction$/i.test(targetType ?? "") ? (targetId ?? named) : named,
    createdAt: row.stamp(...createdNames),
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
    createdAt: row.nonEmptyText("created_at"),
    updatedAt: row.nonEmptyText("updated_at"),
    virtualMachineId: row.id("virtual_machine_id") ?? row.id("virtual_server_id"),
    fields: row.fields,
  });
}
