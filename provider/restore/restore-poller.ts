import type { StopRule, NewestPage } from "../feed/types";
import type { Mark, RestoreTarget, Timeouts } from "../inputs/intent";
import type { Transaction } from "../panel/types";
import { zonedTime } from "../plain/clock";
import { omit } from "../plain/plain";
import {
  type Chain,
  isUnfinished,
  mergeRows,
  type CombinedEnd,
  type Row,
  unrecognizedStatuses,
  type CombinedStatus,
  combinedStatus,
} from "../rows/chains";
import type { ConfiguredWords } from "../rows/words";
import { matchTransactions, mayBeThisRestore, namesAnotherPoint } from "../rows/match-transactions";
import { whoseRow } from "../rows/whose-row";
import { stopRuleAbove, splitAtMark, isMarkRow } from "../rows/mark";
import { updateUnattributed, applyLog } from "./machine-log";
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
import { type Deadline, endsPolling, type PollEvent, type Poller } from "./poller";

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

/** Polls from the POST, or from a stored record, to the end: unlisted, queued, running, over. */
export function restorePoller(rules: RestorePollerRules): Poller<RestoreProgress> {
  return {
    step: (state, event, now) => (state.phase === "over" ? state : step(state, event, now, rules)),
    isOver: (state) => state.phase === "over",
    stopRule: stopRuleOf,
    wants: (state, row) => wants(state, row, rules),
    since: (state) => state.followedSince,
    deadline: (state) => deadlineOf(state, rules),
    needsMachineLog: ({ unattributed }) => unattributed.length > 0,
    needsAnotherRead: ({ awaitsClosingRead }) => awaitsClosingRead,
  };
}

type ListReadEvent = Extract<PollEvent, { type: "list-read" }>;

function step(state: Underway, event: PollEvent, now: number, rules: RestorePollerRules): RestoreProgress {
  switch (event.type) {
    case "list-read": {
      const seen = reevaluate(applyRead(state, event), now, rules, event);
      const isEnough = rules.until === "one read" ? event.reachedStop : rules.until === "met" && !hasSeenNothing(seen);
      return isEnough && seen.phase !== "over" && !hasUnreadParts(state, seen)
        ? finish(seen, { how: "read-enough" })
        : seen;
    }
    case "machine-log":
      return reevaluate({ ...state, log: applyLog(state.log, state.unattributed, event) }, now, rules, undefined);
    case "read-failed":
      return endsPolling(event)
        ? finish(state, { how: "access-denied", error: event.error })
        : { ...state, lastTrouble: event.error.message };
    case "limit": {
      const brokenOff = state.brokenOffSince === undefined ? undefined : brokenOffEnd(state, rules);
      return finish(state, brokenOff ?? { how: "limit", limit: event.limit });
    }
    case "newest-page":
    case "machine-log-trouble":
      return state;
  }
}

/** Adds the rows of a read. */
function applyRead(state: Underway, { rows, newestPage, reachedStop }: ListReadEvent): Underway {
  const { search } = state;
  const own = rows.filter((row) => isPartOf(state, row));
  const { above, olderChainIds } =
    search.kind === "known"
      ? { above: [], olderChainIds: state.olderChainIds }
      : splitAtMark(rows, search.mark, state.olderChainIds);
  return {
    ...omit(state, "lastTrouble"),
    readFarEnough: reachedStop,
    newestPage,
    olderChainIds,
    rows: mergeRows(mergeRows(state.rows, above), own),
  };
}

/** Re-evaluates the rows: which are this restore, and what is its status? `read` is the read that just showed them. */
function reevaluate(
  state: Underway,
  now: number,
  rules: RestorePollerRules,
  read: ListReadEvent | undefined,
): RestoreProgress {
  const found = state.search.kind === "known" ? state : searchAboveMark(state, state.search, now, rules, read);
  if (found.phase === "over") return found;
  const chains = ownChains(found);
  if (chains.length === 0) return found;
  const other = whyAnotherRestore(chains, rules);
  if (other) return finish(found, other);
  const taken = addParts(found, chains, rules);
  const verdict = combinedStatus(chains, rules.words);
  const moved = setPhase(taken, verdict, now);
  const brokenOff = verdict.ended ? undefined : verdict.brokenOffEnd;
  const brokenOffSince = brokenOff && (state.brokenOffSince ?? now);
  const isBrokenOff = brokenOffSince !== undefined && now - brokenOffSince >= restOfChainMs;
  const outcome = verdict.ended ? verdict : isBrokenOff ? brokenOff : undefined;
  if (outcome === undefined) {
    return {
      ...omit(moved, "brokenOffSince"),
      awaitsClosingRead: false,
      ...(brokenOffSince !== undefined && { brokenOffSince }),
    };
  }
  if (moved.search.kind === "posted" && !isSetClosed(moved, read, rules)) return { ...moved, awaitsClosingRead: true };
  if (hasUnreadParts(state, moved)) return moved;
  return finish(moved, endWith(outcome));
}

/** True if a read by ids alone just revealed a chain: only the next read shows the chain's other rows. */
function hasUnreadParts(before: Underway, { search, chainIds }: RestoreProgress): boolean {
  return search.kind === "known" && chainIds.some((id) => !before.chainIds.includes(id));
}

/**
 * True if no further transaction can turn up: everything above the mark was read after all known ones had ended. One request shows the list
 * as it was at one moment. A job that cannot be a restore keeps nothing open, whosever it is.
 */
function isSetClosed(state: Underway, read: ListReadEvent | undefined, { target, words }: RestorePollerRules): boolean {
  if (state.candidates?.unattributed.some((chain) => mayBeThisRestore(chain, target, words)) === true) return false;
  return read?.reachedMark === true && (read.inOneRequest || state.awaitsClosingRead);
}

/** Takes the chains above the mark that fit. */
function searchAboveMark(
  state: Underway,
  search: Exclude<Search, { kind: "known" }>,
  now: number,
  rules: RestorePollerRules,
  read: ListReadEvent | undefined,
): RestoreProgress {
  const candidates = matchTransactions(state.rows, {
    target: rules.target,
    words: rules.words,
    log: state.log,
    isClaimed: rules.isClaimed,
    ...(search.later && { later: search.later }),
  });
  const isOpen = [...candidates.others, ...candidates.suspect.map(({ chain }) => chain)].some((chain) =>
    isUnfinished(chain, rules.words),
  );
  const { fits, suspect, others, unattributed } = candidates;
  const concerned = [...fits, ...suspect.map(({ chain }) => chain), ...others, ...unattributed, ...ownChains(state)];
  const seen: Underway = {
    ...state,
    candidates,
    rows: mergeRows([], concerned.flat()),
    unattributed: updateUnattributed(state.unattributed, candidates.unattributed.flat(), now),
    ...(isOpen && { partSeenAt: now }),
  };
  const newFits = candidates.fits.filter((chain) => !chain.some((row) => state.ids.includes(row.id)));
  if (search.kind === "unconfirmed") {
    if (read?.reachedMark !== true || seen.unattributed.length > 0) return seen;
    const [chain, ...more] = newFits;
    if (chain === undefined) return seen;
    if (more.length > 0 || !wasMadeNearPost(chain, search.mark, read.newestPage))
      return finish(seen, { how: "several", chains: newFits });
    const warning: Warning = { kind: "appeared later", rows: chain };
    const ids = chain.map((row) => row.id);
    return { ...seen, search: { kind: "known" }, rows: chain, ids, warnings: [...seen.warnings, warning] };
  }
  if (newFits.length === 0) return seen;
  const ids = [...state.ids, ...newFits.flatMap((chain) => chain.map((row) => row.id))];
  const isAmbiguous = state.ids.length > 0 || newFits.length > 1;
  const warnings: readonly Warning[] = isAmbiguous
    ? // The warning that names all of them replaces one that named some.
      [
        ...seen.warnings.filter(({ kind }) => kind !== "indistinguishable"),
        { kind: "indistinguishable", transactionIds: ids },
      ]
    : seen.warnings;
  return { ...seen, ids, warnings, awaitsClosingRead: false };
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

function endWith({ status }: CombinedEnd): ProgressEnd {
  return status === "differs" ? { how: "differs" } : { how: "ended", status };
}

/** The end if the rows not started never start. */
function brokenOffEnd(state: Underway, { words }: RestorePollerRules): ProgressEnd | undefined {
  const verdict = combinedStatus(ownChains(state), words);
  return verdict.ended || verdict.brokenOffEnd === undefined ? undefined : endWith(verdict.brokenOffEnd);
}

/** The end if the chains taken turn out to name another machine or another recovery point. */
function whyAnotherRestore(chains: readonly Chain[], { target }: RestorePollerRules): ProgressEnd | undefined {
  const isAnothers = (chain: Chain): boolean =>
    chain.some((row) => whoseRow(row, target.virtualMachineId) === "another machine") &&
    !chain.some((row) => whoseRow(row, target.virtualMachineId) === "this machine");
  if (chains.some(isAnothers)) return { how: "not-this-machine" };
  return chains.some((chain) => namesAnotherPoint(chain, target)) ? { how: "not-this-point" } : undefined;
}

/** Adds all rows of the chains taken. */
function addParts(state: Underway, chains: readonly Chain[], { words }: RestorePollerRules): Underway {
  const rows = chains.flat();
  const ids = rows.map((row) => row.id);
  const isSame = ids.length === state.ids.length && ids.every((id) => state.ids.includes(id));
  return {
    ...state,
    ids: isSame ? state.ids : ids,
    awaitsClosingRead: isSame && state.awaitsClosingRead,
    chainIds: [...new Set(rows.flatMap((row) => row.chainId ?? []))],
    warnings: addUnrecognized(state.warnings, chains, words),
  };
}

function addUnrecognized(
  warnings: readonly Warning[],
  chains: readonly Chain[],
  words: ConfiguredWords,
): readonly Warning[] {
  const known = warnings.flatMap((warning) => (warning.kind === "unrecognized status" ? warning.status : []));
  const statuses = new Set(chains.flatMap((chain) => unrecognizedStatuses(chain, words)));
  const news = [...statuses].filter((status) => !known.includes(status));
  return news.length === 0
    ? warnings
    : [...warnings, ...news.map((status): Warning => ({ kind: "unrecognized status", status }))];
}

/** Sets the phase, never back from running to queued: between two parts of a chain, nothing may run for a moment. */
function setPhase(state: Underway, { status }: CombinedStatus, now: number): Underway {
  const phase = status === "pending" && state.phase !== "running" ? "queued" : "running";
  return phase === state.phase ? state : { ...state, phase, since: now };
}

/** The time that the panel has to end the rows behind a failed part. Most panels cancel them at once, some leave them pending for ever. */
export const restOfChainMs = 60_000;

function deadlineOf(state: RestoreProgress, { timeouts }: RestorePollerRules): Deadline | undefined {
  if (state.phase === "over") return undefined;
  const own = phaseDeadline(state, timeouts);
  return state.totalUntil !== undefined && state.totalUntil < own.at ? { at: state.totalUntil, limit: "total" } : own;
}

function phaseDeadline({ phase, since, partSeenAt }: Underway, { listedMs, queueMs, runMs }: Timeouts): Deadline {
  switch (phase) {
    case "unlisted": {
      // Parts of a chain may be listed one after the other: the restore is not missing while its first part may be under way.
      const at = Math.min(Math.max(since, partSeenAt) + listedMs, since + Math.max(listedMs, queueMs));
      return { at, limit: "listed" };
    }
    case "queued":
      return { at: since + queueMs, limit: "queue" };
    case "running":
      return { at: since + runMs, limit: "run" };
  }
}

function stopRuleOf({ search, ids, awaitsClosingRead }: RestoreProgress): StopRule {
  const awaited = ids as readonly Transaction["id"][];
  if (search.kind === "known") return { awaitedIds: awaited, stopAt: "awaited rows" };
  return {
    ...stopRuleAbove(search.mark),
    awaitedIds: awaited,
    stopAt: ids.length === 0 || awaitsClosingRead ? "mark" : "awaited rows",
  };
}

function wants(state: RestoreProgress, row: Transaction, { target }: RestorePollerRules): boolean {
  if (isPartOf(state, row)) return true;
  const { search } = state;
  if (search.kind === "known") return false;
  return whoseRow(row, target.virtualMachineId) !== "another machine" || isMarkRow(row, search.mark);
}

function isPartOf(
  { ids, chainIds }: Pick<RestoreProgress, "ids" | "chainIds">,
  row: Pick<Row, "id" | "chainId">,
): boolean {
  return ids.includes(row.id) || (row.chainId !== undefined && chainIds.includes(row.chainId));
}
