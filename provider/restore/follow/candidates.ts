import type { Head } from "../../feed/watching";
import { identify, type IdentifyContext } from "../rows/identify";
import { markedAt, seenAbove, type MarkedAt } from "../rows/mark";
import type { Chain } from "../rows/row-chains";
import { learntAhead } from "../rows/stamps";
import type { Warning } from "../terms/warning";
import type { FollowRules, Looking, Underway } from "./follow-state";

/**
 * Takes the candidates for ours. While one may still be listed, a further restore of the machine that nothing tells apart from
 * ours is waited for too: on a panel that lists late, the one seen first need not be ours.
 */
export function withCandidates(state: Underway, rules: FollowRules): Underway {
  const { search } = state;
  if (search.kind === "known") return state;
  const sighting = identify(state.rows, contextOf(search, rules));
  const seen: Underway = { ...state, search: { ...search, sighting } };
  const fresh = madeWhenPosted(state, sighting.candidates, search).filter(
    (chain) => !chain.some((row) => state.ids.includes(row.id)),
  );
  if (fresh.length === 0) return seen;
  const ids = [...state.ids, ...fresh.flatMap((chain) => chain.map((row) => row.id))];
  const isAmbiguous = state.ids.length > 0 || fresh.length > 1;
  const doubted = fresh.filter((chain) => isFromLater(chain, search));
  const warnings: readonly Warning[] = [
    // The one that names all of them takes the place of one that named some.
    ...(isAmbiguous ? state.warnings.filter(({ kind }) => kind !== "alike") : state.warnings),
    ...(isAmbiguous ? [{ kind: "alike", transactionIds: ids } as const] : []),
    ...(doubted.length > 0 ? [{ kind: "appeared later", rows: doubted.flat() } as const] : []),
  ];
  return { ...seen, ids, warnings };
}

/** Once none can be listed late any more, what was taken is all there is, and nobody else's rows are looked at. */
export function settledOn(state: Underway, chains: readonly Chain[], now: number, { timeouts }: FollowRules): Underway {
  if (state.search.kind === "known" || now - state.followedSince <= timeouts.listedMs) return state;
  return { ...state, search: { kind: "known", extent: "whole" }, rows: chains.flat() };
}

export function withMachineLog(state: Underway, search: Looking, transactionIds: readonly string[]): Underway {
  return { ...state, search: { ...search, inMachineLog: [...new Set([...search.inMachineLog, ...transactionIds])] } };
}

/** With what a look has told about the panel's time stamps. */
export function withStamps(state: Underway, head: Head): Underway {
  const { search } = state;
  if (search.kind === "known") return state;
  const stampsAheadMs = learntAhead(
    search.stampsAheadMs,
    [...head.rows, ...state.rows],
    head.panelTime ?? head.wallTime.getTime(),
  );
  const aboveMark =
    search.postedBy === "an earlier run" ? seenAbove(search.aboveMark, search.mark, head.rows, state.rows) : undefined;
  return {
    ...state,
    search: { ...search, ...(stampsAheadMs !== undefined && { stampsAheadMs }), ...(aboveMark && { aboveMark }) },
  };
}

function contextOf(search: Looking, rules: FollowRules): IdentifyContext {
  const posted = postedAt(search);
  return {
    target: rules.target,
    words: rules.words,
    identifiers: rules.identifiers,
    inMachineLog: new Set(search.inMachineLog),
    isClaimed: rules.isClaimed,
    ...(posted !== undefined && { madeBefore: posted.at + madeWithinMs[posted.told] }),
  };
}

/**
 * What a panel has accepted was made before it answered. Where one of the candidates of a later run was, those made long after it are other
 * restores of the machine: a second one of the same program, for instance, which would find its own taken, and post again.
 */
function madeWhenPosted({ posted }: Underway, candidates: readonly Chain[], search: Looking): readonly Chain[] {
  if (posted !== "accepted") return candidates;
  const timely = candidates.filter((chain) => !isFromLater(chain, search));
  return timely.length > 0 ? timely : candidates;
}

/** The panel makes a transaction while it handles the POST. What a later run finds and was made after that may be somebody else's. */
function isFromLater(chain: Chain, search: Looking): boolean {
  if (search.postedBy === "this run") return false;
  const posted = postedAt(search);
  if (posted === undefined || posted.told === "no later than") return true;
  return !chain.some((row) => Date.parse(row.createdAt ?? "") <= posted.at + handledWithinMs);
}

const handledWithinMs = 60_000;

/** Far longer than a panel takes, so that clocks that do not agree, or a quiet night before the mark, hide no restore. */
const madeWithinMs: Readonly<Record<MarkedAt["told"], number>> = {
  exactly: 6 * 3_600_000,
  "by likeness": 24 * 3_600_000,
  "no later than": 6 * 3_600_000,
};

/** When an earlier run posted it, on the panel's stamps. */
function postedAt({ mark, stampsAheadMs, aboveMark }: Looking): MarkedAt | undefined {
  return aboveMark && markedAt(mark, stampsAheadMs, aboveMark);
}
