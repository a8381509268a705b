/** The result of one attempt of a check. */
export interface AttemptResult {
  /** Why it did not pass, in a few words and without text from the other side. Undefined if it passed. */
  readonly problem?: string;
  /** The raw output or answer. It may hold secrets. */
  readonly output?: string;
}

/** Makes one attempt within `limitMs`. It may take a little longer to clean up, and never rejects. */
export type Attempt = (limitMs: number) => Promise<AttemptResult>;

/** The part of an answer or a command's output that is read, in bytes. */
export const maxOutputBytes = 1024 * 1024;

/** The code of a system error, which does not quote the request; the name of any other error. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error ? error.name : "unknown";
}
