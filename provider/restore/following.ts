import type { Floor, Head } from "../feed/watching";
import type { Transaction } from "../panel/types";
import { without } from "../plain/plain";
import {
  type Chain,
  mergeRows,
  type Outcome,
  type Row,
  unheardOf,
  type Verdict,
  verdictOf,
  type Words,
} from "../rows/chains";
import { identify, type IdentifyContext, namesAnotherPoint, tieOf } from "../rows/identify";
import { floorAbove, floorLongAbove, isAbove, learntAhead, markedAt, type MarkedAt, seenAbove } from "../rows/mark";
import {
  finish,
  type Follow,
  type FollowEnd,
  type FollowRules,
  type Looking,
  takenChains,
  type Underway,
} from "./follow-state";
import type { Warning } from "./result";
import { type Deadline, endsTheWait, type WaitEvent, type Waiting } from "./waiting";

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

/** What the rows known now say: which are this restore, and how it stands. */
function look(state: Underway, now: number, rules: FollowRules): Follow {
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

function endByVerdict({ standing }: Outcome): FollowEnd {
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

/** What was taken with all that is known to belong to it, and whether the look that showed it had asked for all of that. */
function withParts(found: Underway, chains: readonly Chain[], before: Underway, rules: FollowRules): Underway {
  const rows = chains.flat();
  const ids = rows.map((row) => row.id);
  const chainIds = [...new Set(rows.flatMap((row) => row.chainId ?? []))];
  const waitsFor = [...new Set(rows.flatMap((row) => row.dependentTransactionId ?? []))].filter(
    (id) => !ids.includes(id),
  );
  const parts: Underway = {
    ...found,
    ids: sameIds(ids, found.ids) ? found.ids : ids,
    chainIds,
    waitsFor,
    warnings: withUnheardOf(found.warnings, chains, rules.words),
  };
  if (before.search.kind === "looking") return parts;
  const asked = [...before.ids, ...before.waitsFor];
  const hasAskedForAll = sameIds(chainIds, before.chainIds) && [...ids, ...waitsFor].every((id) => asked.includes(id));
  return { ...parts, search: { kind: "known", extent: hasAskedForAll ? "whole" : "to be seen" } };
}

/** A look that shows none of them shows nothing further to ask for. */
function withoutFurtherParts(state: Underway): Underway {
  return state.search.kind === "looking" ? state : { ...state, search: { kind: "known", extent: "whole" } };
}

function withUnheardOf(warnings: readonly Warning[], chains: readonly Chain[], words: Words): readonly Warning[] {
  const known = warnings.flatMap((warning) => (warning.kind === "unheard of" ? warning.status : []));
  const statuses = new Set(chains.flatMap((chain) => unheardOf(chain, words)));
  const news = [...statuses].filter((status) => !known.includes(status));
  return news.length === 0
    ? warnings
    : [...warnings, ...news.map((status): Warning => ({ kind: "unheard of", status }))];
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}

/** How far down the list a restore that is followed has to be looked for. */
function floorOf({ search, ids, waitsFor }: Follow): Floor {
  if (search.kind === "looking") {
    const { mark, postedBy } = search;
    const above = postedBy === "this run" ? floorAbove(mark) : floorLongAbove(mark);
    return { ...above, ...(ids.length > 0 && { ids: ids as readonly Transaction["id"][] }) };
  }
  if (search.extent === "whole") return { ids: ids as readonly Transaction["id"][] };
  // The panel makes the rows of a chain at once, so those that nothing names lie close to a known one.
  return { ids: [...ids, ...waitsFor] as readonly string[] as readonly Transaction["id"][], around: true };
}

/** Which rows it hears of. */
function wants(state: Follow, row: Transaction, { target, identifiers }: FollowRules): boolean {
  const { search } = state;
  if (state.ids.includes(row.id) || state.waitsFor.includes(row.id)) return true;
  if (row.dependentTransactionId !== undefined && state.ids.includes(row.dependentTransactionId)) return true;
  if (row.chainId !== undefined && state.chainIds.includes(row.chainId)) return true;
  if (search.kind === "known") {
    // A list sorted by change may show a part before the one that links it to a known row, and no later look comes by it again.
    return search.extent === "to be seen" && (row.chainId ?? row.dependentTransactionId) !== undefined;
  }
  return isAbove(row, search.mark) && tieOf(row, target.virtualMachineId, identifiers) !== "another's";
}

/** Rows may be it, and only the machine's log can tell. */
function asksMachineLog({ search }: Follow): boolean {
  return search.kind === "looking" && (search.sighting?.untold.length ?? 0) > 0;
}

/** Above a mark every row of the machine is looked at; of known transactions the other parts may still have to be asked for. */
function hasWholeExtent({ search }: Follow): boolean {
  return search.kind === "looking" || search.extent === "whole";
}

/**
 * Takes the candidates for ours. While one may still be listed, a further restore of the machine that nothing tells apart from
 * ours is waited for too: on a panel that lists late, the one seen first need not be ours.
 */
function withCandidates(state: Underway, rules: FollowRules): Underway {
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
function settledOn(state: Underway, chains: readonly Chain[], now: number, { timeouts }: FollowRules): Underway {
  if (state.search.kind === "known" || now - state.followedSince <= timeouts.listedMs) return state;
  return { ...state, search: { kind: "known", extent: "whole" }, rows: chains.flat() };
}

function withMachineLog(state: Underway, search: Looking, transactionIds: readonly string[]): Underway {
  return { ...state, search: { ...search, inMachineLog: [...new Set([...search.inMachineLog, ...transactionIds])] } };
}

/** With what a look has told about the panel's time stamps. */
function withStamps(state: Underway, head: Head): Underway {
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
