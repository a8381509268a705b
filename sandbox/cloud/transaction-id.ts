import type { Dialect } from "../dialect/dialect";

type IdStyle = Dialect["idStyle"];

const firstInteger = 5000n;
/** Above 2^53, where neighbouring integers become the same JavaScript number. */
const firstBig = 9_100_000_000_000_000_000n;
/** Odd, so multiplying modulo 2^32 shuffles: these ids do not show the order. */
const multiplier = 2_654_435_761n;

/** Spells a transaction's ordinal (its place in the list, the oldest is 0) as its id. The list may hold millions of rows, so no table is kept. */
export function formatId(ordinal: number, style: IdStyle): string {
  switch (style) {
    case "integer":
      return String(firstInteger + BigInt(ordinal));
    case "big":
      return String(firstBig + BigInt(ordinal));
    case "alphanumeric":
      return `t${((BigInt(ordinal) * multiplier) % 2n ** 32n).toString(36).padStart(7, "0")}`;
  }
}
