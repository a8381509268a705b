/** Whether this is the long run: `npm run test:full`, or `TEST_THOROUGH=yes npx mocha <file>`. */
const isLongRun = process.env["TEST_THOROUGH"] === "yes";

/** How much of a search a run does: the long one goes the whole way, the quick one has a few minutes for everything. */
export function thorough(quick: number, full: number): number {
  return isLongRun ? full : quick;
}

/** Suites and cases of the long run alone, beside the quick ones. */
export const long = {
  describe: (title: string, suite: (this: Mocha.Suite) => void): void => {
    if (isLongRun) describe(title, suite);
  },
  it: (title: string, test: Mocha.AsyncFunc): void => {
    if (isLongRun) it(title, test);
  },
};
