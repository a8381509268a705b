/** What the command's exit code says; `docs/report.md` has the same table. */
export const exitCodes = {
  done: 0,
  /** With `--gate` only. */
  failed: 1,
  /** With `--gate` only. */
  incomplete: 2,
  /** A wrong argument, a state that cannot be read, a file that cannot be written: nothing was judged. */
  cannot: 3,
  /** A defect of this command. */
  broken: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
