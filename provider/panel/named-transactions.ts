import { isObject } from "../plain/plain";
import { parseJson } from "./json";
import { bareName, idOf, valueAt } from "./row-reader";
import { parseXml } from "./xml";

/** A longer answer is a page, or a list. */
const longestBody = 256 * 1024;
/** The top of an answer and two levels inside. */
const mostLevels = 3;

/** The transactions that a POST's answer names, in a `Location` header or in its body. Any other answer names none. */
export function namedTransactions(body: string, location: string | undefined): readonly string[] {
  const inLocation = /\/transactions\/([^/?#]+?)(?:\.(?:json|xml))?\/?(?:[?#].*)?$/i.exec(location ?? "")?.[1];
  const ids = [...idsOf(inLocation), ...(body.length > longestBody ? [] : inBody(body.trim()))];
  return [...new Set(ids)];
}

function inBody(body: string): readonly string[] {
  try {
    if (!body.startsWith("<")) return namedIn(parseJson(body), mostLevels);
    const { root, value } = parseXml(body);
    return namedIn({ [root]: value }, mostLevels + 1);
  } catch {
    return [];
  }
}

function namedIn(value: unknown, levels: number): readonly string[] {
  if (levels === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => namedIn(item, levels - 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const isName = /^transactions?(?:ids?)?$/.test(bareName(name));
    return isName ? idsOf(member) : namedIn(member, levels - 1);
  });
}

/** The id in a value, or the ids: `5`, `{ id: 5 }`, `{ transaction: { id: 5 } }`, and lists of these. */
function idsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(idsOf);
  const names = ["id", "transaction_id", "uuid", "transaction"];
  const inner = isObject(value) ? names.map((name) => valueAt(value, name)).find((id) => id !== undefined) : undefined;
  if (inner !== undefined) return idsOf(inner);
  const id = idOf(value);
  return id === undefined ? [] : [id];
}
