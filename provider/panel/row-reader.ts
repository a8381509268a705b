import { formatUtc } from "../plain/clock";
import { isObject, type Properties } from "../plain/plain";
import { engineSafeText } from "../plain/text";
import { bareName } from "./conventions";

/** Reads the members of rows by their documented names, however the panel spells these names. Rows with the same members share the look-up. */
export function rowReaders(): (fields: Properties) => RowReader {
  const spellings = new Map<string, Spelling>();
  return (fields) => {
    const names = Object.keys(fields);
    const members = names.join("\n");
    const spelling = spellings.get(members) ?? spellingOf(names);
    spellings.set(members, spelling);
    return new RowReader(fields, spelling);
  };
}

/** The panel's spelling of a name. The documented name takes precedence over its variants. */
type Spelling = (name: string) => string | undefined;

function spellingOf(names: readonly string[]): Spelling {
  const bare = new Map(names.map((name) => [bareName(name), name]));
  const found = new Map<string, string | undefined>(names.map((name) => [name, name]));
  return (name) => {
    if (!found.has(name)) found.set(name, bare.get(bareName(name)));
    return found.get(name);
  };
}

/** One row as sent. Absent, null and wrongly typed members read as undefined. If several names are passed, the first usable value is returned. */
export class RowReader {
  constructor(
    readonly fields: Properties,
    private readonly spelling: Spelling,
  ) {}

  value(name: string): unknown {
    const key = this.spelling(name);
    return key === undefined ? undefined : this.fields[key];
  }

  rawText(name: string): string | undefined {
    return textOf(this.value(name));
  }

  /** Without the surrounding whitespace of indented XML. */
  trimmedText(name: string): string | undefined {
    return this.rawText(name)?.trim();
  }

  nonEmptyText(...names: readonly string[]): string | undefined {
    return first(names, (name) => this.trimmedText(name) || undefined);
  }

  /** An id as text. Undefined unless it is a single word. */
  id(...names: readonly string[]): string | undefined {
    return first(names, (name) => idOf(this.value(name)));
  }

  /** The id of what a row belongs to or waits for. 0 means none. */
  link(...names: readonly string[]): string | undefined {
    const id = this.id(...names);
    return id === "0" ? undefined : id;
  }

  ids(name: string): readonly string[] | undefined {
    const value = this.value(name);
    if (!Array.isArray(value)) return undefined;
    return value.map(idOf).filter((id) => id !== undefined);
  }

  number(name: string): number | undefined {
    const text = this.trimmedText(name) ?? "";
    return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
  }

  flag(name: string): boolean | undefined {
    const text = this.trimmedText(name);
    return text === "true" || (text === "false" ? false : undefined);
  }

  object(name: string): Properties | undefined {
    const value = this.value(name);
    return isObject(value) ? value : undefined;
  }

  /** A timestamp. Text is returned as sent, but seconds or milliseconds since 1970 are converted to ISO 8601. */
  stamp(...names: readonly string[]): string | undefined {
    return first(names, (name) => stampOf(this.trimmedText(name)));
  }

  at(path: string): unknown {
    return this.spelling(path) === undefined ? valueAt(this.fields, path) : this.value(path);
  }
}

export function first<From, T>(all: readonly From[], read: (one: From) => T | undefined): T | undefined {
  for (const one of all) {
    const found = read(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

export function idOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  // Returned in the spelling used in the state, so that a later run recognizes its own transaction.
  return /^[\x21-\x7e]{1,128}$/.test(text) ? engineSafeText(text) : undefined;
}

/** Between 1973 and 2286, seconds since 1970 have nine or ten digits, and milliseconds have three more. Other numbers, and words such as `true`, are not times. */
export function stampOf(text: string | undefined): string | undefined {
  if (text === undefined || !/\d/.test(text)) return undefined;
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  const [digits = ""] = text.split(".");
  const inMs = /^\d{9,10}$/.test(digits) ? 1_000 : /^\d{12,13}$/.test(digits) ? 1 : undefined;
  return inMs === undefined ? undefined : formatUtc(Number(text) * inMs);
}

export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const part of path.split(".")) {
    if (!isObject(found)) return undefined;
    const name = Object.hasOwn(found, part) ? part : Object.keys(found).find((key) => bareName(key) === bareName(part));
    if (name === undefined) return undefined;
    found = found[name];
  }
  return found;
}
