/** Turns data from outside into a typed value, or throws and names the wrong key. */
export type Reader<T> = (value: unknown, key: string) => T;

export const anyText: Reader<string> = (value, key) =>
  typeof value === "string" ? value : fail(key, "must be text", value);

export const anyNumber: Reader<number> = (value, key) =>
  typeof value === "number" && Number.isFinite(value) ? value : fail(key, "must be a number", value);

export const notNegative: Reader<number> = (value, key) => {
  const number = anyNumber(value, key);
  return number >= 0 ? number : fail(key, "must not be below 0", value);
};

export const positive: Reader<number> = (value, key) =>
  typeof value === "number" && Number.isFinite(value) && value > 0
    ? value
    : fail(key, "must be a number above 0", value);

export function wholeFrom(least: number, most = Infinity): Reader<number> {
  const rule = `must be a whole number ${least > 0 ? "above 0" : `up to ${String(most)}`}`;
  return (value, key) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
      ? value
      : fail(key, rule, value);
}

/** `null` is a value of its own. */
export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value, key) => (value === null ? null : read(value, key));
}

export const anyBoolean: Reader<boolean> = (value, key) =>
  typeof value === "boolean" ? value : fail(key, "must be true or false", value);

/** An id that a path can hold: `/virtual_machines/<id>/…`. */
export const anyId: Reader<string | number> = (value, key) => {
  const fits =
    typeof value === "number" ? Number.isSafeInteger(value) && value >= 0 : /^[A-Za-z0-9_-]+$/.test(String(value));
  if ((typeof value === "string" || typeof value === "number") && fits) return value;
  return fail(key, "must be a whole number, or text of letters, digits, - and _", value);
};

export function oneOf<const T extends string>(...choices: readonly T[]): Reader<T> {
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
        throw new SandboxError(`${join(key, name)}: there is no such key; there are ${Object.keys(known).join(", ")}`);
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
  throw new SandboxError(
    `${key}: ${rule}, not ${value === undefined ? "nothing" : JSON.stringify(value).slice(0, 60)}`,
  );
}

/** A wrong option or scenario key, or a port in use. The message is one line that names what to change. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}

type Optional<T> = { [Key in keyof T]: undefined extends T[Key] ? Key : never }[keyof T];

/** The members that have a value: optional members must be absent, not undefined. */
export function present<T extends object>(
  members: T,
): Omit<T, Optional<T>> & { [Key in Optional<T>]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
