import { elapsed } from "../../time/elapsed";
import type { Row } from "../rows/row-chains";
import type { Follow } from "../follow/follow-state";
import type { Telling } from "../waits/waiting";

export const whileFollowing: Telling<Follow> = { describe: describeFollow, topic: topicOfFollow };

/** What an operator reads on the resource's own row while a restore is under way. */
function describeFollow(state: Follow, now: number): string | undefined {
  const spent = elapsed(now - state.since);
  const trouble = state.lastTrouble === undefined ? "" : `; the panel cannot be read right now: ${state.lastTrouble}`;
  switch (state.phase) {
    case "unlisted":
      if (state.ids.length > 0)
        return `looking for transaction ${mainId(state)} in the panel's list (${spent})${trouble}`;
      return state.posted === "accepted"
        ? `accepted, not listed yet (${spent})${trouble}`
        : `the answer to the request was lost, looking for its transaction (${spent})${trouble}`;
    case "queued": {
      const behind = waitsFor(state);
      return behind === undefined
        ? `queued, transaction ${mainId(state)} (${spent})${trouble}`
        : `queued behind transaction ${behind} (${spent})${trouble}`;
    }
    case "running":
      if (state.brokenSince !== undefined) {
        return `a part of it has not completed, waiting a moment for the rest of transactions ${state.ids.join(", ")}${trouble}`;
      }
      return `running ${spent}, transaction ${mainId(state)}${trouble}`;
    case "over":
      return undefined;
  }
}

/** What `describeFollow` speaks of, times and the panel's words apart. */
function topicOfFollow(state: Follow, outage: string | undefined): string {
  return [state.phase, state.posted, mainId(state), waitsFor(state) ?? "", outage ?? ""].join("/");
}

/** The transaction outside the restore that it waits for, if its rows name one. */
function waitsFor(state: Follow): string | undefined {
  const own = new Set(state.ids);
  return ownRows(state)
    .map((row) => row.dependentTransactionId)
    .find((id) => id !== undefined && !own.has(id));
}

function mainId(state: Follow): string {
  return state.ids[state.ids.length - 1] ?? "unknown";
}

function ownRows(state: Follow): readonly Row[] {
  return state.rows.filter((row) => state.ids.includes(row.id));
}
