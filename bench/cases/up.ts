import { forgetOuterSettings } from "../../tools/engine/environment";
import { machineIds, noOpPairsFor, noOpsFor, restoresOf } from "../engine/programs";
import { timedUp } from "../engine/timed-up";
import { seconds, type Case } from "../report";
import { interleaved, median } from "../statistics";

const rounds = 7;
const highestRatio = 1.4;

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
    const ratio = median(restores) / median(noOpPairs);
    return {
      title: "`pulumi up` of 100 restores that end at once",
      about:
        "The real engine with `--parallel 100` and a file backend, a new stack each time, beside 100 dynamic resources whose " +
        `create returns at once. ${String(rounds)} rounds, interleaved; the panel runs in the program's process. A restore is ` +
        "two resources, itself and the intent that the engine has saved before it, and the engine writes the whole state " +
        "before and after each resource; a pair is two resources that do nothing, of which the second one " +
        "waits for the first. What a restore has beyond a pair: a page of the list for its mark, one right before its POST, of which " +
        "there are eight a second at most, the POST, and one in which it has ended; a question whether the engine is still there; and a " +
        "stored state a third as long again (the intent with its mark, once as itself and once as an input of the restore), " +
        "which the engine encodes, hashes and copies 400 times.",
      columns: ["", "median", "fastest", "slowest", "against 100 pairs"],
      rows: [
        row("100 restores", restores, noOpPairs),
        row("100 pairs of no-op resources", noOpPairs, noOpPairs),
        row("100 no-op resources", noOps, noOpPairs),
      ],
      bars: [
        {
          claim: `at most ${String(highestRatio)} times what the pairs take, by the medians`,
          measured: ratio.toFixed(2),
          met: ratio <= highestRatio,
        },
      ],
    };
  },
};

function row(name: string, times: readonly number[], pairs: readonly number[]): string[] {
  const ratio = median(times) / median(pairs);
  return [
    name,
    seconds(median(times)),
    seconds(Math.min(...times)),
    seconds(Math.max(...times)),
    `${ratio.toFixed(2)}×`,
  ];
}
