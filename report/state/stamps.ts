/** Stamps of one clock, compared. What is not known is passed over. */
export function earliest(stamps: readonly (string | undefined)[]): string | undefined {
  return stamps.reduce(
    (a, b) => (a === undefined || (b !== undefined && Date.parse(b) < Date.parse(a)) ? b : a),
    undefined,
  );
}

export function latest(stamps: readonly (string | undefined)[]): string | undefined {
  return stamps.reduce(
    (a, b) => (a === undefined || (b !== undefined && Date.parse(b) > Date.parse(a)) ? b : a),
    undefined,
  );
}
