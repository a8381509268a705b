import { forgetOuterSettings } from "../../tools/engine/environment";
import { plainLoop } from "../engine/plain-loop";
import { machineIds, planOf, restoresOf } from "../engine/programs";
import { measuredUp, timedUp, type TimedUp } from "../engine/timed-up";
import { seconds, type Case } from "../report";

const restoreSeconds = 60;
const highestRatio = 1.2;
/** Two batches of the engine's default places on two processors; a hundred would take a quarter of an hour. */
const fewer = 16;

export const plan: Case = {
  name: "plan",
  async run() {
    forgetOuterSettings();
    const machines = machineIds(100);
    const options = { restoreSeconds, parallel: "default" } as const;
    const panelMs = await plainLoop(machines, restoreSeconds);
    const emptyMs = await timedUp(() => Promise.resolve({}), machineIds(1), { parallel: "default" });
    const asPlan = await measuredUp(planOf(machines), machines, options);
    const few = machines.slice(0, fewer);
    const asRestores = await measuredUp(restoresOf(few), few, options);
    const ratio = asPlan.tookMs / panelMs;
    const sincePost = (asPlan.tookMs - asPlan.beforeMs) / panelMs;
    return {
      title: "`pulumi up` of 100 restores of a minute, with the engine's default `--parallel`",
      about:
        `The real engine with a file backend, once each. The panel carries out all restores at the same time: asked by a plain loop, eight ` +
        `requests at a time, beside a poller, it had ended the last one ${seconds(panelMs)} after the first request; that is the panel's own time. ` +
        `An \`up\` of a program without resources takes ${seconds(emptyMs)}. ` +
        "The default is four resources per processor at a time. A restore by itself takes one of these places until it has " +
        `ended, so ${String(fewer)} of them are measured; a wave of a RecoveryPlan takes one for all its restores. Before the first ` +
        "request the CLI and the program start and the intents are saved. While restores are posted, those that have a place share looks at " +
        "the list, eight a second at most. After the last end it has to be noticed and stored.",
      columns: [
        "",
        "took",
        "against the panel's own time",
        "before the first request",
        "to the last one",
        "after the last end",
      ],
      rows: [
        row("one plan with a wave of 100", asPlan, panelMs),
        row(`${String(fewer)} restores by themselves`, asRestores, panelMs),
      ],
      bars: [
        {
          claim: `the plan takes at most ${String(highestRatio)} times the panel's own time`,
          measured: `${ratio.toFixed(2)}; ${sincePost.toFixed(2)} from its first request on`,
          met: ratio <= highestRatio,
        },
      ],
    };
  },
};

function row(name: string, { tookMs, beforeMs, requestingMs, afterMs }: TimedUp, panelMs: number): string[] {
  const ratio = `${(tookMs / panelMs).toFixed(2)}×`;
  return [name, seconds(tookMs), ratio, seconds(beforeMs), seconds(requestingMs), seconds(afterMs)];
}
