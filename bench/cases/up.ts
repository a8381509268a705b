import { forgetOuterSettings } from "../../tools/engine/environment";
import { machineIds, noOpPairsFor, noOpsFor, restoresOf } from "../engine/programs";
import { timedUp } from "../engine/timed-up";
import { seconds, type Case } from "../report";
import { interleaved, median } from "../statistics";

const rounds = 7;
const highestRatio = 1.25;

export const up: Case = {
  name: "up",
  async run() {
    forgetOuterSettings();
    const machines = machineIds(100);
    const { restores, noOps, noOpPairs } = await interleaved(rounds, {
      restores: () => timedUp(restoresOf(machines), machines),
      noOps: () => timedUp(noOpsFor(machines), machines),
      noOpPairs: () => timedUp(noOpPairsFor(machines), machines),
    });
    const ratio = median(restores) / median(noOps);
    return {
      title: "`pulumi up` of 100 restores that end at once",
      about:
        "The real engine with `--parallel 100` and a file backend, a new stack each time, beside 100 dynamic resources whose " +
        `create returns at once. ${String(rounds)} rounds, interleaved; the panel runs in the program's process. A restore is ` +
        "two resources, itself and the intent that the engine has saved before it, and the engine writes the whole state " +
        "before and after each resource; the last row is what 200 resources that do nothing take, of which each second one " +
        "waits for the one before it. What a restore adds is a mark, a POST and at least one look at the list.",
      columns: ["", "median", "fastest", "slowest", "against 100 no-op resources"],
      rows: [
        row("100 restores", restores, noOps),
        row("100 no-op resources", noOps, noOps),
        row("100 pairs of no-op resources", noOpPairs, noOps),
      ],
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

function row(name: string, times: readonly number[], noOps: readonly number[]): string[] {
  const ratio = median(times) / median(noOps);
  return [
    name,
    seconds(median(times)),
    seconds(Math.min(...times)),
    seconds(Math.max(...times)),
    `${ratio.toFixed(2)}×`,
  ];
}
