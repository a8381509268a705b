/** Turns untyped data into a typed value, or throws an error that names the wrong key. */
export type Reader<T> = (value: unknown, key: string) => T;

/** Accepts valid values unchanged. */
export function valueThat<T>(rule: string, fits: (value: unknown) => boolean): Reader<T> {
  return (value, key) => (fits(value) ? (value as T) : fail(key, rule, value));
}

export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

export const anyText = valueThat<string>("must be text", (value) => typeof value === "string");
export const anyBoolean = valueThat<boolean>("must be true or false", (value) => typeof value === "boolean");
export const anyNumber = valueThat<number>("must be a number", isNumber);
export const notNegative = valueThat<number>("must be at least 0", (value) => isNumber(value) && value >= 0);
export const positive = valueThat<number>("must be a number above 0", (value) => isNumber(value) && value > 0);

export function wholeUpTo(most: number): Reader<number> {
  const rule = `must be a whole number up to ${String(most)}`;
  return valueThat(rule, (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most);
}

/** An id that can be part of a path: `/virtual_machines/<id>/…`. */
export const anyId = valueThat<string | number>(
  "must be a whole number, or a string of letters, digits, - and _",
  (value) =>
    typeof value === "number"
      ? Number.isSafeInteger(value) && value >= 0
      : typeof value === "string" && /^[A-Za-z0-9_-]+$/.test(value),
);

export function oneChoiceOf<const T extends string>(...choices: readonly T[]): Reader<T> {
  return (value, key) =>
    choices.find((choice) => choice === value) ?? fail(key, `must be one of ${choices.join(", ")}`, value);
}

export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, key) =>
    Array.isArray(value)
      ? value.map((item: unknown, index) => read(item, `${key}[${String(index)}]`))
      : fail(key, "must be a list", value);
}

export function mapOf<T>(read: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value, key) =>
    Object.fromEntries(entries(value, key).map(([name, item]) => [name, read(item, join(key, name))]));
}

/** An object with these keys and no others. */
export function objectOf<T extends object>(
  readers: { readonly [Key in keyof T]-?: Reader<Exclude<T[Key], undefined>> },
  required: readonly (keyof T & string)[] = [],
): Reader<T> {
  return (value, key) => {
    const given = entries(value, key);
    for (const name of required) {
      if (!given.some(([known]) => known === name)) throw new SandboxError(`${join(key, name)}: is missing`);
    }
    const known: Readonly<Record<string, Reader<unknown>>> = readers;
    const read = given.map(([name, item]) => {
      const reader = Object.hasOwn(known, name) ? known[name] : undefined;
      if (reader === undefined) {
        throw new SandboxError(`${join(key, name)}: no such key; the keys are ${Object.keys(known).join(", ")}`);
      }
      return [name, reader(item, join(key, name))];
    });
    return Object.fromEntries(read) as T;
  };
}

function entries(value: unknown, key: string): [string, unknown][] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
  return fail(key === "" ? "the whole content" : key, "must be an object", value);
}

function join(key: string, name: string): string {
  return key === "" ? name : `${key}.${name}`;
}

function fail(key: string, rule: string, value: unknown): never {
  const got = value === undefined ? "nothing" : JSON.stringify(value).slice(0, 60);
  throw new SandboxError(`${key}: ${rule}, got ${got}`);
}

/** A wrong option or scenario key, or a port in use. The message is one line that names what to change. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}

type Optional<T> = { [Key in keyof T]: undefined extends T[Key] ? Key : never }[keyof T];

/** Keeps only the members that have a value, because optional members must be absent, not undefined. */
export function present<T extends object>(
  members: T,
): Omit<T, Optional<T>> & { [Key in Optional<T>]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

/** The message of a thrown value, which may be of any type. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
