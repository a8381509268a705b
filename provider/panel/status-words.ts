/**
 * What the fields and the words of a row mean on every panel: plain data. Settings add the words of one panel, see `rows/words.ts`. Field names are
 * compared in any case and with any separator, and only at the top of a row.
 */

/** A status word's meaning that is the same on every panel. */
export type KnownStatus = "pending" | "running" | "complete" | "failed" | "cancelled";

const words: Readonly<Record<KnownStatus, readonly string[]>> = {
  pending: ["pending", "queued", "scheduled", "waiting", "submitted", "new"],
  running: ["running", "started", "processing", "in progress", "active"],
  complete: ["complete", "completed", "success", "succeeded", "successful", "done", "finished", "ok"],
  failed: ["failed", "failure", "fail", "error", "errored", "unsuccessful", "rejected"],
  cancelled: ["cancelled", "canceled", "aborted"],
};

/** The names of a row's status, best first. */
export const statusNames = [
  ...["status", "state", "phase", "current_status", "current_state", "status_code"],
  ...["provisioning_state", "operation_status"],
];

/** In a field beside the status, these words may mean that a row is kept, not that it is under way. */
export const keptWords = wordSet("active", "new");

/** These status words mean that a row has ended, not how: a second field does. Without one, `done` and `finished` are complete. */
export const onlyEndWords = wordSet("done", "finished", "closed", "ended", "stopped");

/** The second fields that say how a row has ended. */
export const resultNames = ["result", "outcome", "conclusion", "exit_status", "final_result", "final_status"];

/** Words of a second field beside those of a status. What is neither good nor bad is most often a text for people, and says nothing. */
export const goodResults = wordSet("true", "yes");
const doubtfulResults = wordSet(
  ...["partial", "incomplete", "skipped", "stale", "denied", "refused", "timeout", "timed out", "startup failure"],
);

/** With a value, these fields contradict that a row is complete. */
export const errorNames = [
  ...["error", "errors", "error_message", "error_msg", "error_text", "error_reason", "error_details", "last_error"],
  ...["failure", "failures", "failure_message", "failure_reason", "failure_details", "failed", "is_failed"],
  ...["exception", "exception_message"],
];

/** A second field in a single word with one of these parts, such as `completed_with_errors`, is doubtful. */
const badParts = wordSet(
  "fail",
  "failed",
  "failure",
  "failures",
  "error",
  "errors",
  "partial",
  "incomplete",
  "aborted",
);

const noneParts = wordSet("no", "without", "zero", "0", "free");

/** A word of a second field that leaves open how a row has ended. */
export const isDoubtful = (text: string): boolean =>
  doubtfulResults(text) || (knownStatus(text) === undefined && !/\s/.test(text) && hasBadPart(text));

/** In any spelling; `no_errors` and `completed_without_errors` speak well. */
function hasBadPart(text: string): boolean {
  const parts = text.replace(/([a-z])([A-Z])/g, "$1_$2").split(/[-_]/);
  return parts.some(badParts) && !parts.some(noneParts);
}

/** If they are false, so do these. */
export const noWords = wordSet("false", "no", "0");
export const successNames = ["success", "successful", "is_success", "is_successful", "succeeded", "ok"];

/** And these, unless they are 0 or 2xx: the code of a process, or of HTTP. */
export const codeNames = ["exit_code", "return_code", "result_code", "error_code", "exit_status"];

/** No value, as databases and XML write it. */
export const noValues = wordSet("", "none", "null", "nil", "n/a", "na", "-");
/** No error, beside these and the words for complete. */
export const noErrors = wordSet("no error", "no errors");

const meanings: ReadonlyMap<string, KnownStatus> = new Map(
  (Object.keys(words) as KnownStatus[]).flatMap((meaning) =>
    words[meaning].map((word) => [normalizedWord(word), meaning] as const),
  ),
);

/** The fixed meaning of a status word in any spelling. Undefined for any other word: settings classify those, see `rows/words.ts`. */
export function knownStatus(word: string): KnownStatus | undefined {
  return meanings.get(normalizedWord(word));
}

/** The text of a code. */
export const isCode = (text: string): boolean => /^-?\d+$/.test(text);

export function isGoodCode(text: string): boolean {
  const code = Number(text);
  return isCode(text) && (code === 0 || (code >= 200 && code < 300));
}

/** The form in which words are compared: `IN_PROGRESS`, `in-progress`, `In progress` and `inProgress` are one word. */
export function normalizedWord(text: string): string {
  return text.replace(/[-_\s]+/g, "").toLowerCase();
}

/** Whether one of some words, in any spelling. */
export type WordSet = (text: string) => boolean;

function wordSet(...all: readonly string[]): WordSet {
  const known = new Set(all.map(normalizedWord));
  return (text) => known.has(normalizedWord(text));
}
