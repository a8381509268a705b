"use strict";
const { appendFileSync } = require("node:fs");
const Mocha = require("mocha");

/**
 * Mocha's readable report, closed by one line: `N passed, N failed`, and `N skipped` where there are any. When
 * several runs make up one, each adds its figures to the file named in TEST_TOTALS, and the line is left to the end. Each
 * test is noted in the file named in TEST_NOTES, if there is one.
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
