/** What one try of a check came to. */
export interface AttemptResult {
  /** Undefined: it passed. Else why not, in a few words and without anything that the other side has said. */
  readonly problem?: string;
  /** What was printed or answered, as it was. Kept as a secret, masked and cut. */
  readonly output?: string;
}

/** Makes one try, which is to be over within `limitMs`; may take a little longer to clean up, and never rejects. */
export type Attempt = (limitMs: number) => Promise<AttemptResult>;

/** Bytes of an answer, or of what a command prints, that are looked at. */
export const maxOutputBytes = 1024 * 1024;

/** The code of a system's error, which repeats nothing of what was asked; of an error without one, its kind. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error ? error.name : "unknown";
}
