/** About how many bytes the engine's protocol adds to each value. */
const perValue = 12;

/**
 * About how many bytes a value takes on its way to the engine. Counts no further than `enough`, so that no value, however
 * large or wound up in itself, takes long.
 */
export function weightOf(value: unknown, enough: number): number {
  const open: unknown[] = [value];
  let weight = 0;
  while (open.length > 0 && weight <= enough) {
    const next = open.pop();
    weight += perValue + (typeof next === "string" ? Buffer.byteLength(next) : 0);
    if (typeof next !== "object" || next === null) continue;
    for (const [key, inner] of Object.entries(next)) {
      weight += Array.isArray(next) ? 0 : Buffer.byteLength(key);
      open.push(inner);
      if (weight + open.length * perValue > enough) break;
    }
  }
  return weight + open.length * perValue;
}
