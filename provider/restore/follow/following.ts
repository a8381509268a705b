import { without } from "../../plain/without";
import { mergeRows } from "../rows/row-chains";
import { verdictOf } from "../rows/standing";
import { endsTheWait } from "../waits/trouble";
import type { Deadline, WaitEvent, Waiting } from "../waits/waiting";
import { withMachineLog, withStamps } from "./candidates";
import { finish, takenChains, type Follow, type FollowEnd, type FollowRules, type Underway } from "./follow-state";
import { endByVerdict, look } from "./look";
import { asksMachineLog, floorOf, hasWholeExtent, wants } from "./reach";

/** From the POST (or from a record of it) to the end: not listed yet, queued, running, over. */
export function following(rules: FollowRules): Waiting<Follow> {
  return {
    step: (state, event, now) => (state.phase === "over" ? state : step(state, event, now, rules)),
    isOver: (state) => state.phase === "over",
    floor: floorOf,
    wants: (state, row) => wants(state, row, rules),
    urgency: (state) => (state.phase === "unlisted" || !hasWholeExtent(state) ? "listing" : "young"),
    deadline: (state) => deadlineOf(state, rules),
    asksMachineLog,
  };
}

function step(state: Underway, event: WaitEvent, now: number, rules: FollowRules): Follow {
  switch (event.type) {
    case "tick": {
      const rows = mergeRows(state.rows, event.rows);
      const heard = { ...without(state, "lastTrouble"), readDown: event.reachedFloor, rows };
      const seen = look(withStamps(heard, event.head), now, rules);
      const hasSeenAll = event.reachedFloor && !asksMachineLog(seen) && hasWholeExtent(seen);
      return rules.until === "look" && hasSeenAll ? lookedOnce(seen) : seen;
    }
    case "machine-log": {
      // An answer that comes late changes nothing about transactions that are known, and shows no further rows of them.
      if (state.search.kind === "known") return state;
      const seen = look(withMachineLog(state, state.search, event.transactionIds), now, rules);
      return rules.until === "look" ? lookedOnce(seen) : seen;
    }
    case "trouble":
      return endsTheWait(event)
        ? finish(state, { how: "turned-away", error: event.error })
        : { ...state, lastTrouble: event.error.message };
    case "limit": {
      const broken = state.brokenSince === undefined ? undefined : brokenEnd(state, rules);
      return finish(state, broken ?? { how: "limit", limit: event.limit });
    }
    case "head":
    case "machine-log-trouble":
      return state;
  }
}

/** How it ends when what has not begun never does. */
function brokenEnd(state: Underway, { words }: FollowRules): FollowEnd | undefined {
  const verdict = verdictOf(takenChains(state), words);
  return verdict.ended || verdict.broken === undefined ? undefined : endByVerdict(verdict.broken);
}

function lookedOnce(state: Follow): Follow {
  return state.phase === "over" ? state : finish(state, { how: "seen" });
}

function deadlineOf(state: Follow, { timeouts }: FollowRules): Deadline | undefined {
  if (state.phase === "over") return undefined;
  const own = ownDeadline(state, timeouts);
  return state.totalUntil !== undefined && state.totalUntil < own.at ? { at: state.totalUntil, limit: "total" } : own;
}

function ownDeadline({ phase, since }: Underway, timeouts: FollowRules["timeouts"]): Deadline {
  switch (phase) {
    case "unlisted":
      return { at: since + timeouts.listedMs, limit: "listed" };
    case "queued":
      return { at: since + timeouts.queueMs, limit: "queue" };
    case "running":
      return { at: since + timeouts.runMs, limit: "run" };
  }
}
