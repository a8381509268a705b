import { elapsed } from "../../time/elapsed";
import { chainStanding } from "../rows/standing";
import type { Chain, Row } from "../rows/row-chains";
import { hasEnded, type Words } from "../rows/row-words";
import { awaitsMachineLog, type ClearWay } from "../waits/clear-way";
import type { Telling } from "../waits/waiting";

/** A wait for the machine's log is worth a line when it lasts longer than a log takes as a rule. */
const quietMs = 5_000;

/** What is said while a restore waits until its machine is free. */
export function whileBlocked(words: Words): Telling<ClearWay> {
  /** The job of a chain that has to end next. */
  const openOf = (chain: Chain): Row => chain.find((row) => !hasEnded(chainStanding([row], words))) ?? chain[0];
  return {
    describe(state, now) {
      const spent = elapsed(now - state.since);
      const [chain] = state.blockers;
      if (chain) {
        const open = openOf(chain);
        return `waiting for transaction ${open.id} (${open.action ?? "no action given"}) of the machine to end (${spent})`;
      }
      if (state.lastTrouble !== undefined) {
        return `the panel cannot be read, trying again (${spent}): ${state.lastTrouble}`;
      }
      const [doubt] = state.doubtful;
      return doubt !== undefined && awaitsMachineLog(state) && now - doubt.since >= quietMs
        ? `waiting for the machine's log, which has to tell whether transaction ${doubt.row.id} is the machine's (${spent})`
        : undefined;
    },
    topic(state, outage) {
      const [chain] = state.blockers;
      if (chain) return `blocked by ${openOf(chain).id}`;
      return state.lastTrouble === undefined ? "awaiting the log" : `unreadable: ${outage ?? ""}`;
    },
  };
}
