/** A status word's meaning that is the same on every panel of this kind. */
export type KnownStatus = "pending" | "running" | "complete" | "failed" | "cancelled";

const meanings: ReadonlyMap<string, KnownStatus> = new Map([
  ["pending", "pending"],
  ["running", "running"],
  ["complete", "complete"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
]);

/** The fixed meaning of a lower-case status word. Undefined for any other word: settings classify those, see `rows/words.ts`. */
export function knownStatus(word: string): KnownStatus | undefined {
  return meanings.get(word);
}

/** Words are compared in any case, and `_`, `-` and spaces alike. */
export function normalizedWord(text: string): string {
  return text.trim().toLowerCase().replace(/[\s_-]+/g, " ");
}
