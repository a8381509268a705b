import { isObject } from "./plain";

/** Reads one field of a stored record. A value of another type is treated as absent, because the state may have been written by hand or by another release. */
export type FieldReader<Value> = (stored: unknown) => Value | undefined;

/** A stored record as it was read: every field may be absent, at any depth. */
type Read<Value> = Value extends readonly (infer Item)[]
  ? readonly Read<Item>[]
  : Value extends object
    ? string extends keyof Value
      ? Readonly<Record<string, Read<Value[keyof Value]>>>
      : { readonly [Name in keyof Value]?: Read<Exclude<Value[Name], undefined>> }
    : Value;

/** A reader for each field of a record, under the field's name. */
export type ReaderTable<Stored> = {
  readonly [Name in keyof Stored]-?: FieldReader<Read<Exclude<Stored[Name], undefined>>>;
};

export function readStored<Stored extends object>(table: ReaderTable<Stored>, stored: unknown): Read<Stored> {
  const fields = isObject(stored) ? stored : {};
  const read = Object.entries<FieldReader<unknown>>(table).flatMap(([name, reader]) => {
    const value = reader(fields[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(read) as Read<Stored>;
}

export function readText(stored: unknown): string | undefined {
  return typeof stored === "string" ? stored : undefined;
}

export function readNumber(stored: unknown): number | undefined {
  return typeof stored === "number" ? stored : undefined;
}

export function readFlag(stored: unknown): boolean | undefined {
  return typeof stored === "boolean" ? stored : undefined;
}

export function readTexts(stored: unknown): readonly string[] | undefined {
  return Array.isArray(stored) ? stored.filter((item): item is string => typeof item === "string") : undefined;
}

export function readOneOf<Word extends string>(...words: readonly Word[]): FieldReader<Word> {
  return (stored) => words.find((word) => word === stored);
}
