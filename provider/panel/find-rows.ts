import { entriesOf, isObject } from "../plain/plain";
import { type ListFields, UnusableRows } from "./fields";
import { bareName } from "./conventions";
import { first, idOf, textOf, valueAt } from "./row-reader";
import type { Format } from "./types";

/** Thrown for a body that is not the expected list. The message says why in a few words, and does not quote the body. */
export class UndecodableError extends Error {}

/** One kind of list. Names are bare: see `bareName`. */
export interface ListKind {
  readonly name: string;
  /** The list's possible names, in order of preference. In an answer with several lists, they take precedence over the names in `anyList`. */
  readonly lists: readonly string[];
  readonly item: string;
  readonly hasLines?: boolean;
}

const anyList = ["data", "items", "results"];
export const transactionList: ListKind = { name: "transactions", lists: ["transactions"], item: "transaction" };
export const logList: ListKind = {
  name: "log_items",
  lists: ["logitems", "logs", "log"],
  item: "logitem",
  hasLines: true,
};
export const pointList: ListKind = { name: "recovery_points", lists: ["recoverypoints"], item: "recoverypoint" };

/** The parsed answer; for XML, an object with the root as its only member. */
export interface Answer {
  readonly format: Format;
  readonly value: unknown;
}

/** The answer itself (null is an empty list), or its only array of objects, at most two levels down. In XML, nothing marks a list with one item or none. */
export function findRows({ format, value }: Answer, kind: ListKind, fields: ListFields = {}): readonly unknown[] {
  const isXml = format === "xml";
  const body = isXml ? entriesOf(value)[0]?.[1] : value;
  const path = fields.list;
  const rows =
    (path === undefined ? undefined : rowsAt(body, path)) ??
    (value === null ? [] : Array.isArray(value) ? value : rowsIn(membersOf(value, isXml ? 3 : 2), kind, isXml, fields));
  if (rows === undefined) {
    const isDeeper = kind === transactionList && membersOf(value, 8).some((one) => isList(one.value) && !isError(one));
    const hint = ', unless recovery:fields names the list in it, like "list=response.data.transactions"';
    throw new UndecodableError(`it is not a list of ${kind.name}${isDeeper ? hint : ""}`);
  }
  if (path !== undefined && rows.length > 0 && valueAt(body, path) === undefined)
    throw unnamed(`recovery:fields names "${path}" as the list, but the response does not contain it`, fields);
  return rows.map(withoutWrapper);
}

const unnamed = (problem: string, fields: ListFields) => new UnusableRows(problem, { ...fields, list: "" });

/** The list that the setting names. Null is an empty list. */
function rowsAt(body: unknown, path: string): readonly unknown[] | undefined {
  const found = valueAt(body, path);
  return found === null || isList(found) ? (found ?? []) : isObject(found) ? [found] : undefined;
}

interface Member {
  readonly key: string;
  readonly name: string;
  readonly value: unknown;
}

function membersOf(value: unknown, levels: number): readonly Member[] {
  const members: Member[] = [];
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth < levels; depth++) {
    const below = level.filter(isObject).flatMap((object) => Object.entries(object));
    members.push(...below.map(([key, inner]) => ({ key, name: bareName(key), value: inner })));
    level = below.map(([, inner]) => inner);
  }
  return members;
}

function rowsIn(
  members: readonly Member[],
  kind: ListKind,
  isXml: boolean,
  fields: ListFields,
): readonly unknown[] | undefined {
  const names = [...kind.lists, ...anyList];
  const lists = members.filter(
    (member): member is Member & { readonly value: readonly unknown[] } =>
      !isError(member) && isList(member.value, kind.hasLines),
  );
  const filled = lists.filter(({ value }) => value.length > 0);
  const rows =
    named(lists, names)?.value ??
    oneOrMore(named(members, [kind.item])?.value) ??
    rowsInElement(members, kind, isXml) ??
    (isXml && members[0] ? rowsInOnly(members[0]) : undefined) ??
    filled[0]?.value ??
    lists[0]?.value ??
    (isNullList(members, names, kind) ? [] : undefined);
  if (rows === filled[0]?.value && filled.length > 1 && named(lists, names) === undefined) {
    if (kind !== transactionList) return undefined;
    throw unnamed(`the response contains several lists: ${filled.map(({ key }) => key).join(", ")}`, fields);
  }
  // If an answer reports an error, an empty list proves nothing.
  const isFailure = rows?.length === 0 && members.some((member) => isError(member) && !isBlank(member.value));
  return isFailure ? undefined : rows;
}

/** Some panels send null for an empty list. Beside a total, or in the answer for a log, on which nothing depends if it is empty, it may have any name. */
function isNullList(members: readonly Member[], names: readonly string[], { hasLines = false }: ListKind): boolean {
  const [only, ...others] = members.filter(({ value }) => typeof value !== "number");
  const isOnly = others.length === 0 && (hasLines || members.length > 1);
  const list = named(members, names) ?? (isOnly ? only : undefined);
  return list?.value === null && !isError(list);
}

function named<T extends Member>(members: readonly T[], names: readonly string[]): T | undefined {
  return first(names, (name) => members.find((member) => member.name === name));
}

/** The items of an element with a list's name. Such an element may also contain paging numbers and, for a log, the name of its machine. */
function rowsInElement(members: readonly Member[], kind: ListKind, isXml: boolean): readonly unknown[] | undefined {
  for (const { name, value } of members) {
    const isNamed = kind.lists.includes(name) || (isXml && (anyList.includes(name) || name.endsWith("list")));
    if (!isNamed) continue;
    if (isXml && isBlank(value)) return [];
    if (!isObject(value)) continue;
    const inner = Object.values(value);
    const items = inner.filter((member) => isObject(member) || (isList(member) && member.length > 0));
    if (items.length === 1) return oneOrMore(items[0]);
    if (items.length > 0) continue;
    if (idOf(valueAt(value, "id")) !== undefined) return [value];
    const isAside = (member: unknown): boolean =>
      kind.hasLines === true ? typeof member !== "object" : /^\s*\d*\s*$/.test(textOf(member) ?? "");
    if (inner.every(isAside)) return [];
  }
  return undefined;
}

/** An XML list whose name does not mark it as a list: at any depth, the only element there. `<tasks/>`, `<tasks total="1"><task>…</task></tasks>`. */
function rowsInOnly(member: Member): readonly unknown[] | undefined {
  const { value } = member;
  if (isError(member)) return undefined;
  if (value === null || (typeof value === "string" && value.trim() === "")) return [];
  if (!isObject(value)) return undefined;
  const isPaging = ({ name, value: text }: Member): boolean =>
    /page|total|count|size|limit|offset/.test(name) && /^\s*\d+\s*$/.test(textOf(text) ?? "");
  const [only, another] = membersOf(value, 1).filter((inner) => !isPaging(inner));
  if (only === undefined) return [];
  if (another !== undefined) return undefined;
  if (isList(only.value) && !isError(only)) return only.value;
  return idOf(valueAt(only.value, "id")) === undefined || isError(only) ? rowsInOnly(only) : [only.value];
}

const isError = ({ name }: Member): boolean => name === "error" || name === "errors";

function oneOrMore(value: unknown): readonly unknown[] | undefined {
  return isList(value) ? value : isObject(value) ? [value] : undefined;
}

function isList(value: unknown, mayHoldLines = false): value is readonly unknown[] {
  if (!Array.isArray(value)) return false;
  return (
    value.length === 0 || value.some(isObject) || (mayHoldLines && value.every((item) => typeof item === "string"))
  );
}

function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === false || value === 0 || (typeof value === "string" && /^[\s0]*$/.test(value));
}

/** A row may be wrapped in an object of its own, and in JSON:API its members are split across two objects, `attributes` and `relationships`. */
function withoutWrapper(row: unknown): unknown {
  if (!isObject(row)) return row;
  const [only, ...others] = Object.values(row);
  if (others.length === 0 && isObject(only)) return only;
  const { attributes, relationships } = row;
  if (!isObject(attributes)) return row;
  const related = isObject(relationships) ? relationships : {};
  const links = Object.entries(related).map(([name, link]) => [name, isObject(link) ? link["data"] : link] as const);
  return { ...Object.fromEntries(links), ...attributes, ...row };
}
