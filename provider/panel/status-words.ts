/** A status word's meaning that is the same on every panel. */
export type KnownStatus = "pending" | "running" | "complete" | "failed" | "cancelled";

const words: Readonly<Record<KnownStatus, readonly string[]>> = {
  pending: ["pending", "queued", "scheduled", "waiting", "submitted", "new"],
  running: ["running", "started", "processing", "in progress", "active"],
  complete: ["complete", "completed", "success", "succeeded", "successful", "done", "finished", "ok"],
  failed: ["failed", "failure", "fail", "error", "errored", "unsuccessful"],
  cancelled: ["cancelled", "canceled", "aborted"],
};

const meanings: ReadonlyMap<string, KnownStatus> = new Map(
  (Object.keys(words) as KnownStatus[]).flatMap((meaning) =>
    words[meaning].map((word) => [normalizedWord(word), meaning] as const),
  ),
);

/** The fixed meaning of a status word in any spelling. Undefined for any other word: settings classify those, see `rows/words.ts`. */
export function knownStatus(word: string): KnownStatus | undefined {
  return meanings.get(normalizedWord(word));
}

/** The form in which words are compared: `IN_PROGRESS`, `in-progress`, `In progress` and `inProgress` are one word. */
export function normalizedWord(text: string): string {
  return text.replace(/[-_\s]+/g, "").toLowerCase();
}
