import { isDeepStrictEqual } from "node:util";
import { isObject, type Properties } from "../plain/plain";
import { setFields } from "../plain/text";
import { names } from "./conventions";
import { idOf, type RowReader, textOf } from "./row-reader";

export const fieldKeys = [
  ...(["list", "id", "status", "action", "machine", "point"] as const),
  ...(["requested", "started", "finished", "job"] as const),
];
type FieldKey = (typeof fieldKeys)[number];

/** The setting `recovery:fields`: which fields of this panel's rows contain the required facts. */
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

const pathsOf = (paths: FieldPath): readonly string[] => (typeof paths === "string" ? [paths] : paths);

export const rowId = (row: RowReader, { id }: ListFields): string | undefined =>
  id === undefined ? row.id(...names.id) : idOf(row.at(id));

export function rowStatus(row: RowReader, { status }: ListFields): string | undefined {
  return status === undefined ? row.nonEmptyText(...names.status) : textAt(row, status);
}

/** Thrown for a list whose rows cannot be distinguished, or have no status in a known field. */
export class UnusableRows extends Error {
  readonly advice: string;

  constructor(
    problem: string,
    fields: ListFields,
    readonly fieldNames?: string,
  ) {
    super(problem);
    const named = Object.entries(fields).map(([key, path]) => [key, path.length === 0 ? "<field>" : path] as const);
    this.advice = `Set this panel's field names: \`${setFields(Object.fromEntries(named))}\``;
  }
}

/** Fields that may be missing from every row of a list, for example because no job has ended or none is a restore. */
const mayBeMissing: readonly string[] = ["list", "point", "started", "finished", "job"];

/** Throws if the rows of a page cannot be used. Once a page has shown a field, later pages may lack the field. */
export function usableRowsCheck(fields: ListFields): (rows: readonly RowReader[]) => void {
  const seen = new Set<string>();
  const asked = Object.entries(fields).filter(([key]) => !mayBeMissing.includes(key));
  return (rows) => {
    const idOfEach = rows.map((row) => rowId(row, fields));
    const ids = idOfEach.filter((id) => id !== undefined);
    const unusable = (problem: string, keys: readonly string[]): UnusableRows => {
      const blanks = Object.fromEntries(keys.map((key) => [key, ""])) as ListFields;
      return new UnusableRows(problem, { ...fields, ...blanks }, `the first row has ${shownNames(rows[0]?.fields)}`);
    };
    for (const [key, paths] of asked) {
      const has = (row: RowReader): boolean => pathsOf(paths).some((path) => row.at(path) !== undefined);
      if (seen.has(key) || rows.some(has)) seen.add(key);
      else {
        const quoted = pathsOf(paths).map((path) => `"${path}"`);
        throw unusable(`no row has ${quoted.join(" or ")}, which recovery:fields names as the ${key}`, [key]);
      }
    }
    if (haveOneId(rows, idOfEach)) throw unusable("several rows have the same id, but differ", ["id"]);
    if (rows.some((row) => rowStatus(row, fields) !== undefined)) seen.add("any status");
    const unread = [...(ids.length === 0 ? ["id"] : []), ...(seen.has("any status") ? [] : ["status"])];
    if (unread.length === 0) return;
    throw unusable(`no field in the rows is recognized as ${unread.map((key) => `the ${key}`).join(" or ")}`, unread);
  };
}

/** Whether different rows of a page have the same id, as can happen if a panel numbers its jobs per machine. */
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

/** A row's field names, without the values, which may be secrets. For an object, the names one level down are shown. */
export function shownNames(row: Properties = {}): string {
  const paths = Object.entries(row).flatMap(([name, value]) =>
    isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );
  const shown = paths.map((path) => path.replaceAll(/[^\x20-\x7e]/g, "?"));
  return shown.length === 0 ? "no fields" : shown.slice(0, 30).join(", ");
}
