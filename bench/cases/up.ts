import { forgetOuterSettings } from "../../tools/engine/environment";
import { machineIds, noOpsFor, restoresOf } from "../engine/programs";
import { timedUp } from "../engine/timed-up";
import { seconds, type Case } from "../report";
import { interleaved, median } from "../statistics";

const pairs = 7;
const highestRatio = 1.25;

export const up: Case = {
  name: "up",
  async run() {
    forgetOuterSettings();
    const machines = machineIds(100);
    const times = await interleaved(
      pairs,
      () => timedUp(restoresOf(machines), machines),
      () => timedUp(noOpsFor(machines), machines),
    );
    const [ours, other] = [median(times.ours), median(times.other)];
    const ratio = ours / other;
    return {
      title: "`pulumi up` of 100 restores that end at once",
      about:
        "The real engine with `--parallel 100`, a new stack each time, beside 100 dynamic resources whose create " +
        `returns at once. ${String(pairs)} pairs, interleaved. A restore is two resources (itself and its intent), ` +
        "a mark, a POST and at least one look at the list.",
      columns: ["", "median", "fastest", "slowest"],
      rows: [row("100 restores", times.ours), row("100 no-op resources", times.other)],
      bars: [
        {
          claim: `ratio of the medians at most ${String(highestRatio)}`,
          measured: ratio.toFixed(2),
          met: ratio <= highestRatio,
        },
      ],
    };
  },
};

function row(name: string, times: readonly number[]): string[] {
  return [name, seconds(median(times)), seconds(Math.min(...times)), seconds(Math.max(...times))];
}
