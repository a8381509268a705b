import { forgetOuterSettings } from "../../tools/engine/environment";
import { ownWaits } from "../engine/own-waits";
import { machineIds, noOpPairsFor, restoresOf } from "../engine/programs";
import { timedUp } from "../engine/timed-up";
import { type Case, milliseconds, seconds } from "../report";
import { interleaved, median } from "../statistics";

const rounds = 7;
const highestRatio = 1.4;

export const up: Case = {
  name: "up",
  async run() {
    forgetOuterSettings();
    const machines = machineIds(100);
    const waits = await ownWaits(machines);
    const { restores, pairs, waitingPairs } = await interleaved(rounds, {
      restores: () => timedUp(restoresOf(machines), machines),
      pairs: () => timedUp(noOpPairsFor(machines), machines),
      waitingPairs: () => timedUp(noOpPairsFor(machines, waits), machines),
    });
    const ratio = median(restores) / median(waitingPairs);
    return {
      title: "`pulumi up` of 100 restores that finish immediately",
      about:
        "The real engine with `--parallel 100` and a file backend, a new stack each time; `timeouts.settle` is 0. A restore consists of two resources: itself and the " +
        `intent that the engine saves before it. ${String(rounds)} rounds, interleaved; the panel runs in the program's process. For comparison, there are pairs of ` +
        "dynamic resources in which the second needs the first. The no-op pairs either return immediately or wait as long as the panel's own time and the pauses " +
        `between requests take without an engine: ${milliseconds(waits.intentMs)} for an intent and ${milliseconds(waits.restoreMs)} for its restore.`,
      columns: ["", "median", "fastest", "slowest", "relative to the pairs that wait"],
      rows: [
        row("100 restores", restores, waitingPairs),
        row("100 pairs of no-op resources that wait as long as restores", waitingPairs, waitingPairs),
        row("100 pairs of no-op resources", pairs, waitingPairs),
      ],
      bars: [
        {
          claim: `the median is at most ${String(highestRatio)} times that of the pairs that wait as long as restores`,
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
