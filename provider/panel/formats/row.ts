import { isObject } from "../../plain/is-object";
import { withoutMarkup } from "../../text/for-terminal";
import { canonical } from "./list-shape";

/**
 * One row as the panel sent it, read by the names this client knows. What is absent, null or of another type than
 * expected reads as undefined: `fields` still has it.
 */
export class RowReader {
  /** Members whose names are variants of documented ones, by the documented one. Made only for rows that have some. */
  #variants: ReadonlyMap<string, unknown> | undefined;

  constructor(readonly fields: Readonly<Record<string, unknown>>) {}

  /** A name spelled as documented wins over its variants. */
  #value(name: string): unknown {
    if (Object.hasOwn(this.fields, name)) return this.fields[name];
    this.#variants ??= variantsIn(this.fields);
    return this.#variants.get(name);
  }

  text(name: string): string | undefined {
    const value = this.#value(name);
    if (typeof value === "string") return value;
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  }

  /** Text that says nothing when it is empty. */
  filled(name: string): string | undefined {
    const value = this.text(name);
    return value === undefined || value === "" ? undefined : value;
  }

  /** An id as text; anything that is not one word is none. */
  id(name: string): string | undefined {
    return asId(this.#value(name));
  }

  ids(name: string): readonly string[] | undefined {
    const value = this.#value(name);
    if (!Array.isArray(value)) return undefined;
    return value.map(asId).filter((id) => id !== undefined);
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

function asId(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  // Spelled as the state keeps it, or a later run would not know its own transaction again.
  return /^[\x21-\x7e]{1,128}$/.test(text) ? withoutMarkup(text) : undefined;
}

const noVariants: ReadonlyMap<string, unknown> = new Map();

function variantsIn(fields: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const variants = Object.keys(fields).filter((name) => /[A-Z-]/.test(name));
  return variants.length === 0 ? noVariants : new Map(variants.map((name) => [canonical(name), fields[name]]));
}
