/** Deep equality of plain data. The engine gives properties in any order, so the order of keys is no difference. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (a === 0 && b === 0)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => same(item, b[at]));
  }
  const left = presentEntries(a);
  const right = new Map(presentEntries(b));
  return left.length === right.size && left.every(([key, value]) => right.has(key) && same(value, right.get(key)));
}

/** A property without a value and no property are the same: the engine's protocol knows no difference. */
function presentEntries(object: object): [string, unknown][] {
  return Object.entries(object).filter(([, value]) => value !== undefined && value !== null);
}
