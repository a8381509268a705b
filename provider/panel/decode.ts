import { isObject, omitUndefined } from "../plain/plain";
import { engineSafeText } from "../plain/text";
import { parseJson } from "./json";
import type { Format, ListedPoint, LogItem, Page, RecoveryPointId, Transaction, TransactionId } from "./types";
import { parseXml } from "./xml";

/** A page as listed, with its number of rows: paging counts rows, not items. */
export interface DecodedPage<Item> extends Page<Item> {
  readonly rowCount: number;
}

/** A body that is not the expected list. The message says why in a few words and quotes nothing of the body. */
export class UndecodableError extends Error {}

/** The page for callers, with these items. */
export function toPage<Item>({ skipped, panelTime }: Page<Item>, items: readonly Item[]): Page<Item> {
  return { items, skipped, ...(panelTime === undefined ? {} : { panelTime }) };
}

export type Decode<Item> = (body: string, format: Format) => DecodedPage<Item>;

export const decodeTransactions: Decode<Transaction> = (body, format) =>
  decodeRows(rowsInBody(body, format, transactionNames), decodeTransaction);

export const decodeLogItems: Decode<LogItem> = (body, format) =>
  decodeRows(rowsInBody(body, format, logItemNames), decodeLogItem);

export const decodePoints: Decode<ListedPoint> = (body, format) =>
  decodeRows(rowsInBody(body, format, pointNames), decodePoint);

function rowsInBody(body: string, format: Format, names: WireNames): readonly unknown[] {
  const rows = unwrapList(format === "json" ? parseJsonBody(body) : parseXmlBody(body, names), names);
  if (rows === undefined) throw new UndecodableError(`it is no list of ${names.lists[0] ?? "items"}`);
  return rows;
}

function parseJsonBody(body: string): unknown {
  if (body.trim() === "") throw new UndecodableError("it is empty");
  try {
    return parseJson(body.replace(/^\uFEFF/, ""));
  } catch {
    throw new UndecodableError("it is not JSON, or is cut off");
  }
}

function parseXmlBody(body: string, names: WireNames): unknown {
  if (body.trim() === "") throw new UndecodableError("it is empty");
  let document;
  try {
    document = parseXml(body);
  } catch {
    throw new UndecodableError("it is not well-formed XML, or is cut off");
  }
  // A list is one by its type, whatever its name: some servers call an empty one <nil-classes>.
  if (document.isArray) return document.value;
  const root = canonicalName(document.root);
  if (names.items.includes(root)) return [document.value];
  // A root with a list's name holds rows. XML alone does not tell that one row, or none, is a list.
  if (names.lists.includes(root)) return listInElement(document.value, names);
  return root === "hash" ? document.value : undefined;
}

function listInElement(value: unknown, names: WireNames): unknown {
  if (isObject(value)) return value;
  if (value === null || (typeof value === "string" && value.trim() === "")) return [];
  throw new UndecodableError(`it is no list of ${names.lists[0] ?? "items"}`);
}

function decodeRows<Item extends { readonly id: string }>(
  rows: readonly unknown[],
  itemOf: (fields: Readonly<Record<string, unknown>>) => Item | undefined,
): DecodedPage<Item> {
  const items = new Map<string, Item>();
  let skipped = 0;
  for (const row of rows) {
    const item = isObject(row) ? itemOf(row) : undefined;
    if (item === undefined) skipped++;
    else if (!items.has(item.id)) items.set(item.id, item);
  }
  return { items: [...items.values()], skipped, rowCount: rows.length };
}

/** Undefined for a row without an id: such a row is of no use. */
function decodeTransaction(fields: Readonly<Record<string, unknown>>): Transaction | undefined {
  const row = new RowReader(fields);
  const id = row.id("id");
  if (id === undefined) return undefined;
  return omitUndefined<Transaction>({
    id: id as TransactionId,
    identifier: row.trimmedText("identifier"),
    action: row.trimmedText("action"),
    status: row.trimmedText("status"),
    parentId: row.id("parent_id"),
    parentType: row.trimmedText("parent_type"),
    associatedObjectId: row.id("associated_object_id"),
    associatedObjectType: row.trimmedText("associated_object_type"),
    dependentTransactionId: row.link("dependent_transaction_id") as TransactionId | undefined,
    chainId: row.link("chain_id"),
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
    createdAt: row.nonEmptyText("created_at"),
    updatedAt: row.nonEmptyText("updated_at"),
    startAfter: row.nonEmptyText("start_after"),
    startedAt: row.nonEmptyText("started_at"),
    finishedAt: row.nonEmptyText("finished_at"),
    fields,
  });
}

function decodeLogItem(fields: Readonly<Record<string, unknown>>): LogItem | undefined {
  const row = new RowReader(fields);
  const id = row.id("id");
  if (id === undefined) return undefined;
  return omitUndefined<LogItem>({
    id,
    action: row.trimmedText("action"),
    status: row.trimmedText("status"),
    targetId: row.id("target_id"),
    targetType: row.trimmedText("target_type"),
    createdAt: row.nonEmptyText("created_at"),
    updatedAt: row.nonEmptyText("updated_at"),
    resourceDiffId: row.id("resource_diff_id"),
    resourceDiffIds: row.ids("resource_diff_ids"),
    fields,
  });
}

function decodePoint(fields: Readonly<Record<string, unknown>>): ListedPoint | undefined {
  const row = new RowReader(fields);
  const id = row.id("id");
  if (id === undefined) return undefined;
  return omitUndefined<ListedPoint>({
    id: id as RecoveryPointId,
    state: row.nonEmptyText("state"),
    size: row.number("size"),
    createdAt: row.nonEmptyText("created_at"),
    updatedAt: row.nonEmptyText("updated_at"),
    virtualMachineId: row.id("virtual_machine_id") ?? row.id("virtual_server_id"),
    fields,
  });
}

/**
 * One row as the panel sent it, read by the names this client knows. Absent, null and wrongly typed members read as
 * undefined; `fields` still has them.
 */
class RowReader {
  /** Members with variants of documented names, by the documented name. Built only for rows that have some. */
  #variants: ReadonlyMap<string, unknown> | undefined;

  constructor(readonly fields: Readonly<Record<string, unknown>>) {}

  /** A name spelled as documented wins over its variants. */
  #value(name: string): unknown {
    if (Object.hasOwn(this.fields, name)) return this.fields[name];
    this.#variants ??= variantsIn(this.fields);
    return this.#variants.get(name);
  }

  rawText(name: string): string | undefined {
    const value = this.#value(name);
    if (typeof value === "string") return value;
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  }

  /** Without the space around it, as indented XML has some. */
  trimmedText(name: string): string | undefined {
    return this.rawText(name)?.trim();
  }

  /** Undefined for empty text. */
  nonEmptyText(name: string): string | undefined {
    const value = this.trimmedText(name);
    return value === undefined || value === "" ? undefined : value;
  }

  /** An id as text; undefined for anything but one word. */
  id(name: string): string | undefined {
    return toId(this.#value(name));
  }

  /** What a row belongs to, or waits for: 0 stands for none. */
  link(name: string): string | undefined {
    const id = this.id(name);
    return id === "0" ? undefined : id;
  }

  ids(name: string): readonly string[] | undefined {
    const value = this.#value(name);
    if (!Array.isArray(value)) return undefined;
    return value.map(toId).filter((id) => id !== undefined);
  }

  number(name: string): number | undefined {
    const value = this.#value(name);
    if (typeof value === "number") return value;
    if (typeof value !== "string" || !/^-?\d+(?:\.\d+)?$/.test(value.trim())) return undefined;
    return Number(value);
  }

  flag(name: string): boolean | undefined {
    const value = this.#value(name);
    if (typeof value === "boolean") return value;
    return value === "true" || value === 1 ? true : value === "false" || value === 0 ? false : undefined;
  }

  object(name: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.#value(name);
    return isObject(value) ? value : undefined;
  }
}

function toId(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  // Spelled as the state keeps it: a later run must know its own transaction again.
  return /^[\x21-\x7e]{1,128}$/.test(text) ? engineSafeText(text) : undefined;
}

const noVariants: ReadonlyMap<string, unknown> = new Map();

function variantsIn(fields: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const variants = Object.keys(fields).filter((name) => /[A-Z-]/.test(name));
  return variants.length === 0 ? noVariants : new Map(variants.map((name) => [canonicalName(name), fields[name]]));
}

/** The names of one kind of item on the wire: as a list, and as an item or the wrapper of items. */
interface WireNames {
  readonly lists: readonly string[];
  readonly items: readonly string[];
}

const transactionNames: WireNames = { lists: ["transactions"], items: ["transaction"] };
const pointNames: WireNames = { lists: ["recovery_points"], items: ["recovery_point"] };
const logItemNames: WireNames = { lists: ["log_items", "logs"], items: ["log_item", "log"] };

/** Panels write some names with hyphens in XML. */
function canonicalName(name: string): string {
  return name.replaceAll("-", "_").toLowerCase();
}

/**
 * The rows of a list in any wrapping: bare, each row in an object of its own, the whole in an object, one row alone.
 * Undefined if the value is no list of this kind.
 */
function unwrapList(value: unknown, names: WireNames): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.map((row: unknown) => unwrapRow(row, names));
  if (!isObject(value)) return undefined;
  const list = memberNamed(value, names.lists);
  if (list === null) return [];
  if (list !== undefined) return unwrapList(list, names) ?? (isObject(list) ? [list] : undefined);
  const item = memberNamed(value, names.items);
  if (item === null) return [];
  return item === undefined ? undefined : unwrapList(Array.isArray(item) ? item : [item], names);
}

function unwrapRow(row: unknown, names: WireNames): unknown {
  if (!isObject(row)) return row;
  const item = Object.keys(row).length === 1 ? memberNamed(row, names.items) : undefined;
  return item === undefined ? row : item;
}

function memberNamed(object: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  for (const key of Object.keys(object)) {
    if (names.includes(canonicalName(key))) return object[key];
  }
  return undefined;
}
