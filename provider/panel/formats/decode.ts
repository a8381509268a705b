import { logItemOf, transactionOf } from "./items";
import { parseJson } from "./json";
import { isObject } from "../../plain/is-object";
import { canonical, logItemNoun, rowsOf, transactionNoun, type Noun } from "./list-shape";
import type { Format, LogItem, Page, Transaction } from "../terms/types";
import { parseXml } from "./xml";

/** A page as it was listed, and how many rows there were: the walk counts rows, not items. */
export interface DecodedPage<Item> extends Page<Item> {
  readonly rowCount: number;
}

/** A body that is not the list it should be; the message says why in a few words and quotes nothing of it. */
export class Undecodable extends Error {}

/** The page as it is handed out, with these of its items. */
export function handedOut<Item>({ skipped, panelTime }: Page<Item>, items: readonly Item[]): Page<Item> {
  return { items, skipped, ...(panelTime === undefined ? {} : { panelTime }) };
}

export type Decode<Item> = (body: string, format: Format) => DecodedPage<Item>;

export const decodeTransactions: Decode<Transaction> = (body, format) =>
  itemsOf(listIn(body, format, transactionNoun), transactionOf);

export const decodeLogItems: Decode<LogItem> = (body, format) => itemsOf(listIn(body, format, logItemNoun), logItemOf);

function listIn(body: string, format: Format, noun: Noun): readonly unknown[] {
  const rows = rowsOf(format === "json" ? valueOfJson(body) : valueOfXml(body, noun), noun);
  if (rows === undefined) throw new Undecodable(`it is no list of ${noun.lists[0] ?? "items"}`);
  return rows;
}

function valueOfJson(body: string): unknown {
  if (body.trim() === "") throw new Undecodable("it is empty");
  try {
    return parseJson(body.replace(/^\uFEFF/, ""));
  } catch {
    throw new Undecodable("it is not JSON, or is cut off");
  }
}

function valueOfXml(body: string, noun: Noun): unknown {
  if (body.trim() === "") throw new Undecodable("it is empty");
  let document;
  try {
    document = parseXml(body);
  } catch {
    throw new Undecodable("it is not well-formed XML, or is cut off");
  }
  // A list says so by its type, whatever its name: an empty one is called <nil-classes> by some servers.
  if (document.isArray) return document.value;
  const root = canonical(document.root);
  if (noun.items.includes(root)) return [document.value];
  // A root named as a list holds rows, of which the XML form alone does not say that one, or none, is a list.
  if (noun.lists.includes(root)) return listFrom(document.value, noun);
  return root === "hash" ? document.value : undefined;
}

function listFrom(value: unknown, noun: Noun): unknown {
  if (isObject(value)) return value;
  if (value === null || (typeof value === "string" && value.trim() === "")) return [];
  throw new Undecodable(`it is no list of ${noun.lists[0] ?? "items"}`);
}

function itemsOf<Item extends { readonly id: string }>(
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
