/** The same value without any `undefined`: properties that hold one are left out, and in a list it becomes null. */
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) {
    return Array.from(value as readonly unknown[], (element) => withoutUndefined(element) ?? null);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, property]) =>
      property === undefined ? [] : [[key, withoutUndefined(property)]],
    ),
  );
}
