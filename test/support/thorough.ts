/** Whether this is the long run: `npm run test:full`, or `TEST_THOROUGH=yes npx mocha <file>`. */
const isLongRun = process.env["TEST_THOROUGH"] === "yes";

/** The size of a search: `full` in the long run, `quick` in the quick run, which has only a few minutes for everything. */
export function thorough(quick: number, full: number): number {
  return isLongRun ? full : quick;
}

/** Suites and cases that only the long run includes, in addition to all the others. */
export const long = {
  describe: (title: string, suite: (this: Mocha.Suite) => void): void => {
    if (isLongRun) describe(title, suite);
  },
  it: (title: string, test: Mocha.AsyncFunc): void => {
    if (isLongRun) it(title, test);
  },
};
