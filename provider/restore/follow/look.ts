import { without } from "../../plain/without";
import { namesAnotherPoint } from "../rows/identify";
import { verdictOf, type Outcome, type Verdict } from "../rows/standing";
import { tieOf } from "../rows/tie";
import { settledOn, withCandidates } from "./candidates";
import { finish, takenChains, type Follow, type FollowEnd, type FollowRules, type Underway } from "./follow-state";
import { withParts, withoutFurtherParts } from "./parts";
import { hasWholeExtent } from "./reach";
import type { Chain } from "../rows/row-chains";

/** What the rows known now say: which are this restore, and how it stands. */
export function look(state: Underway, now: number, rules: FollowRules): Follow {
  const found = withCandidates(state, rules);
  const chains = takenChains(found);
  if (chains.length === 0) return withoutFurtherParts(found);
  const other = somethingElse(chains, rules);
  if (other) return finish(found, other);
  const taken = withParts(settledOn(found, chains, now, rules), chains, state, rules);
  const verdict = verdictOf(chains, rules.words);
  if (!hasWholeExtent(taken)) return inPhase(taken, verdict, now);
  if (verdict.ended) return finish(taken, endByVerdict(verdict));
  const moved = inPhase(taken, verdict, now);
  if (rules.until === "listed") return finish(moved, { how: "seen" });
  return verdict.broken === undefined ? moved : brokenOff(moved, verdict.broken, state.brokenSince ?? now, now);
}

export function endByVerdict({ standing }: Outcome): FollowEnd {
  return standing === "differs" ? { how: "differs" } : { how: "ended", standing };
}

/** What was taken turns out to be another machine's, or of another recovery point. */
function somethingElse(chains: readonly Chain[], { target, identifiers }: FollowRules): FollowEnd | undefined {
  const isAnothers = (chain: Chain): boolean =>
    chain.every((row) => tieOf(row, target.virtualMachineId, identifiers) === "another's");
  if (chains.some(isAnothers)) return { how: "not-this-machine" };
  return chains.some((chain) => namesAnotherPoint(chain, target)) ? { how: "not-this-point" } : undefined;
}

/** Never back from running to queued: between two parts of a chain nothing may run for a moment. */
function inPhase(state: Underway, { standing }: Verdict, now: number): Underway {
  const phase = standing === "running" || state.phase === "running" ? "running" : "queued";
  const moved = without(state, "brokenSince");
  return phase === state.phase ? moved : { ...moved, phase, since: now };
}

/**
 * Once a part has failed, the whole has: how much time the panel is given to end what has not begun behind it. Most cancel it at
 * once, some leave it pending for ever.
 */
export const restOfChainMs = 60_000;

function brokenOff(state: Underway, outcome: Outcome, brokenSince: number, now: number): Follow {
  return now - brokenSince < restOfChainMs ? { ...state, brokenSince } : finish(state, endByVerdict(outcome));
}
