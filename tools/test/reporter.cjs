"use strict";
const { appendFileSync } = require("node:fs");
const Mocha = require("mocha");

/**
 * Mocha's readable report with a final line: `N passed, N failed`, and `N skipped` if there are any. If TEST_NOTES names a file, the result of each test is
 * appended to it.
 */
class Report extends Mocha.reporters.Spec {
  /**
   * @param {Mocha.Runner} runner
   * @param {Mocha.MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    const { TEST_NOTES: notes } = process.env;
    if (notes) noteTests(runner, notes);
    showWork(runner, this.stats);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes: passed, failures: failed, pending: skipped } = this.stats;
      console.log(
        `${String(passed)} passed, ${String(failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ""}`,
      );
    });
  }
}

/** Prints a line if nothing else is printed for half a minute, because Mocha prints a parallel file's output only when the whole file has ended. */
function showWork(/** @type {Mocha.Runner} */ runner, /** @type {Mocha.Stats} */ stats) {
  const { EVENT_TEST_END, EVENT_RUN_END } = Mocha.Runner.constants;
  let seconds = 0;
  let silent = 0;
  const timer = setInterval(() => {
    seconds += 10;
    silent += 10;
    if (silent % 30 === 0) console.log(`  … ${String(stats.passes)} passed so far, after ${String(seconds)} s`);
  }, 10_000);
  runner.on(EVENT_TEST_END, () => (silent = 0));
  runner.once(EVENT_RUN_END, () => {
    clearInterval(timer);
  });
}

function noteTests(/** @type {Mocha.Runner} */ runner, /** @type {string} */ file) {
  const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING } = Mocha.Runner.constants;
  const states = { [EVENT_TEST_PASS]: "passed", [EVENT_TEST_FAIL]: "failed", [EVENT_TEST_PENDING]: "skipped" };
  for (const [event, state] of Object.entries(states)) {
    runner.on(event, (/** @type {Mocha.Test} */ test) => {
      const note = { file: test.file, title: test.fullTitle(), state };
      appendFileSync(file, `${JSON.stringify(note)}\n`);
    });
  }
}

module.exports = Report;
