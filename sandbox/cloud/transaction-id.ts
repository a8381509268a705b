import type { Dialect } from "../dialect/dialect";

type IdStyle = Dialect["idStyle"];

const firstInteger = 5000n;
/** Above 2^53, where neighbouring integers become the same JavaScript number. */
const firstBig = 9_100_000_000_000_000_000n;
const modulus = 2n ** 32n;
/** `multiplier` times `inverse` is 1, modulo 2^32. */
const multiplier = 2_654_435_761n;
const inverse = 244_002_641n;

/**
 * Spells a transaction's ordinal (its place in the list, the oldest is 0) as its id. Both can be computed from each other, so no
 * table is kept: the list may hold millions of rows.
 */
export function formatId(ordinal: number, style: IdStyle): string {
  switch (style) {
    case "integer":
      return String(firstInteger + BigInt(ordinal));
    case "big":
      return String(firstBig + BigInt(ordinal));
    case "alphanumeric":
      // Multiplying modulo 2^32 shuffles, so these ids do not show the order.
      return `t${((BigInt(ordinal) * multiplier) % modulus).toString(36).padStart(7, "0")}`;
  }
}

/** The ordinal of an id; undefined if no id of this style looks like that. */
export function ordinalOf(id: string, style: IdStyle): number | undefined {
  if (style === "alphanumeric") {
    if (!/^t[0-9a-z]{7}$/.test(id)) return undefined;
    return Number((BigInt(Number.parseInt(id.slice(1), 36)) * inverse) % modulus);
  }
  if (!/^[0-9]{1,30}$/.test(id)) return undefined;
  const ordinal = BigInt(id) - (style === "big" ? firstBig : firstInteger);
  return ordinal >= 0n && ordinal <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(ordinal) : undefined;
}
