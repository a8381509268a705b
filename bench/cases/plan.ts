import { forgetOuterSettings } from "../../tools/engine/environment";
import { machineIds, planOf, restoresOf } from "../engine/programs";
import { measuredUp, type TimedUp } from "../engine/timed-up";
import { seconds, type Case } from "../report";

const restoreSeconds = 60;
const highestRatio = 1.2;

export const plan: Case = {
  name: "plan",
  async run() {
    forgetOuterSettings();
    const machines = machineIds(100);
    const options = { restoreSeconds, parallel: "default" } as const;
    const asPlan = await measuredUp(planOf(machines), machines, options);
    const asRestores = await measuredUp(restoresOf(machines), machines, options);
    const ratio = asPlan.tookMs / (restoreSeconds * 1_000);
    return {
      title: "`pulumi up` of 100 restores of a minute, with the engine's default `--parallel`",
      about:
        `The real engine with a file backend, once each. The panel carries out all restores at the same time, so it needs ${String(restoreSeconds)} s ` +
        "for them. The default is four resources per processor at a time. A restore by itself takes one of these places until it has " +
        "ended; a wave of a RecoveryPlan takes one for all its restores. Before the first request the CLI and the program start and the intents " +
        "are saved; after the last end it has to be noticed, which takes up to ten seconds, and stored.",
      columns: [
        "",
        "took",
        "against the panel's own time",
        "before the first request",
        "to the last one",
        "after the last end",
      ],
      rows: [row("one plan with a wave of 100", asPlan), row("100 restores by themselves", asRestores)],
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

function row(name: string, { tookMs, beforeMs, requestingMs, afterMs }: TimedUp): string[] {
  const ratio = `${(tookMs / (restoreSeconds * 1_000)).toFixed(2)}×`;
  return [name, seconds(tookMs), ratio, seconds(beforeMs), seconds(requestingMs), seconds(afterMs)];
}
