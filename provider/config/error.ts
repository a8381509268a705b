/** One thing wrong with the configuration, ready to print: it names the key and the variable to set, never a secret's value. */
export type Problem = string;

/** Everything that is wrong with the settings of one panel, at once, so that nobody has to fix them one run at a time. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const count = problems.length === 1 ? "a setting" : `${String(problems.length)} settings`;
    super(
      `The connection to the panel needs ${count} put right; no request was made.\n` +
        problems.map((problem) => `  - ${problem}`).join("\n"),
    );
    this.problems = problems;
  }
}
