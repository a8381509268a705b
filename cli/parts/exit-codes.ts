/** What the command's exit code says; `docs/report.md` and `docs/check.md` have the same tables. */
export const exitCodes = {
  done: 0,
  /** `report --gate`: the run failed. `check`: restores would fail. */
  failed: 1,
  /** `report --gate`: the run is incomplete. `check`: there are questions. */
  incomplete: 2,
  /** A wrong argument, a state that cannot be read, a file that cannot be written: nothing was judged. */
  cannot: 3,
  /** A defect of this command. */
  broken: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
