/** What a status says of a transaction, on every panel of this kind. */
export type KnownStanding = "pending" | "running" | "complete" | "failed" | "cancelled";

const known: ReadonlyMap<string, KnownStanding> = new Map([
  ["pending", "pending"],
  ["running", "running"],
  ["complete", "complete"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
]);

/** The words whose meaning is fixed, each with it; nothing for any other. In lower case. */
export function knownStanding(word: string): KnownStanding | undefined {
  return known.get(word);
}
