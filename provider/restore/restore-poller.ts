import type { StopRule, NewestPage } from "../feed/types";
import type { Mark, RestoreTarget, Timeouts } from "../inputs/intent";
import type { FinishedStatus } from "../inputs/record";
import type { Transaction } from "../panel/types";
import { zonedTime } from "../plain/clock";
import { omit } from "../plain/plain";
import {
  type Chain,
  isUnfinished,
  mergeRows,
  wasMadeInSteps,
  chainStatus,
  type ChainStatus,
  finalChainStatus,
  type Row,
  unrecognizedStatuses,
  combinedEnd,
} from "../rows/chains";
import type { ConfiguredWords } from "../rows/words";
import { type LogFindings, matchTransactions, noLogFindings } from "../rows/match-transactions";
import { madeSince } from "../rows/mark";
import { whoseRow } from "../rows/whose-row";
import { findingsOf } from "./machine-log";
import type { Warning } from "./result";
import {
  type RestoreProgress,
  type ProgressEnd,
  hasSeenNothing,
  type Ended,
  type Search,
  ownChains,
  type Underway,
} from "./restore-progress";
import { type Deadline, endsPolling, type ListReadEvent, type PollEvent, type Poller } from "./poller";
import { addRead, isNeededAbove } from "./rows-above";

export interface RestorePollerRules {
  readonly target: RestoreTarget;
  readonly words: ConfiguredWords;
  readonly timeouts: Timeouts;
  readonly isClaimed: (transactionId: string) => boolean;
  /** `ended`: to the end. `met`: until one of its transactions is seen. `one read`: one read, whatever it shows. */
  readonly until: "ended" | "met" | "one read";
}

function finish(state: Underway, end: ProgressEnd): Ended {
  return { ...state, phase: "over", end };
}

/** From the POST (or from a record of it) to the end: not listed yet, queued, running, over. */
export function restorePoller(rules: RestorePollerRules): Poller<RestoreProgress, Ended> {
  return {
    step: (state, event, now) => (state.phase === "over" ? state : step(state, event, now, rules)),
    isOver: (state) => state.phase === "over",
    stopRule: stopRuleOf,
    wants: (state, row) =>
      isPartOf(state, row, rules) ||
      (state.search.kind !== "known" &&
        isNeededAbove(row, state.seenFrom, state.search.mark, rules.target.virtualMachineId)),
    since: (state) => state.followedSince,
    deadline: (state) => (state.phase === "over" ? undefined : phaseDeadline(state, rules.timeouts)),
    needsMachineLog: (state) => (state.phase !== "over" && state.awaits.what === "log" ? rowsForLog(state) : []),
    readAgainAt: ({ awaits }) => (awaits.what === "closing read" ? awaits.from : undefined),
  };
}

function step(state: Underway, event: PollEvent, now: number, rules: RestorePollerRules): RestoreProgress {
  const { awaits } = state;
  switch (event.type) {
    case "list-read": {
      // A row that is listed once the set is closed changes nothing.
      if (awaits.what === "log" && awaits.isClosed) return state;
      const seen = reevaluate(applyRead(state, event, now, rules), noLogFindings, now, rules, event);
      const isEnough = rules.until === "one read" ? event.reachedStop : rules.until === "met" && !hasSeenNothing(seen);
      return isEnough && seen.phase !== "over" && seen.awaits.what !== "rest of a chain"
        ? finish(seen, { how: "read-enough" })
        : seen;
    }
    case "machine-log":
      if (awaits.what !== "log" || event.askedAt < awaits.since) return state;
      return reevaluate(state, findingsOf(event, rowsForLog(state)), now, rules);
    case "machine-log-trouble":
      if (awaits.what !== "log") return state;
      return awaits.isClosed
        ? reevaluate(state, noLogFindings, now, rules)
        : { ...state, awaits: { what: "next read" } };
    case "read-failed":
      return endsPolling(event)
        ? finish(state, { how: "access-denied", error: event.error })
        : { ...state, lastTrouble: event.error.message };
    case "limit": {
      if (awaits.what === "log" && awaits.isClosed) return reevaluate(state, noLogFindings, now, rules);
      const brokenOff = state.brokenOffSince === undefined ? undefined : endIfBrokenOff(ownChains(state), rules.words);
      return finish(state, brokenOff ? endAs(brokenOff) : { how: "limit", limit: event.limit });
    }
  }
}

/** Adds what one read of the list showed. Below its mark nothing is this restore, whatever chain id a row there has. */
function applyRead(state: Underway, event: ListReadEvent, now: number, rules: RestorePollerRules): Underway {
  const { search } = state;
  const { newestPage, reachedStop } = event;
  const lastReadAt = state.newestPage?.answeredAt ?? state.followedSince;
  const read =
    search.kind === "known"
      ? {
          above: mergeRows(
            state.above,
            event.rows.filter((row) => isPartOf(state, row, rules)),
          ),
        }
      : omit(addRead(state, event, search.mark, rules.target.virtualMachineId), "below", "newIds");
  return {
    ...omit(state, "lastTrouble"),
    ...(state.lastTrouble !== undefined && { outageMs: state.outageMs + Math.max(0, now - lastReadAt) }),
    readFarEnough: reachedStop,
    newestPage,
    ...read,
    ...(state.ids.length === 0 && {
      firstMetAt: new Map([...read.above.map(({ id }) => [id, newestPage.readAt] as const), ...state.firstMetAt]),
    }),
  };
}

/** Re-evaluates the state by the rows known now. `read` is the look that has just shown them, `log` what the log says of them. */
function reevaluate(
  state: Underway,
  log: LogFindings,
  now: number,
  rules: RestorePollerRules,
  read?: ListReadEvent,
): RestoreProgress {
  const found =
    state.search.kind === "known" ? state : searchAboveMark(withUntold(state, rules), state.search, log, now, rules);
  if (found.phase === "over") return found;
  const chains = ownChains(found);
  if (chains.length === 0) return awaitLog(found, false, now, read);
  if (chains.some((chain) => isAnothers(chain, rules))) return finish(found, { how: "not-this-machine" });
  const taken = addParts(state, setAsideUntold(found), chains, rules, read);
  const statuses = chains.map((chain) => chainStatus(chain, rules.words));
  const moved = setPhase(taken, statuses, now);
  const end = combinedEnd(statuses);
  const brokenOff = end ? undefined : endIfBrokenOff(chains, rules.words);
  const brokenOffSince = brokenOff && (state.brokenOffSince ?? now);
  const isBrokenOff = brokenOffSince !== undefined && now - brokenOffSince >= restOfChainMs;
  const outcome = end ?? (isBrokenOff ? brokenOff : undefined);
  const next: Underway = { ...moved, brokenOffSince };
  if (outcome === undefined || next.awaits.what === "rest of a chain") return next;
  return close(state, next, outcome, now, rules, read);
}

/** Once all that was taken has ended, or broken off, every row has a say. */
function withUntold(state: Underway, { words }: RestorePollerRules): Underway {
  if (state.untold.length === 0 || endIfBrokenOff(ownChains(state), words) === undefined) return state;
  return { ...state, above: mergeRows(state.untold, state.above), untold: [] };
}

function setAsideUntold(state: Underway): Underway {
  if (state.search.kind === "known") return state;
  const aside = rowsForLog(state);
  const ids = new Set<string>(aside.map(({ id }) => id));
  return { ...state, above: state.above.filter(({ id }) => !ids.has(id)), untold: [...state.untold, ...aside] };
}

/** A part may be listed this long after the one before it has ended. */
const nextPartMs = 15_000;

/**
 * All that was taken has ended. No further one counts once a read that began after that went down to where the one before began: one request
 * shows everything as it was at one moment.
 */
function close(
  before: Underway,
  state: Underway,
  outcome: FinishedStatus | "differs",
  now: number,
  { until }: RestorePollerRules,
  read: ListReadEvent | undefined,
): RestoreProgress {
  const { awaits, ids } = before;
  const isSame = ids.length === state.ids.length;
  const mayGrow = state.hasGrown && until === "ended";
  if (awaits.what !== "log" || !awaits.isClosed) {
    const isAwaited = awaits.what === "closing read" && isSame;
    const from = isAwaited ? awaits.from : mayGrow ? now + nextPartMs : now;
    const isAtOneMoment = read?.inOneRequest === true || state.search.kind === "known";
    const isInTime = isAwaited ? (read?.newestPage.readAt ?? -1) >= from : !mayGrow && isAtOneMoment;
    const isClosed = isInTime && (state.search.kind === "known" || read?.reachedMark === true);
    if (!isClosed) return { ...state, awaits: { what: "closing read", from } };
    const asking = awaitLog(state, true, now, read);
    if (asking !== state) return asking;
  }
  const open = rowsForLog(state).map(({ id }) => id);
  const warning: Warning = { kind: "not told whose", transactionIds: open };
  const warned = open.length === 0 ? state : { ...state, warnings: [...state.warnings, warning] };
  return finish(warned, endAs(outcome));
}

/** After a read that showed rows that may be this restore and name no machine. */
function awaitLog(state: Underway, isClosed: boolean, now: number, read: ListReadEvent | undefined): Underway {
  if (rowsForLog(state).length === 0) return state;
  return { ...state, awaits: read ? { what: "log", since: now, isClosed } : { what: "next read" } };
}

/** Rows that may be this restore and of which only the machine's log tells. */
function rowsForLog({ candidates }: Underway): readonly Row[] {
  return (candidates?.unattributed ?? []).flat();
}

/** Takes what fits above the mark. */
function searchAboveMark(
  state: Underway,
  search: Exclude<Search, { kind: "known" }>,
  log: LogFindings,
  now: number,
  { target, words, isClaimed }: RestorePollerRules,
): RestoreProgress {
  const candidates = matchTransactions(state.above, {
    target,
    words,
    log,
    isKnown: isClaimed,
    madeSince: madeSince(search.mark),
    isMarkEmpty: search.mark.newestId === undefined,
    olderChainIds: state.olderChainIds,
    ...(search.kind === "posted"
      ? { mayQueue: search.mayQueue === true }
      : { later: { predecessorIds: search.predecessorIds } }),
  });
  const { fits, others } = candidates;
  const isOwn = (chain: Chain): boolean => chain.some((row) => state.ids.includes(row.id));
  const unattributed = candidates.unattributed.filter((chain) => !isOwn(chain));
  const suspect = candidates.suspect.map(({ chain }) => chain);
  const isOpen = [...others, ...suspect].some((chain) => isUnfinished(chain, words));
  const relevant = [...fits, ...suspect, ...others, ...unattributed, ...ownChains(state)];
  const relevantIds = new Set<string>(relevant.flat().map(({ id }) => id));
  const seen: Underway = {
    ...state,
    candidates: { ...candidates, unattributed },
    above: state.above.filter(({ id }) => relevantIds.has(id)),
    ...(isOpen && { partSeenAt: now }),
  };
  const newFits = fits.filter((chain) => !isOwn(chain));
  if (search.kind === "unconfirmed") return takeUnconfirmed(seen, newFits, search.mark, log);
  if (newFits.length === 0) return seen;
  const ids = [...state.ids, ...newFits.flatMap((chain) => chain.map((row) => row.id))];
  const isAmbiguous = state.ids.length > 0 || newFits.length > 1;
  const warnings: readonly Warning[] = isAmbiguous
    ? // The one that names all of them takes the place of one that named some.
      [
        ...seen.warnings.filter(({ kind }) => kind !== "indistinguishable"),
        { kind: "indistinguishable", transactionIds: ids },
      ]
    : seen.warnings;
  // A row that the log has just named is no longer open.
  const isTaken = (chain: Chain): boolean => chain.some((row) => ids.includes(row.id));
  const left = { ...candidates, unattributed: unattributed.filter((chain) => !isTaken(chain)) };
  return { ...seen, candidates: left, ids, warnings };
}

/** Takes the only one that fits and was made about when the restore was posted. */
function takeUnconfirmed(seen: Underway, fits: readonly Chain[], mark: Mark, log: LogFindings): RestoreProgress {
  const { newestPage, candidates, seenFrom } = seen;
  const [chain, ...more] = fits;
  if (newestPage === undefined || seenFrom === undefined || chain === undefined) return seen;
  const open = candidates?.unattributed ?? [];
  if (open.length > 0 && log === noLogFindings) return seen;
  const chains = [...fits, ...open];
  if (more.length > 0 || open.length > 0 || !wasMadeNearPost(chain, mark, newestPage))
    return finish(seen, { how: "several", chains });
  const warning: Warning = { kind: "appeared later", rows: chain };
  const ids = chain.map((row) => row.id);
  return { ...seen, search: { kind: "known" }, above: chain, ids, warnings: [...seen.warnings, warning] };
}

const postedWithinMs = 6 * 3_600_000;

/**
 * True if the only fit of an unconfirmed restore was made soon after the POST, not days later by a person. Marks of 1.0.0 do not say when
 * they were taken: not before their newest row was made.
 */
function wasMadeNearPost(chain: Chain, { takenAt, newestCreatedAt }: Mark, { panelTime }: NewestPage): boolean {
  const posted = zonedTime(takenAt ?? newestCreatedAt);
  if (posted === undefined) return false;
  const made = chain.map((row) => zonedTime(row.createdAt)).filter((at) => at !== undefined);
  // Without a stamp, the row was made by now at the latest.
  const latest = made.length > 0 ? Math.min(...made) : panelTime;
  return latest !== undefined && latest <= posted + postedWithinMs;
}

/** How they have ended, or how they do when what has not begun never does. */
function endIfBrokenOff(chains: readonly Chain[], words: ConfiguredWords): FinishedStatus | "differs" | undefined {
  return combinedEnd(chains.map((chain) => finalChainStatus(chain, words)));
}

function endAs(outcome: FinishedStatus | "differs"): ProgressEnd {
  return outcome === "differs" ? { how: "differs" } : { how: "ended", status: outcome };
}

/** True if a chain that was taken turns out to be another machine's. */
function isAnothers(chain: Chain, { target }: RestorePollerRules): boolean {
  const whoseEach = chain.map((row) => whoseRow(row, target.virtualMachineId));
  return whoseEach.includes("another machine") && !whoseEach.includes("this machine");
}

/** With all that is known to belong to what was taken. */
function addParts(
  before: Underway,
  state: Underway,
  chains: readonly Chain[],
  { words }: RestorePollerRules,
  read: ListReadEvent | undefined,
): Underway {
  const rows = chains.flat();
  const ids = rows.map((row) => row.id);
  const chainIds = [...new Set(rows.flatMap((row) => row.chainId ?? []))];
  const isMore = ids.some((id) => !before.ids.includes(id));
  const isListed = before.phase !== "unlisted" && before.awaits.what !== "rest of a chain";
  // A row that was met before it could be told from other work, such as a stop, is a part as well.
  const hasJoined = chains.some((chain) => new Set(chain.flatMap(({ id }) => state.firstMetAt.get(id) ?? [])).size > 1);
  // A look by ids alone does not hear of the rest of a chain: it is known for one only by the row that has just told, and read around that.
  const isWhole =
    chainIds.length === 0
      ? !isMore || before.search.kind !== "known"
      : chainIds.every((id) => before.chainIds.includes(id)) && read?.stopRule.around === true && read.reachedStop;
  const hasRest = state.search.kind === "known" && !isWhole;
  return {
    ...state,
    ids: isMore || ids.length !== state.ids.length ? ids : state.ids,
    chainIds,
    hasGrown: state.hasGrown || (isMore && (isListed || hasJoined)) || chains.some(wasMadeInSteps),
    awaits: hasRest ? { what: "rest of a chain" } : { what: "next read" },
    warnings: addUnrecognized(state.warnings, chains, words),
  };
}

function addUnrecognized(
  warnings: readonly Warning[],
  chains: readonly Chain[],
  words: ConfiguredWords,
): readonly Warning[] {
  const news = new Set(chains.flatMap((chain) => unrecognizedStatuses(chain, words)));
  for (const warning of warnings) if (warning.kind === "unrecognized status") news.delete(warning.status);
  return [...warnings, ...[...news].map((status): Warning => ({ kind: "unrecognized status", status }))];
}

/** Sets the phase, never back from running to queued: between two parts of a chain, nothing may run for a moment. */
function setPhase(state: Underway, statuses: readonly ChainStatus[], now: number): Underway {
  const phase = statuses.every((status) => status === "pending") && state.phase !== "running" ? "queued" : "running";
  return phase === state.phase ? state : { ...state, phase, since: now };
}

/** The time that the panel has to end the rows behind a failed part. Most panels cancel them at once, some leave them pending for ever. */
const restOfChainMs = 60_000;

function phaseDeadline(
  { phase, since, partSeenAt, outageMs, lastTrouble }: Underway,
  { listedMs, queueMs, runMs }: Timeouts,
): Deadline {
  switch (phase) {
    case "unlisted": {
      const longest = since + Math.max(listedMs, queueMs);
      // Only time in which the list can be read counts.
      if (lastTrouble !== undefined) return { at: longest, limit: "listed" };
      // Parts of a chain may be listed one after the other: while the first one may still be under way, it is not missing.
      return { at: Math.min(Math.max(since, partSeenAt) + listedMs + outageMs, longest), limit: "listed" };
    }
    case "queued":
      return { at: since + queueMs, limit: "queue" };
    case "running":
      return { at: since + runMs, limit: "run" };
  }
}

/** How far down the list a restore that is followed has to be looked for. */
function stopRuleOf({ search, ids, seenFrom }: RestoreProgress): StopRule {
  const awaitedIds = ids as readonly Transaction["id"][];
  if (search.kind === "known") return { awaitedIds, around: true };
  // A late row stands deep down: as long as nothing is found, all above the mark of the POST is read.
  const isDeep = seenFrom === undefined || (search.kind === "posted" && ids.length === 0);
  return { mark: isDeep ? search.mark : seenFrom, awaitedIds };
}

/** Whether a row belongs to what is known: by its id or its chain, or where there are no chain ids by the row that it names. */
function isPartOf({ ids, chainIds }: RestoreProgress, row: Row, { target, isClaimed }: RestorePollerRules): boolean {
  const { id, chainId, dependentTransactionId: waitsFor } = row;
  if (ids.includes(id)) return true;
  if (chainId !== undefined) return chainIds.includes(chainId);
  const namesPart = chainIds.length === 0 && waitsFor !== undefined && ids.includes(waitsFor);
  return namesPart && !isClaimed(id) && whoseRow(row, target.virtualMachineId) !== "another machine";
}
