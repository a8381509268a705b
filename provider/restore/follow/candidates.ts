import type { Head } from "../../feed/watching";
import { identify, type IdentifyContext } from "../rows/identify";
import { markedAt, seenAbove, type MarkedAt } from "../rows/mark";
import type { Chain, Row } from "../rows/row-chains";
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
  const fresh = madeWhenPosted(sighting.candidates, state.posted, search).filter(
    (chain) => !chain.some((row) => state.ids.includes(row.id)),
  );
  if (fresh.length === 0) return seen;
  const ids = [...state.ids, ...fresh.flatMap((chain) => chain.map((row) => row.id))];
  const isAmbiguous = state.ids.length > 0 || fresh.length > 1;
  const doubted = fresh.filter((chain) => isFromLater(chain, search, atOnceMs));
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
  const { isOfALater } = rules;
  return {
    target: rules.target,
    words: rules.words,
    identifiers: rules.identifiers,
    inMachineLog: new Set(search.inMachineLog),
    isClaimed: rules.isClaimed,
    ...(isOfALater &&
      search.postedBy === "an earlier run" && { isOfALater: (row: Row) => isOfALater(row, search.mark) }),
    ...(posted !== undefined && { madeBefore: posted.at + madeWithinMs[posted.told] }),
  };
}

/**
 * Beside one that was made when an earlier run posted it, one of later is another restore of the machine, and not another that may be it: a second
 * one of the same program, for instance, which would find its own taken and post again. Where there is none of that time, the later one may
 * be it after all. What the panel has accepted was made before it answered.
 */
function madeWhenPosted(chains: readonly Chain[], posted: Underway["posted"], search: Looking): readonly Chain[] {
  const withinMs = posted === "accepted" ? atOnceMs : aboutThenMs;
  const timely = chains.filter((chain) => !isFromLater(chain, search, withinMs));
  return timely.length > 0 ? timely : chains;
}

/** The panel makes a transaction while it handles the POST. What a later run finds and was made after that may be somebody else's. */
function isFromLater(chain: Chain, search: Looking, handledWithinMs: number): boolean {
  if (search.postedBy === "this run") return false;
  const posted = postedAt(search);
  if (posted === undefined || posted.told === "no later than") return true;
  return !chain.some((row) => Date.parse(row.createdAt ?? "") <= posted.at + handledWithinMs);
}

const atOnceMs = 60_000;
/** Longer than a panel takes for a POST whose answer nobody waits for any more. */
const aboutThenMs = 15 * 60_000;

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
