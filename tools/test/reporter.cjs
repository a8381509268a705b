"use strict";
const { appendFileSync } = require("node:fs");
const Mocha = require("mocha");

/**
 * Mocha's readable report, with a last line: `N passed, N failed`, and `N skipped` if any. If TEST_TOTALS names a file, each run adds its
 * figures there, and the caller prints the line. If TEST_NOTES names a file, each test is noted there.
 */
class Report extends Mocha.reporters.Spec {
  /**
   * @param {Mocha.Runner} runner
   * @param {Mocha.MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    const notes = process.env.TEST_NOTES;
    if (notes) noteTests(runner, notes);
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

/**
 * @param {Mocha.Runner} runner
 * @param {string} file
 */
function noteTests(runner, file) {
  const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING } = Mocha.Runner.constants;
  const states = { [EVENT_TEST_PASS]: "passed", [EVENT_TEST_FAIL]: "failed", [EVENT_TEST_PENDING]: "skipped" };
  for (const [event, state] of Object.entries(states)) {
    runner.on(event, (/** @type {Mocha.Test} */ test) => {
      const note = { file: test.file, title: test.fullTitle(), state, ms: test.duration ?? 0 };
      appendFileSync(file, `${JSON.stringify(note)}\n`);
    });
  }
}

module.exports = Report;
