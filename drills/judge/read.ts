import { asList, entriesOf, isObject } from "../../provider/plain/plain";
import { type FieldReader, readNumber, readStored, readText, readTexts } from "../../provider/plain/stored-fields";

/** Readers for stored forms. A state may have been edited, or written by a later version. Unreadable parts never improve a verdict. */

type Table<Fields> = { readonly [Name in keyof Fields]: FieldReader<Fields[Name]> };
type Flat<Fields> = { readonly [Name in keyof Fields]: Fields[Name] };
type Fields<Needed, More> = Flat<Needed & { [Name in keyof More]?: More[Name] | undefined }>;

/** The type of a stored form. Each form is declared once, by its reader. */
export type Stored<Reader> = Reader extends FieldReader<infer Value> ? Value : never;

/** Reads an object field by field. The result is undefined if a needed field cannot be read. */
export function reader<Needed extends object, More extends object>(
  needed: Table<Needed>,
  more: Table<More>,
): FieldReader<Fields<Needed, More>> {
  const table = { ...needed, ...more };
  return (stored) => {
    if (!isObject(stored)) return undefined;
    const read: object = readStored(table, stored);
    return Object.keys(needed).every((name) => name in read) ? (read as Fields<Needed, More>) : undefined;
  };
}

export const or =
  <Value, const Other>(read: FieldReader<Value>, otherwise: Other) =>
  (stored: unknown): Value | Other =>
    read(stored) ?? otherwise;

export const eachOf =
  <Value>(read: FieldReader<Value>) =>
  (stored: unknown): readonly Value[] =>
    asList(stored)
      .map(read)
      .filter((value) => value !== undefined);

export const byName =
  <Value>(read: FieldReader<Value>) =>
  (stored: unknown): Readonly<Record<string, Value>> =>
    Object.fromEntries(
      entriesOf(stored)
        .map(([name, one]) => [name, read(one)] as const)
        .filter((entry): entry is readonly [string, Value] => entry[1] !== undefined),
    );

export const unlessEmpty =
  <Value extends object>(read: (stored: unknown) => Value): FieldReader<Value> =>
  (stored) => {
    const value = read(stored);
    return Object.keys(value).length === 0 ? undefined : value;
  };

export const text = or(readText, "");
export const number = or(readNumber, 0);
export const texts = or<readonly string[], readonly string[]>(readTexts, []);
export const readTrue: FieldReader<true> = (stored) => (stored === true ? true : undefined);

export const readAllTexts: FieldReader<readonly string[]> = (stored) =>
  asList(stored).every((one) => typeof one === "string") ? readTexts(stored) : undefined;

export function parsedText(stored: unknown): unknown {
  if (typeof stored !== "string") return undefined;
  try {
    return JSON.parse(stored) as unknown;
  } catch {
    return undefined;
  }
}

/** Unreadable text must not be mistaken for missing text, or everything would be requested again. */
export function required<Value>(read: Value | undefined, what: string): Value {
  if (read === undefined) throw new Error(`${what} cannot be read: was the state edited?`);
  return read;
}
