/**
 * @typedef {object} Totals
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {Readonly<Record<string, number>>} times milliseconds by the path of a file
 */

/**
 * Adds up the reports of several runs. A run without a report counts as one failure.
 *
 * @param {string} lines one JSON object per run that reported
 * @param {number} runs how many there were
 * @returns {Totals}
 */
export function addUp(lines, runs) {
  const reports = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => /** @type {Totals} */ (JSON.parse(line)));
  /** @type {Totals} */
  const sum = { passed: 0, failed: Math.max(0, runs - reports.length), skipped: 0, times: {} };
  for (const report of reports) {
    sum.passed += report.passed;
    sum.failed += report.failed;
    sum.skipped += report.skipped;
    sum.times = { ...sum.times, ...report.times };
  }
  return sum;
}

/** @param {Omit<Totals, "times">} totals */
export function totalsLine({ passed, failed, skipped }) {
  return `${String(passed)} passed, ${String(failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ""}`;
}
