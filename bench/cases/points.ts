import type { Sandbox } from "../../test/e2e/support/scene";
import { forgetOuterSettings } from "../../tools/engine/environment";
import { machineIds, restoresByRule, restoresOf } from "../engine/programs";
import { measuredUp, type TimedUp } from "../engine/timed-up";
import { seconds, type Case } from "../report";

const restoreSeconds = 60;
const count = 100;
const mostLongerSeconds = 10;

export const points: Case = {
  name: "points",
  async run() {
    forgetOuterSettings();
    const machines = machineIds(count);
    const options = { restoreSeconds, parallel: count };
    const byId = await measuredUp(restoresOf(machines), machines, options);
    const reads = new PointReads();
    const byRule = await measuredUp(restoresByRule(machines), machines, {
      ...options,
      afterwards: (panel) => {
        reads.see(panel);
      },
    });
    return {
      title: "`pulumi up` of 100 restores whose recovery points a rule chooses",
      about:
        'A hundred machines, a restore of a minute each, all at the same time; the real engine with `--parallel 100` and a file backend, once each. With `recoveryPoint: "newest"` ' +
        "the intent of each restore reads the list of its machine's recovery points before it is saved, in a page and the one behind it, which tells that there is no more. The panel " +
        "counts the requests for them. That eight lists are read at a time is held by a test (`panel/recovery-points`).",
      columns: ["", "took", "before the first POST", "to the last one", "after the last end", "requests for points"],
      rows: [
        [...row("with `recoveryPointId`", byId), "0"],
        [...row('with `recoveryPoint: "newest"`', byRule), String(reads.requests)],
      ],
      bars: [
        {
          claim: "at most one list of points for each machine",
          measured: `${String(reads.lists)} of ${String(reads.machines)} machines`,
          met: reads.lists <= count && reads.lists === reads.machines,
        },
        {
          claim: `at most ${String(mostLongerSeconds)} s longer than with ids`,
          measured: `${seconds(byRule.tookMs)} against ${seconds(byId.tookMs)}`,
          met: byRule.tookMs - byId.tookMs <= mostLongerSeconds * 1_000,
        },
      ],
    };
  },
};

function row(name: string, { tookMs, beforeMs, requestingMs, afterMs }: TimedUp): string[] {
  return [name, seconds(tookMs), seconds(beforeMs), seconds(requestingMs), seconds(afterMs)];
}

/** Counts a panel's requests for lists of recovery points. */
class PointReads {
  requests = 0;
  machines = 0;
  /** Lists that were read: for each machine, the most requests for one page. */
  lists = 0;

  see(panel: Sandbox): void {
    const gets = panel.requests().filter(({ method, path }) => method === "GET" && path.includes("/recovery_points"));
    this.requests = gets.length;
    const byMachine = new Map<string, Map<string, number>>();
    for (const { path } of gets) {
      const machine = /\d{5}/.exec(path)?.[0] ?? path;
      const pages = byMachine.get(machine) ?? new Map<string, number>();
      byMachine.set(machine, pages.set(path, (pages.get(path) ?? 0) + 1));
    }
    this.machines = byMachine.size;
    this.lists = [...byMachine.values()].reduce((sum, pages) => sum + Math.max(...pages.values()), 0);
  }
}
