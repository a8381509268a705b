import type { StopRule, NewestPage } from "../feed/types";
import type { Mark } from "../inputs/intent";
import type { Limit } from "../inputs/read-values";
import type { Transaction } from "../panel/types";
import { zonedTime } from "../plain/clock";
import { omit } from "../plain/plain";
import { type Chain, isUnfinished, mergeRows, type Row, rowOf, finalChainStatus } from "../rows/chains";
import {
  blockersOf,
  type SuspectChain,
  matchTransactions,
  mayBeThisRestore,
  namesAnotherPoint,
  type Candidates,
} from "../rows/match-transactions";
import { whoseRow } from "../rows/whose-row";
import { stopRuleAbove, newestRow, isMarkRow, splitAtMark, whyPageUnusable } from "../rows/mark";
import {
  type BeforePostState,
  type BeforePostEnd,
  type BeforePostRules,
  isFresh,
  type Question,
  quietMs,
} from "./before-post-state";
import { updateUnattributed, applyLog } from "./machine-log";
import { type Deadline, endsPolling, isLogUnreadable, type PollEvent, type Poller } from "./poller";

/** Polls from the restore's turn to the POST, or to the reason against it. */
export function beforePostPoller(rules: BeforePostRules): Poller<BeforePostState> {
  return {
    step: (state, event, now) => step(state, event, now, rules),
    isOver: (state) => state.end !== undefined,
    stopRule: (state) => stopRuleOf(state, rules),
    wants: (state, row) => wants(state, row, rules),
    since: (state) => state.since,
    deadline: (state) => deadlineOf(state, rules),
    needsMachineLog: (state) => state.unattributed.length > 0 && state.logTrouble === undefined,
    needsNewestPage: (state) => state.awaitsNewestPage,
  };
}

function step(state: BeforePostState, event: PollEvent, now: number, rules: BeforePostRules): BeforePostState {
  switch (event.type) {
    case "list-read":
      return applyRead(
        state,
        { newestPage: event.newestPage, scanned: event.rows, reachedMark: event.reachedMark },
        now,
        rules,
      );
    case "newest-page": {
      // A page that reaches down to the top of an earlier read leaves no gap.
      const { rows } = event.newestPage;
      const reachedMark = rows.length === 0 || rows.some(({ id }) => id === state.readDownFrom);
      return applyRead(state, { newestPage: event.newestPage, scanned: [], reachedMark }, now, rules);
    }
    case "machine-log":
      return reevaluate(
        { ...omit(state, "logTrouble"), log: applyLog(state.log, state.unattributed, event) },
        now,
        rules,
      );
    case "machine-log-trouble":
      return isLogUnreadable(event) ? reevaluate({ ...state, logTrouble: event.error.message }, now, rules) : state;
    case "read-failed":
      return endsPolling(event)
        ? { ...state, end: { how: "access-denied", error: event.error } }
        : { ...state, lastTrouble: event.error.message };
    case "limit":
      return { ...state, end: endAtLimit(state, event.limit, rules) };
  }
}

/** One read of the list: its newest page, and the rows that a scan met further down. */
interface ReadToApply {
  readonly newestPage: NewestPage;
  readonly scanned: readonly Row[];
  readonly reachedMark: boolean;
}

function applyRead(before: BeforePostState, read: ReadToApply, now: number, rules: BeforePostRules): BeforePostState {
  if (read.newestPage.readAt < before.since) return before;
  const state = omit(before, "lastTrouble");
  const why = whyPageUnusable(read.newestPage.rows, rules.mark, rules.later !== undefined);
  return why === undefined ? reevaluate(addRows(read, state, rules), now, rules) : countUnusablePage(state, why);
}

/** Unusable pages in a row before a person is asked. */
const mostUnusablePages = 3;

function countUnusablePage(
  state: BeforePostState,
  why: Extract<Question, { about: "unusable page" }>["why"],
): BeforePostState {
  const inARow = state.unusablePages + 1;
  const next = { ...omit(state, "lastRead"), unusablePages: inARow, awaitsNewestPage: false };
  return inARow < mostUnusablePages ? next : { ...next, end: askPerson({ about: "unusable page", why }) };
}

function addRows(
  { newestPage, scanned, reachedMark }: ReadToApply,
  state: BeforePostState,
  rules: BeforePostRules,
): BeforePostState {
  const page = newestPage.rows.map(rowOf);
  // The page comes first: it shows where the mark is if ids do not compare.
  const { above: made, olderChainIds } = splitAtMark(mergeRows(page, scanned), rules.mark, state.olderChainIds);
  const isOld = ({ chainId }: Row): boolean => chainId !== undefined && olderChainIds.includes(chainId);
  const mayBeOurs = (row: Row): boolean => whoseRow(row, rules.target.virtualMachineId) !== "another machine";
  const above = mergeRows(state.above, made).filter((row) => mayBeOurs(row) && !isOld(row));
  const newest = newestRow(newestPage.rows)?.id;
  return {
    ...state,
    rows: mergeRows(state.rows, [...scanned, ...page, ...above]).filter(mayBeOurs),
    above,
    olderChainIds,
    lastRead: { newestPage, reachedMark },
    unusablePages: 0,
    ...(reachedMark && newest !== undefined && { readDownFrom: newest }),
  };
}

/** Re-evaluates the state by its rows and log, and sets `end` once it can be decided. */
function reevaluate(before: BeforePostState, now: number, rules: BeforePostRules): BeforePostState {
  const state = classifyJobs(before, now, rules);
  const decision = decide(state, now, rules);
  switch (decision) {
    case "wait":
      return state;
    case "read the newest page":
      return { ...state, awaitsNewestPage: true };
    case "ask the log again": {
      const log = { ...state.log, excluded: [] };
      return reevaluate({ ...state, log, logAskedAgain: state.quietSince }, now, rules);
    }
    default:
      return { ...state, end: decision };
  }
}

/** Sorts the jobs: those that keep the machine busy, those that may be this restore, and those that only the machine's log tells. */
function classifyJobs(state: BeforePostState, now: number, rules: BeforePostRules): BeforePostState {
  const { target, words, isClaimed, later, busyMs } = rules;
  const { log, above, rows, lastRead: read } = state;
  const busy = blockersOf(busyMs === 0 ? above : rows, target.virtualMachineId, words, log);
  const candidates = later && matchTransactions(above, { target, words, log, isClaimed, later });
  const mayBePart = candidates !== undefined && findUnfinished(candidates, rules) !== undefined;
  return {
    ...state,
    blockers: busy.blockers,
    unattributed: updateUnattributed(
      state.unattributed,
      [...busy.unattributed, ...(candidates?.unattributed ?? [])].flat(),
      now,
    ),
    awaitsNewestPage: false,
    ...(candidates && { candidates }),
    ...(mayBePart && read && { quietSince: Math.max(state.quietSince, read.newestPage.readAt) }),
  };
}

type Decision = BeforePostEnd | "wait" | "ask the log again" | "read the newest page";

/** The next step. Only the last line leads to a POST. */
function decide(state: BeforePostState, now: number, rules: BeforePostRules): Decision {
  const { lastRead: read, candidates, unattributed, logTrouble, blockers } = state;
  const whole = read?.reachedMark === true && candidates ? { newestPage: read.newestPage, candidates } : undefined;
  const found = whole && findEarlierPost(whole, now, rules);
  if (found) return found;
  if (unattributed.length > 0 && logTrouble !== undefined) {
    const ambiguity = candidates && findAmbiguity(candidates, rules);
    return askPerson(ambiguity ?? { about: "whose", rows: unattributed.map(({ row }) => row), trouble: logTrouble });
  }
  if (blockers.length > 0) return rules.until === "one read" ? { how: "busy" } : "wait";
  if (unattributed.length > 0 || read === undefined) return "wait";
  if (rules.later !== undefined) {
    const held = whole ? whyNotYet(state, whole, rules) : "wait";
    if (held !== undefined) return held;
  }
  return isFresh(read.newestPage, now) ? { how: "clear", newestPage: read.newestPage } : "read the newest page";
}

/** A read that showed everything above the mark, and the candidates in it. */
interface CompleteRead {
  readonly newestPage: NewestPage;
  readonly candidates: Candidates;
}

/** The restore that an earlier run posted, or a question about it. Undefined if nothing fits. */
function findEarlierPost(
  { newestPage, candidates }: CompleteRead,
  now: number,
  rules: BeforePostRules,
): BeforePostEnd | undefined {
  const chains = candidates.fits.filter((each) => !isPassedOver(each, rules));
  const [chain, ...more] = chains;
  if (chain === undefined) return undefined;
  if (more.length > 0) return askPerson({ about: "several", chains });
  if (findAmbiguity(candidates, rules)) return undefined;
  const ageMs = ageMsOf(chain, newestPage, now, rules.mark);
  const isRecent = ageMs !== undefined && ageMs <= rules.adoptWindowMs;
  return finalChainStatus(chain, rules.words) !== "complete" || isRecent
    ? { how: "found", chain, ageMs }
    : askPerson({ about: "complete for long", chain, ageMs });
}

/** The longest time since a chain ended: by the panel's clock since the mark was taken, or by stamps that name their zone. */
function ageMsOf(
  chain: Chain,
  { panelTime, answeredAt }: NewestPage,
  now: number,
  { takenAt }: Mark,
): number | undefined {
  if (panelTime === undefined) return undefined;
  const stamps = [takenAt, ...chain.map((row) => row.finishedAt ?? row.updatedAt)];
  const times = stamps.map((stamp) => zonedTime(stamp)).filter((at) => at !== undefined);
  return times.length === 0 ? undefined : Math.max(0, panelTime + (now - answeredAt) - Math.max(...times));
}

/** The reason why a later attempt still waits or asks, though the machine is free and nothing fits. Undefined: there is none. */
function whyNotYet(
  { quietSince, log, logAskedAgain }: BeforePostState,
  { newestPage, candidates }: CompleteRead,
  rules: BeforePostRules,
): Decision | undefined {
  if (newestPage.readAt < quietSince + quietMs(rules)) return "wait";
  if (log.excluded.length > 0 && logAskedAgain !== quietSince) return "ask the log again";
  const question = findSuspects(candidates, rules) ?? findCancelled(candidates, rules);
  return question && askPerson(question);
}

function endAtLimit({ candidates }: BeforePostState, limit: Limit, rules: BeforePostRules): BeforePostEnd {
  if (limit === "total" || candidates === undefined) return { how: "limit", limit };
  const question =
    findAmbiguity(candidates, rules) ?? findSuspects(candidates, rules) ?? findUnfinished(candidates, rules);
  return question ? askPerson(question) : { how: "limit", limit };
}

function askPerson(question: Question): BeforePostEnd {
  return { how: "question", question };
}

/** Asks which it is when one chain fits and another may fit too, once the machine's log names it. */
function findAmbiguity({ fits, unattributed }: Candidates, rules: BeforePostRules): Question | undefined {
  const fitting = fits.filter((chain) => !isPassedOver(chain, rules));
  const unsure = unattributed.filter(
    (chain) => !isPassedOver(chain, rules) && mayBeThisRestore(chain, rules.target, rules.words),
  );
  return fitting.length > 0 && unsure.length > 0 ? { about: "several", chains: [...fitting, ...unsure] } : undefined;
}

function findSuspects(candidates: Candidates, rules: BeforePostRules): Question | undefined {
  const suspect: readonly SuspectChain[] = candidates.suspect.filter(({ chain }) => !isPassedOver(chain, rules));
  return suspect.length > 0 ? { about: "suspect", suspect } : undefined;
}

/** Unfinished jobs of the machine above the mark: the first part of this restore may be among them. */
function findUnfinished({ others }: Candidates, { words }: BeforePostRules): Question | undefined {
  const chains = others.filter((chain) => isUnfinished(chain, words));
  return chains.length > 0 ? { about: "unfinished", chains } : undefined;
}

/** Jobs of the machine above the mark that a person cancelled: the first part of this restore may be among them. */
function findCancelled({ others }: Candidates, { target, words }: BeforePostRules): Question | undefined {
  const chains = others.filter(
    (chain) => finalChainStatus(chain, words) === "cancelled" && !namesAnotherPoint(chain, target),
  );
  return chains.length > 0 ? { about: "cancelled", chains } : undefined;
}

/** True for an earlier try that failed, even if the rows behind its failed part stay pending. */
function isPassedOver(chain: Chain, { retryFailed, words }: BeforePostRules): boolean {
  return retryFailed && finalChainStatus(chain, words) === "failed";
}

/** However short the limit, the panel has the time of one request to answer, and a possible earlier POST has the time to be listed. */
function deadlineOf(state: BeforePostState, rules: BeforePostRules): Deadline {
  const patience = rules.busyMs === 0 ? rules.listedMs : rules.busyMs;
  const busyUntil = state.since + Math.max(patience, rules.requestTimeoutMs);
  // The log is asked once more by then, and again for rows that came meanwhile. It gets the whole limit.
  const answerMs = Math.max(state.unattributed.length > 0 ? patience : 0, rules.requestTimeoutMs);
  const quietUntil = rules.later ? state.quietSince + quietMs(rules) + answerMs : busyUntil;
  const at = state.blockers.length > 0 ? busyUntil : Math.max(busyUntil, quietUntil);
  return state.totalUntil !== undefined && state.totalUntil < at
    ? { at: state.totalUntil, limit: "total" }
    : { at, limit: rules.busyMs === 0 ? "listed" : "busy" };
}

/** The scan stops at the mark if an earlier run's POST may stand above it; else at the rows that keep the machine busy. */
function stopRuleOf({ blockers, above }: BeforePostState, { later, mark }: BeforePostRules): StopRule {
  // A job that left the newest page is looked for by its id.
  const isSeenAnyway = (row: Row): boolean => later !== undefined && above.some(({ id }) => id === row.id);
  const ids = blockers.flat().flatMap((row) => (isSeenAnyway(row) ? [] : row.id));
  if (later) return { ...stopRuleAbove(mark), awaitedIds: ids, stopAt: ids.length > 0 ? "awaited rows" : "mark" };
  return ids.length > 0 ? { awaitedIds: ids, stopAt: "awaited rows" } : { stopAt: "first page" };
}

function wants({ rows }: BeforePostState, row: Transaction, { target, later, mark }: BeforePostRules): boolean {
  const whose = whoseRow(row, target.virtualMachineId);
  return (
    whose === "this machine" ||
    (later !== undefined && (whose === "not said" || isMarkRow(row, mark))) ||
    rows.some(({ id }) => id === row.id)
  );
}
