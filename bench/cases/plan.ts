import { forgetOuterSettings } from "../../tools/engine/environment";
import { machineIds, planOf, restoresOf } from "../engine/programs";
import { timedUp } from "../engine/timed-up";
import { seconds, type Case } from "../report";

const restoreSeconds = 60;
const highestRatio = 1.2;

export const plan: Case = {
  name: "plan",
  async run() {
    forgetOuterSettings();
    const machines = machineIds(100);
    const options = { restoreSeconds, parallel: "default" } as const;
    const asPlan = await timedUp(planOf(machines), machines, options);
    const asRestores = await timedUp(restoresOf(machines), machines, options);
    const ratio = asPlan / (restoreSeconds * 1_000);
    return {
      title: "`pulumi up` of 100 restores of a minute, with the engine's default `--parallel`",
      about:
        `The real engine with a file backend, once each. The panel carries out all restores at the same time, so it needs ${String(restoreSeconds)} s ` +
        "for them. The default is four resources per processor at a time. A restore by itself takes one of these places until it has " +
        "ended; a wave of a RecoveryPlan takes one for all its restores.",
      columns: ["", "took", "against the panel's own time"],
      rows: [
        ["one plan with a wave of 100", seconds(asPlan), times(asPlan)],
        ["100 restores by themselves", seconds(asRestores), times(asRestores)],
      ],
      bars: [
        {
          claim: `the plan takes at most ${String(highestRatio)} times the panel's own time`,
          measured: ratio.toFixed(2),
          met: ratio <= highestRatio,
        },
      ],
    };
  },
};

function times(ms: number): string {
  return `${(ms / (restoreSeconds * 1_000)).toFixed(2)}×`;
}
