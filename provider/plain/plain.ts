/** Drops members without a value, because types with optional members require them to be absent, not undefined. */
export function omitUndefined<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  const found: Partial<T> = {};
  for (const name in members) {
    if (members[name] !== undefined) found[name] = members[name];
  }
  return found as T;
}

/** Named values of any kind. */
export type Properties = Readonly<Record<string, unknown>>;

/** True for a value with named properties: not a list, and not null. */
export function isObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The named values of an object; empty for anything else. */
export function entriesOf(value: unknown): readonly [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** The items of a list; empty for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Groups items by a key. The items keep their order. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Deep equality of plain data. The order of keys makes no difference, because the engine sends properties in any order. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => deepEqual(item, b[at]))
    );
  }
  const left = definedEntries(a);
  const right = new Map(definedEntries(b));
  return left.length === right.size && left.every(([key, value]) => right.has(key) && deepEqual(value, right.get(key)));
}

/** The engine's protocol does not distinguish a property without a value from a missing property. */
export function definedEntries(object: object): [string, unknown][] {
  return Object.entries(object).filter(([, value]) => value !== undefined && value !== null);
}

export function omit<T extends object, K extends keyof T>(value: T, ...names: readonly K[]): Omit<T, K> {
  const copy: Partial<T> = { ...value };
  for (const name of names) Reflect.deleteProperty(copy, name);
  return copy as Omit<T, K>;
}

/** Drops every `undefined`, at any depth. Properties without a value are left out, and in a list, undefined becomes null. */
export function omitUndefinedDeep(value: unknown): unknown {
  if (Array.isArray(value)) {
    return Array.from(value as readonly unknown[], (element) => omitUndefinedDeep(element) ?? null);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, property]) =>
      property === undefined ? [] : [[key, omitUndefinedDeep(property)]],
    ),
  );
}

/** The approximate overhead of each value in the engine's protocol. */
const bytesPerValue = 12;

/**
 * The approximate size of a value on its way to the engine. Stops counting at `enough`, so that even a huge or circular value
 * is measured quickly.
 */
export function approximateBytes(value: unknown, enough: number): number {
  const pending: unknown[] = [value];
  let bytes = 0;
  while (pending.length > 0 && bytes <= enough) {
    const next = pending.pop();
    bytes += bytesPerValue + (typeof next === "string" ? Buffer.byteLength(next) : 0);
    if (typeof next !== "object" || next === null) continue;
    for (const [key, inner] of Object.entries(next)) {
      bytes += Array.isArray(next) ? 0 : Buffer.byteLength(key);
      pending.push(inner);
      if (bytes + pending.length * bytesPerValue > enough) break;
    }
  }
  return bytes + pending.length * bytesPerValue;
}

/** Returns an object's own property, but never an inherited one such as `toString`. */
export function own<Value>(of: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}
