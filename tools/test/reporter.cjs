"use strict";
const { appendFileSync } = require("node:fs");
const Mocha = require("mocha");

/**
 * Mocha's readable report, closed by one line: `N passed, N failed`, and `N skipped` where there are any. When
 * several runs make up one, each adds its figures to the file named in TEST_TOTALS, and the line is left to the end.
 */
class Report extends Mocha.reporters.Spec {
  /**
   * @param {Mocha.Runner} runner
   * @param {Mocha.MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes: passed, failures: failed, pending: skipped } = this.stats;
      const file = process.env.TEST_TOTALS;
      if (file) appendFileSync(file, `${JSON.stringify({ passed, failed, skipped })}\n`);
      else
        console.log(
          `${String(passed)} passed, ${String(failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ""}`,
        );
    });
  }
}

module.exports = Report;
