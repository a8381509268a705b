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
  type ConfiguredWords,
} from "../rows/chains";
import { matchTransactions, mayBeThisRestore, namesAnotherPoint, whoseRow } from "../rows/match-transactions";
import { stopRuleAbove, splitAtMark, isMarkRow } from "../rows/mark";
import { stillUntold, told } from "./machine-log";
import type { Warning } from "./result";
import {
  type Follow,
  type FollowEnd,
  hasSeenNothing,
  type Over,
  type Search,
  takenChains,
  type Underway,
} from "./follow";
import { type Deadline, endsTheWait, type WaitEvent, type Waiting } from "./waiting";

export interface FollowRules {
  readonly target: RestoreTarget;
  readonly words: ConfiguredWords;
  readonly timeouts: Timeouts;
  readonly isClaimed: (transactionId: string) => boolean;
  /** `ended`: to the end. `met`: until one of its transactions is. `look`: one look, whatever it shows. */
  readonly until: "ended" | "met" | "look";
}

function finish(state: Underway, end: FollowEnd): Over {
  return { ...state, phase: "over", end };
}

/** From the POST (or from a record of it) to the end: not listed yet, queued, running, over. */
export function following(rules: FollowRules): Waiting<Follow> {
  return {
    step: (state, event, now) => (state.phase === "over" ? state : step(state, event, now, rules)),
    isOver: (state) => state.phase === "over",
    floor: floorOf,
    wants: (state, row) => wants(state, row, rules),
    since: (state) => state.followedSince,
    deadline: (state) => deadlineOf(state, rules),
    asksMachineLog: ({ untold }) => untold.length > 0,
    asksLook: ({ isEnding }) => isEnding,
  };
}

type TickEvent = Extract<WaitEvent, { type: "tick" }>;

function step(state: Underway, event: WaitEvent, now: number, rules: FollowRules): Follow {
  switch (event.type) {
    case "tick": {
      const seen = look(heard(state, event), now, rules, event);
      const isEnough = rules.until === "look" ? event.reachedStop : rules.until === "met" && !hasSeenNothing(seen);
      return isEnough && seen.phase !== "over" && !hasMoreToHear(state, seen) ? finish(seen, { how: "seen" }) : seen;
    }
    case "machine-log":
      return look({ ...state, log: told(state.log, state.untold, event) }, now, rules, undefined);
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

/** With what a read of the list has shown of it. */
function heard(state: Underway, { rows, newestPage: head, reachedStop: reachedFloor }: TickEvent): Underway {
  const { search } = state;
  const own = rows.filter((row) => isPartOf(state, row));
  const { above, olderChainIds: begunBefore } =
    search.kind === "known"
      ? { above: [], begunBefore: state.begunBefore }
      : splitAtMark(rows, search.mark, state.begunBefore);
  return {
    ...omit(state, "lastTrouble"),
    readDown: reachedFloor,
    head,
    begunBefore,
    rows: mergeRows(mergeRows(state.rows, above), own),
  };
}

/** What the rows known now say: which are this restore, and how it stands. `read` is the look that has just shown them. */
function look(state: Underway, now: number, rules: FollowRules, read: TickEvent | undefined): Follow {
  const found = state.search.kind === "known" ? state : searched(state, state.search, now, rules, read);
  if (found.phase === "over") return found;
  const chains = takenChains(found);
  if (chains.length === 0) return found;
  const other = somethingElse(chains, rules);
  if (other) return finish(found, other);
  const taken = withParts(found, chains, rules);
  const verdict = combinedStatus(chains, rules.words);
  const moved = inPhase(taken, verdict, now);
  const broken = verdict.ended ? undefined : verdict.brokenOffEnd;
  const brokenSince = broken && (state.brokenSince ?? now);
  const isBrokenOff = brokenSince !== undefined && now - brokenSince >= restOfChainMs;
  const outcome = verdict.ended ? verdict : isBrokenOff ? broken : undefined;
  if (outcome === undefined) {
    return { ...omit(moved, "brokenSince"), isEnding: false, ...(brokenSince !== undefined && { brokenSince }) };
  }
  if (moved.search.kind === "posted" && !isClosed(moved, read, rules)) return { ...moved, isEnding: true };
  if (hasMoreToHear(state, moved)) return moved;
  return finish(moved, endBy(outcome));
}

/** A look by ids alone does not hear of the rest of a chain: it is known for one only by the row that has just told. */
function hasMoreToHear(before: Underway, { search, chainIds }: Follow): boolean {
  return search.kind === "known" && chainIds.some((id) => !before.chainIds.includes(id));
}

/**
 * Whether no further one can turn up: everything above the mark was read after all that is known had ended. One request shows
 * everything as it was at one moment. A job that cannot be a restore keeps nothing open, whosesoever it is.
 */
function isClosed(state: Underway, read: TickEvent | undefined, { target, words }: FollowRules): boolean {
  if (state.sighting?.unattributed.some((chain) => mayBeThisRestore(chain, target, words)) === true) return false;
  return read?.reachedMark === true && (read.inOneRequest || state.isEnding);
}

/** With what fits above the mark. */
function searched(
  state: Underway,
  search: Exclude<Search, { kind: "known" }>,
  now: number,
  rules: FollowRules,
  read: TickEvent | undefined,
): Follow {
  const sighting = matchTransactions(state.rows, {
    target: rules.target,
    words: rules.words,
    log: state.log,
    isClaimed: rules.isClaimed,
    ...(search.later && { later: search.later }),
  });
  const isOpen = [...sighting.others, ...sighting.suspect.map(({ chain }) => chain)].some((chain) =>
    isUnfinished(chain, rules.words),
  );
  const { fits: fitting, suspect: doubtful, others, unattributed: untold } = sighting;
  const concerned = [...fitting, ...doubtful.map(({ chain }) => chain), ...others, ...untold, ...takenChains(state)];
  const seen: Underway = {
    ...state,
    sighting,
    rows: mergeRows([], concerned.flat()),
    untold: stillUntold(state.untold, sighting.unattributed.flat(), now),
    ...(isOpen && { lastSign: now }),
  };
  const fits = sighting.fits.filter((chain) => !chain.some((row) => state.ids.includes(row.id)));
  if (search.kind === "unaccounted") {
    if (read?.reachedMark !== true || seen.untold.length > 0) return seen;
    const [chain, ...more] = fits;
    if (chain === undefined) return seen;
    if (more.length > 0 || !isOfItsTime(chain, search.mark, read.newestPage))
      return finish(seen, { how: "several", chains: fits });
    const warning: Warning = { kind: "appeared later", rows: chain };
    const ids = chain.map((row) => row.id);
    return { ...seen, search: { kind: "known" }, rows: chain, ids, warnings: [...seen.warnings, warning] };
  }
  if (fits.length === 0) return seen;
  const ids = [...state.ids, ...fits.flatMap((chain) => chain.map((row) => row.id))];
  const isAmbiguous = state.ids.length > 0 || fits.length > 1;
  const warnings: readonly Warning[] = isAmbiguous
    ? // The one that names all of them takes the place of one that named some.
      [...seen.warnings.filter(({ kind }) => kind !== "alike"), { kind: "alike", transactionIds: ids }]
    : seen.warnings;
  return { ...seen, ids, warnings, isEnding: false };
}

const postedWithinMs = 6 * 3_600_000;

/**
 * Whether an unaccounted restore's only fit was made about when it was posted: not by a person, days later. Marks of 1.0.0 do not say when
 * they were taken, which was not before their newest row was made.
 */
function isOfItsTime(chain: Chain, { takenAt, newestCreatedAt }: Mark, { panelTime }: NewestPage): boolean {
  const posted = zonedTime(takenAt ?? newestCreatedAt);
  if (posted === undefined) return false;
  const made = chain.map((row) => zonedTime(row.createdAt)).filter((at) => at !== undefined);
  // Nothing is made later than now.
  const latest = made.length > 0 ? Math.min(...made) : panelTime;
  return latest !== undefined && latest <= posted + postedWithinMs;
}

function endBy({ status: standing }: CombinedEnd): FollowEnd {
  return standing === "differs" ? { how: "differs" } : { how: "ended", standing };
}

/** How it ends when what has not begun never does. */
function brokenEnd(state: Underway, { words }: FollowRules): FollowEnd | undefined {
  const verdict = combinedStatus(takenChains(state), words);
  return verdict.ended || verdict.brokenOffEnd === undefined ? undefined : endBy(verdict.brokenOffEnd);
}

/** What was taken turns out to be another machine's, or of another recovery point. */
function somethingElse(chains: readonly Chain[], { target }: FollowRules): FollowEnd | undefined {
  const isAnothers = (chain: Chain): boolean =>
    chain.some((row) => whoseRow(row, target.virtualMachineId) === "another's") &&
    !chain.some((row) => whoseRow(row, target.virtualMachineId) === "ours");
  if (chains.some(isAnothers)) return { how: "not-this-machine" };
  return chains.some((chain) => namesAnotherPoint(chain, target)) ? { how: "not-this-point" } : undefined;
}

/** With all that is known to belong to what was taken. */
function withParts(state: Underway, chains: readonly Chain[], { words }: FollowRules): Underway {
  const rows = chains.flat();
  const ids = rows.map((row) => row.id);
  const isSame = ids.length === state.ids.length && ids.every((id) => state.ids.includes(id));
  return {
    ...state,
    ids: isSame ? state.ids : ids,
    isEnding: isSame && state.isEnding,
    chainIds: [...new Set(rows.flatMap((row) => row.chainId ?? []))],
    warnings: withUnheardOf(state.warnings, chains, words),
  };
}

function withUnheardOf(
  warnings: readonly Warning[],
  chains: readonly Chain[],
  words: ConfiguredWords,
): readonly Warning[] {
  const known = warnings.flatMap((warning) => (warning.kind === "unheard of" ? warning.status : []));
  const statuses = new Set(chains.flatMap((chain) => unrecognizedStatuses(chain, words)));
  const news = [...statuses].filter((status) => !known.includes(status));
  return news.length === 0
    ? warnings
    : [...warnings, ...news.map((status): Warning => ({ kind: "unheard of", status }))];
}

/** Never back from running to queued: between two parts of a chain nothing may run for a moment. */
function inPhase(state: Underway, { status: standing }: CombinedStatus, now: number): Underway {
  const phase = standing === "pending" && state.phase !== "running" ? "queued" : "running";
  return phase === state.phase ? state : { ...state, phase, since: now };
}

/**
 * Once a part has failed, the whole has: how much time the panel is given to end what has not begun behind it. Most cancel it at
 * once, some leave it pending for ever.
 */
export const restOfChainMs = 60_000;

function deadlineOf(state: Follow, { timeouts }: FollowRules): Deadline | undefined {
  if (state.phase === "over") return undefined;
  const own = ownDeadline(state, timeouts);
  return state.totalUntil !== undefined && state.totalUntil < own.at ? { at: state.totalUntil, limit: "total" } : own;
}

function ownDeadline({ phase, since, lastSign }: Underway, { listedMs, queueMs, runMs }: Timeouts): Deadline {
  switch (phase) {
    case "unlisted": {
      // Parts of a chain may be listed one after the other: while the first one may still be under way, it is not missing.
      const at = Math.min(Math.max(since, lastSign) + listedMs, since + Math.max(listedMs, queueMs));
      return { at, limit: "listed" };
    }
    case "queued":
      return { at: since + queueMs, limit: "queue" };
    case "running":
      return { at: since + runMs, limit: "run" };
  }
}

/** How far down the list a restore that is followed has to be looked for. */
function floorOf({ search, ids, isEnding }: Follow): StopRule {
  const awaited = ids as readonly Transaction["id"][];
  if (search.kind === "known") return { awaitedIds: awaited, stopAt: "ids" };
  return { ...stopRuleAbove(search.mark), awaitedIds: awaited, stopAt: ids.length === 0 || isEnding ? "mark" : "ids" };
}

/** Which rows it hears of. */
function wants(state: Follow, row: Transaction, { target }: FollowRules): boolean {
  if (isPartOf(state, row)) return true;
  const { search } = state;
  if (search.kind === "known") return false;
  return whoseRow(row, target.virtualMachineId) !== "another's" || isMarkRow(row, search.mark);
}

function isPartOf({ ids, chainIds }: Pick<Follow, "ids" | "chainIds">, row: Pick<Row, "id" | "chainId">): boolean {
  return ids.includes(row.id) || (row.chainId !== undefined && chainIds.includes(row.chainId));
}
