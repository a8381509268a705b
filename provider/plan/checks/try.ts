/** What one try of a check came to. */
export interface Tried {
  /** Undefined: it passed. Else why not, in a few words and without anything that the other side has said. */
  readonly problem?: string;
  /** What was printed or answered, as it was. Kept as a secret, masked and cut. */
  readonly output?: string;
}

/** Makes one try, which is to be over within `limitMs`; may take a little longer to clean up, and never rejects. */
export type Try = (limitMs: number) => Promise<Tried>;

/** Bytes of an answer, or of what a command prints, that are looked at. */
export const mostOutputBytes = 1024 * 1024;
