import { isDeepStrictEqual } from "node:util";
import { isObject, type Properties } from "../plain/plain";
import { knownStatus, names } from "./conventions";
import { idOf, type RowReader, textOf } from "./row-reader";

export const fieldKeys = [
  "list",
  "id",
  "status",
  "action",
  "machine",
  "point",
  "requested",
  "started",
  "finished",
  "job",
] as const;
type FieldKey = (typeof fieldKeys)[number];

/** The setting `recovery:fields`: where this panel has what is looked for. */
export type ListFields = Readonly<Partial<Record<FieldKey, FieldPath>>> & {
  readonly list?: string;
  readonly id?: string;
};
/** A path such as `target.id`, or several paths whose values are joined by a space. */
type FieldPath = string | readonly string[];

export function textAt(row: RowReader, paths: FieldPath): string | undefined {
  const texts = pathsOf(paths).map((path) => textOf(row.at(path))?.trim() ?? "");
  return texts.filter((text) => text !== "").join(" ") || undefined;
}

function pathsOf(paths: FieldPath): readonly string[] {
  return typeof paths === "string" ? [paths] : paths;
}

export function rowId(row: RowReader, { id }: ListFields): string | undefined {
  return id === undefined ? row.id(...names.id) : idOf(row.at(id));
}

export function rowStatus(row: RowReader, { status }: ListFields): string | undefined {
  return status === undefined ? row.nonEmptyText(...names.status) : textAt(row, status);
}

/** A list whose rows cannot be distinguished, or have no status, as far as it is known where this panel has them. */
export class UnusableRows extends Error {
  readonly advice: string;

  constructor(
    problem: string,
    fields: ListFields,
    /** The names of the rows' fields. */
    readonly fieldNames?: string,
  ) {
    super(problem);
    const named = Object.entries(fields).map(([key, path]) => [key, path.length === 0 ? "<field>" : path]);
    // A quotation mark in a name would end the shell's quotation.
    const json = JSON.stringify(Object.fromEntries(named)).replaceAll("'", "\\u0027");
    this.advice = `Name the fields of this panel: \`pulumi config set recovery:fields '${json}'\``;
  }
}

/** These may be missing in every row of a list: nothing has ended, or nothing is a restore. */
const mayBeMissing: readonly string[] = ["list", "point", "started", "finished", "job"];

/**
 * Returns a function that throws if the rows of a page cannot be used. What one page has shown is not required of the next pages, whose rows may lack
 * it.
 */
export function usableRowsCheck(fields: ListFields): (rows: readonly RowReader[]) => void {
  const seen = new Set<string>();
  const asked = Object.entries(fields).filter(([key]) => !mayBeMissing.includes(key));
  return (rows) => {
    const idOfEach = rows.map((row) => rowId(row, fields));
    const ids = idOfEach.filter((id) => id !== undefined);
    const unusable = (problem: string, keys: readonly string[]): UnusableRows => {
      const objects = rows.map((row) => row.fields);
      const proposed: ListFields = proposeFields(objects);
      const proposal = keys.map((key) => [key, proposed[key as FieldKey] ?? ""]);
      const named = { ...fields, ...(Object.fromEntries(proposal) as ListFields) };
      return new UnusableRows(problem, named, `the first row has ${shownNames(objects[0])}`);
    };
    for (const [key, paths] of asked) {
      const has = (row: RowReader): boolean => pathsOf(paths).some((path) => row.at(path) !== undefined);
      if (seen.has(key) || rows.some(has)) seen.add(key);
      else {
        const quoted = pathsOf(paths).map((path) => `"${path}"`);
        throw unusable(`no row has ${quoted.join(" or ")}, where recovery:fields has the ${key}`, [key]);
      }
    }
    const isUnique = new Set(ids).size === ids.length;
    if (isUnique && ids.length > 1) seen.add("several ids");
    if (fields.id !== undefined && !isUnique && !seen.has("several ids")) {
      throw unusable(`several rows have the same at "${fields.id}", where recovery:fields has the id`, ["id"]);
    }
    if (haveOneId(rows, idOfEach)) throw unusable("several rows have the same id, and are not the same", ["id"]);
    if (seen.has("any status") || rows.some((row) => rowStatus(row, fields) !== undefined)) seen.add("any status");
    const unread = [...(ids.length === 0 ? ["id"] : []), ...(seen.has("any status") ? [] : ["status"])];
    if (unread.length === 0) return;
    throw unusable(`no field of the rows is read as ${unread.map((key) => `the ${key}`).join(" or ")}`, unread);
  };
}

/** Whether different rows of a page have one id: a panel may count its jobs per machine. */
function haveOneId(rows: readonly RowReader[], ids: readonly (string | undefined)[]): boolean {
  const met = new Map<string, RowReader>();
  return rows.some((row, at) => {
    const id = ids[at];
    if (id === undefined) return false;
    const same = met.get(id);
    met.set(id, row);
    return same !== undefined && !isDeepStrictEqual(same.fields, row.fields);
  });
}

/** The names of a row's fields, without values, which may be secrets. */
export function shownNames(row: Properties | undefined): string {
  const shown = [...columnsOf([row ?? {}]).keys()].map((path) => path.replaceAll(/[^\x20-\x7e]/g, "?"));
  return shown.length === 0 ? "no fields" : shown.slice(0, 30).join(", ");
}

/** The fields that look like the id and the status of these rows, where any do. */
function proposeFields(rows: readonly Properties[]): Pick<ListFields, "id" | "status"> {
  const columns = columnsOf(rows);
  const id = best(columns, (path, texts) => {
    if (new Set(texts).size < rows.length || !texts.every((text) => idOf(text) !== undefined && !isTime(text)))
      return 0;
    const isNamedSo = /(?:id|no|nr|num|number|key|ref|code)$/i.test(path);
    return (path.includes(".") ? 1 : 5) + (isNamedSo ? 2 : 0) + (texts.every((text) => /^\d+$/.test(text)) ? 1 : 0);
  });
  const status = best(columns, (path, texts) => {
    const words = new Set(texts).size;
    if (words === 0 || words > Math.max(2, rows.length / 2)) return 0;
    if (!texts.every((text) => /^[a-z][a-z _-]{0,40}$/i.test(text))) return 0;
    const isKnown = texts.some((text) => knownStatus(text) !== undefined);
    const isNamedSo = /stat|phase|result|outcome|progress/i.test(path);
    const isAction = texts.some((text) => /restore|backup|\bstart\b|\bstop\b/i.test(text));
    return (isKnown ? 9 : 1) + (isNamedSo ? 4 : 0) + (words > 1 ? 2 : 0) + (isAction ? 0 : 4) - words / 1_000;
  });
  return { ...(id !== undefined && { id }), ...(status !== undefined && { status }) };
}

type Columns = ReadonlyMap<string, readonly string[]>;

/** The first of the fields with the highest score. */
function best(columns: Columns, scoreOf: (path: string, texts: readonly string[]) => number): string | undefined {
  const scored = [...columns].map(([path, texts]) => ({ path, score: scoreOf(path, texts) }));
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)[0]?.path;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d|^\d{9,10}(?:\.\d+)?$|^\d{12,13}(?:\.\d+)?$/.test(text);
}

/** The strings in each field, by path. Fields of objects are those one level down. */
function columnsOf(rows: readonly Properties[]): Columns {
  const columns = new Map<string, string[]>();
  const members = rows.flatMap((row) => Object.entries(row));
  const nested = members.flatMap(([name, value]) =>
    isObject(value) ? Object.entries(value).map(([inner, it]): [string, unknown] => [`${name}.${inner}`, it]) : [],
  );
  for (const [path, value] of [...members.filter(([, value]) => !isObject(value)), ...nested]) {
    const texts = columns.get(path) ?? [];
    columns.set(path, texts);
    const text = textOf(value)?.trim() ?? "";
    if (text !== "") texts.push(text);
  }
  return columns;
}
