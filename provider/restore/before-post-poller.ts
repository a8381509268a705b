import type { StopRule, NewestPage } from "../feed/types";
import type { Mark } from "../inputs/intent";
import type { Limit } from "../inputs/read-values";
import type { Transaction } from "../panel/types";
import { zonedTime } from "../plain/clock";
import { omit } from "../plain/plain";
import { type Chain, chainsOf, isUnfinished, mergeRows, type Row, finalChainStatus } from "../rows/chains";
import { hasEnded, normalizeStatus } from "../rows/words";
import {
  blockersOf,
  matchTransactions,
  type Candidates,
  type LogFindings,
  mayBeThisRestore,
  noLogFindings,
} from "../rows/match-transactions";
import { madeSince, whyPageUnusable } from "../rows/mark";
import { whoseRow } from "../rows/whose-row";
import {
  type BeforePostState,
  type BeforePostEnd,
  type BeforePostOver,
  type BeforePostRules,
  type BeforePostWait,
  isFresh,
  type Look,
  type Question,
  quietMs,
} from "./before-post-state";
import { findingsOf } from "./machine-log";
import { type Deadline, endsPolling, isLogUnreadable, type ListReadEvent, type PollEvent, type Poller } from "./poller";
import { addRead, isNeededAbove, isReadDownTo, nothingRead } from "./rows-above";

/** From the turn in the machine's queue to the POST, or to what speaks against it. */
export function beforePostPoller(rules: BeforePostRules): Poller<BeforePostState, BeforePostOver> {
  return {
    step: (state, event, now) => (state.phase === "over" ? state : step(state, event, now, rules)),
    isOver: (state) => state.phase === "over",
    stopRule: (state, now) => stopRuleOf(state, now, rules),
    wants: (state, row) =>
      isNeededAbove(row, state.look?.seenFrom, rules.mark, rules.target.virtualMachineId) ||
      idsLookedFor(state, rules).includes(row.id),
    since: (state) => state.since,
    deadline: (state) => deadlineOf(state, rules),
    needsMachineLog: (state) => (state.phase === "waiting" && state.awaits.what === "log" ? state.unattributed : []),
    readAgainAt: newReadSince,
  };
}

function newReadSince(state: BeforePostState): number | undefined {
  return state.phase === "waiting" && state.awaits.what === "new read" ? state.awaits.since : undefined;
}

function step(state: BeforePostWait, event: PollEvent, now: number, rules: BeforePostRules): BeforePostState {
  switch (event.type) {
    case "list-read":
      return applyRead(state, event, now, rules);
    case "machine-log": {
      const { awaits } = state;
      if (awaits.what !== "log" || event.askedAt < awaits.since) return state;
      const findings = findingsOf(event, state.unattributed);
      return decided(state, awaits.look, now, rules, { findings, trouble: "it does not name them" });
    }
    case "machine-log-trouble": {
      const { awaits } = state;
      if (awaits.what !== "log" || !isLogUnreadable(event)) return state;
      return decided(state, awaits.look, now, rules, { findings: noLogFindings, trouble: event.error.message });
    }
    case "read-failed":
      return endsPolling(event)
        ? over(state, { how: "access-denied", error: event.error })
        : { ...state, lastTrouble: event.error.message };
    case "limit":
      return over(state, endAtLimit(state, event.limit, rules));
  }
}

function over(state: BeforePostWait, end: BeforePostEnd): BeforePostState {
  return { ...omit(state, "awaits"), phase: "over", end };
}

function applyRead(before: BeforePostWait, read: ListReadEvent, now: number, rules: BeforePostRules): BeforePostState {
  const { newestPage } = read;
  if (newestPage.readAt < before.since) return before;
  const state = omit(before, "lastTrouble");
  const why = whyPageUnusable(newestPage.rows, rules.mark, rules.attempt.kind === "later");
  if (why !== undefined) {
    const unusablePages = state.unusablePages + 1;
    return unusablePages < mostUnusablePages
      ? { ...state, unusablePages, awaits: { what: "next read" } }
      : over(state, askPerson({ about: "unusable page", why }));
  }
  const look = lookOf(state, read, rules);
  return decided({ ...state, look, unusablePages: 0 }, look, now, rules);
}

/** Unusable pages in a row before a person is asked. */
const mostUnusablePages = 3;

function lookOf(state: BeforePostWait, read: ListReadEvent, rules: BeforePostRules): Look {
  const { mark, target, attempt } = rules;
  const known = state.look ?? nothingRead;
  const { above, below, ...seen } = addRead(known, read, mark, target.virtualMachineId);
  const readIds = new Set<string>([...read.newestPage.rows, ...read.rows].map(({ id }) => id));
  const keptIds = new Set(idsLookedFor(state, rules));
  // Kept of what has left the page: the machine's own, what has turned out to keep it busy, and what is looked for by its id.
  const stays = (row: Row): boolean =>
    readIds.has(row.id) || keptIds.has(row.id) || whoseRow(row, target.virtualMachineId) === "this machine";
  return {
    ...seen,
    above: attempt.kind === "later" ? above : above.filter(stays),
    below: mergeRows(state.look?.below ?? [], below).filter(stays),
    newestPage: read.newestPage,
    isWhole: read.reachedStop,
    wholeReadAt: isReadDownTo(mark, read) ? read.newestPage.readAt : state.look?.wholeReadAt,
  };
}

function idsLookedFor({ blockers }: BeforePostState, { attempt }: BeforePostRules): readonly string[] {
  const ids = [...blockers.flat().map(({ id }) => id), ...(attempt.failedTry?.transactionIds ?? [])];
  return attempt.kind === "later" ? [...ids, ...attempt.predecessorIds] : ids;
}

/** Re-evaluates the state by one look, and ends it once that decides. `log`: read for this look; `trouble`: why it leaves something open. */
function decided(
  before: BeforePostWait,
  look: Look,
  now: number,
  rules: BeforePostRules,
  log?: { readonly findings: LogFindings; readonly trouble: string },
): BeforePostState {
  const state = classifyJobs(before, look, log?.findings ?? noLogFindings, rules);
  const decision = decide(state, look, log?.trouble, now, rules);
  switch (decision) {
    case "next read":
      return { ...state, awaits: { what: decision } };
    case "new read":
      return { ...state, awaits: { what: decision, since: now } };
    case "log":
      // The one that is being read decides the look that it was begun for, unless more is known by now that may be this restore.
      return before.awaits.what === "log" && idsToAskFor(before) === idsToAskFor(state)
        ? before
        : { ...state, awaits: { what: "log", look, since: now } };
    default:
      return over(state, decision);
  }
}

function idsToAskFor({ candidates }: BeforePostWait): string {
  return [...(candidates?.fits ?? []), ...(candidates?.suspect ?? []).map(({ chain }) => chain)]
    .flat()
    .map(({ id }) => id)
    .join();
}

/** Sorts the jobs: those that keep the machine busy, those that may be this restore, and those that only the machine's log tells. */
function classifyJobs(state: BeforePostWait, look: Look, log: LogFindings, rules: BeforePostRules): BeforePostWait {
  const { target, words, isClaimed, attempt, busyMs, mark } = rules;
  const { above, newestPage } = look;
  const rows = busyMs === 0 ? above : [...above, ...look.below];
  const busy = blockersOf(rows, target.virtualMachineId, words, log, newestPage.panelTime);
  const failedIds = attempt.failedTry?.transactionIds ?? [];
  const candidates =
    attempt.kind === "first"
      ? undefined
      : matchTransactions(above, {
          target,
          words,
          log,
          isKnown: (id) => isClaimed(id) || failedIds.includes(id),
          mayQueue: busyMs === 0,
          madeSince: madeSince(mark),
          olderChainIds: look.olderChainIds,
          later: { predecessorIds: attempt.predecessorIds },
        });
  const mayBePart = candidates !== undefined && hasFirstPart(candidates, look, rules);
  const possible = candidates?.unattributed.filter((chain) => !isPassedOver(chain, rules)) ?? [];
  return {
    ...state,
    blockers: busy.blockers,
    unattributed: mergeRows([], [...busy.unattributed, ...possible].flat()),
    ...(candidates && { candidates }),
    ...(mayBePart && { quietSince: Math.max(state.quietSince, newestPage.readAt) }),
  };
}

type Decision = BeforePostEnd | "next read" | "new read" | "log";

/** The next step. Only the last line leads to a POST. `logTrouble` is set once the log was read for this look. */
function decide(
  { candidates, unattributed, blockers, quietSince }: BeforePostWait,
  look: Look,
  logTrouble: string | undefined,
  now: number,
  rules: BeforePostRules,
): Decision {
  const again = findRunAgain(look, rules);
  if (again) return { how: "run again", chain: again };
  const { newestPage } = look;
  const whole = look.isWhole ? candidates : undefined;
  const found = whole && findEarlierPost(whole, newestPage, now, rules);
  const ambiguity = candidates && findAmbiguity(candidates, rules);
  if (found && !ambiguity) return found;
  if (blockers.length > 0 && !ambiguity) return "next read";
  if (unattributed.length > 0) {
    if (logTrouble === undefined) return look.isWhole ? "log" : "next read";
    // Nothing was posted yet, and a row that names no machine keeps none busy.
    if (rules.attempt.kind === "first") return isFresh(newestPage, now) ? { how: "clear", newestPage } : "new read";
    return askPerson(ambiguity ?? { about: "whose", rows: unattributed, trouble: logTrouble });
  }
  if (rules.attempt.kind === "later") {
    const { wholeReadAt = Number.NEGATIVE_INFINITY } = look;
    if (whole === undefined || wholeReadAt < quietSince + quietMs(rules)) return "next read";
    const question = findSuspects(whole, rules);
    if (question) return askPerson(question);
  }
  if (!look.isWhole) return "next read";
  return isFresh(newestPage, now) ? { how: "clear", newestPage } : "new read";
}

/** The try that is stored as failed, where it is failed no more: the panel has run it again, however that goes on. */
function findRunAgain({ above, below }: Look, { attempt, words }: BeforePostRules): Chain | undefined {
  const ids = attempt.failedTry?.transactionIds ?? [];
  const rows = [...above, ...below].filter(({ id }) => ids.includes(id));
  // A page without one of them is older than the record.
  if (rows.length < ids.length) return undefined;
  return chainsOf(rows).find((chain) => finalChainStatus(chain, words) !== "failed");
}

/** The restore that an earlier run posted, or a question about it. Undefined if nothing fits. */
function findEarlierPost(
  candidates: Candidates,
  newestPage: NewestPage,
  now: number,
  rules: BeforePostRules,
): BeforePostEnd | undefined {
  const chains = candidates.fits.filter((each) => !isPassedOver(each, rules));
  const [chain, ...more] = chains;
  if (chain === undefined) return undefined;
  if (more.length > 0) return askPerson({ about: "several", chains });
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

function endAtLimit({ candidates }: BeforePostState, limit: Limit, rules: BeforePostRules): BeforePostEnd {
  if (limit === "total" || candidates === undefined) return { how: "limit", limit };
  const question = findAmbiguity(candidates, rules) ?? findSuspects(candidates, rules);
  if (question) return askPerson(question);
  // The first part of this restore may be among the unfinished jobs of the machine above the mark.
  const chains = candidates.others.filter((chain) => isUnfinished(chain, rules.words));
  return chains.length > 0 ? askPerson({ about: "unfinished", chains }) : { how: "limit", limit };
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
  const suspect = candidates.suspect.filter(({ chain }) => !isPassedOver(chain, rules));
  return suspect.length > 0 ? { about: "suspect", suspect } : undefined;
}

/** A job of the machine may be the first part of this restore while it is under way, and where it was listed only when it was complete. */
function hasFirstPart({ others }: Candidates, { newIds }: Look, { words }: BeforePostRules): boolean {
  return others.some(
    (chain) =>
      isUnfinished(chain, words) ||
      (finalChainStatus(chain, words) === "complete" && chain.some(({ id }) => newIds.has(id))),
  );
}

/** True for an earlier try that failed, even if the rows behind its failed part stay pending. */
function isPassedOver(chain: Chain, { retryFailed, words }: BeforePostRules): boolean {
  return retryFailed && finalChainStatus(chain, words) === "failed";
}

/** However short the limit, the panel has the time of one request to answer, and a possible earlier POST has the time to be listed. */
function deadlineOf(state: BeforePostState, rules: BeforePostRules): Deadline {
  const patience = rules.busyMs === 0 ? rules.listedMs : rules.busyMs;
  const busyUntil = state.since + Math.max(patience, rules.requestTimeoutMs);
  // A log gets all the time there is.
  const answerMs = Math.max(state.unattributed.length > 0 ? patience : 0, rules.requestTimeoutMs);
  const quietUntil = rules.attempt.kind === "later" ? state.quietSince + quietMs(rules) + answerMs : busyUntil;
  const at = state.blockers.length > 0 ? busyUntil : Math.max(busyUntil, quietUntil);
  return { at, limit: rules.busyMs === 0 ? "listed" : "busy" };
}

/**
 * A later attempt reads down to the mark at first, and once when it has been quiet for long enough: what was listed late stands deep down. In
 * between it goes down to where the read before began. Jobs that keep the machine busy, and other known ones, are looked for by their ids.
 */
function stopRuleOf(state: BeforePostState, now: number, rules: BeforePostRules): StopRule {
  const { blockers, quietSince, look } = state;
  const { attempt, mark, words } = rules;
  const isDone = (id: string): boolean =>
    [...(look?.above ?? []), ...(look?.below ?? [])].some(
      (row) => row.id === id && hasEnded(normalizeStatus(row.status, words)),
    );
  // Where only a fresh page is missing, the failed try was looked up by the read before.
  const failedIds = newReadSince(state) === undefined ? (attempt.failedTry?.transactionIds ?? []) : [];
  const awaitedIds = [
    ...blockers.flat().map(({ id }) => id),
    ...failedIds,
    ...(attempt.kind === "later" ? attempt.predecessorIds.filter((id) => !isDone(id)) : []),
  ] as readonly string[] as readonly Transaction["id"][];
  if (attempt.kind === "first") return { awaitedIds };
  const isQuiet = now >= quietSince + quietMs(rules);
  const isDeep = look?.seenFrom === undefined || (isQuiet && (look.wholeReadAt ?? 0) < quietSince + quietMs(rules));
  return { mark: isDeep ? mark : look.seenFrom, awaitedIds };
}
