import type { StopRule, NewestPage } from "../feed/types";
import type { Mark } from "../inputs/intent";
import type { Limit } from "../inputs/rules";
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
  whoseRow,
} from "../rows/match-transactions";
import { stopRuleAbove, newestRow, isMarkRow, splitAtMark, whyPageUnusable } from "../rows/mark";
import {
  type BeforePost,
  type BeforePostEnd,
  type BeforePostRules,
  isFresh,
  type Question,
  quietMs,
} from "./before-post";
import { stillUntold, told } from "./machine-log";
import { type Deadline, endsTheWait, isUnreadable, type WaitEvent, type Waiting } from "./waiting";

/** From the turn in the machine's queue to the POST, or to what speaks against it. */
export function waitingBeforePost(rules: BeforePostRules): Waiting<BeforePost> {
  return {
    step: (state, event, now) => step(state, event, now, rules),
    isOver: (state) => state.end !== undefined,
    floor: (state) => floorOf(state, rules),
    wants: (state, row) => wants(state, row, rules),
    since: (state) => state.since,
    deadline: (state) => deadlineOf(state, rules),
    asksMachineLog: (state) => state.untold.length > 0 && state.logTrouble === undefined,
    asksHead: (state) => state.awaitsHead,
  };
}

function step(state: BeforePost, event: WaitEvent, now: number, rules: BeforePostRules): BeforePost {
  switch (event.type) {
    case "tick":
      return heard(state, { head: event.newestPage, walked: event.rows, reachedMark: event.reachedMark }, now, rules);
    case "head": {
      // A page that goes down to what an earlier read has begun with leaves no gap.
      const { rows } = event.head;
      const reachedMark = rows.length === 0 || rows.some(({ id }) => id === state.readDownFrom);
      return heard(state, { head: event.head, walked: [], reachedMark }, now, rules);
    }
    case "machine-log":
      return judged({ ...omit(state, "logTrouble"), log: told(state.log, state.untold, event) }, now, rules);
    case "machine-log-trouble":
      return isUnreadable(event) ? judged({ ...state, logTrouble: event.error.message }, now, rules) : state;
    case "trouble":
      return endsTheWait(event)
        ? { ...state, end: { how: "turned-away", error: event.error } }
        : { ...state, lastTrouble: event.error.message };
    case "limit":
      return { ...state, end: endAtLimit(state, event.limit, rules) };
  }
}

/** One look at the list: its newest page, and the rows that a walk met from there on down. */
interface Look {
  readonly head: NewestPage;
  readonly walked: readonly Row[];
  readonly reachedMark: boolean;
}

function heard(before: BeforePost, look: Look, now: number, rules: BeforePostRules): BeforePost {
  if (look.head.readAt < before.since) return before;
  const state = omit(before, "lastTrouble");
  const why = whyPageUnusable(look.head.rows, rules.mark, rules.later !== undefined);
  return why === undefined ? judged(withRowsOf(look, state, rules), now, rules) : undecided(state, why);
}

/** Looks at a page that decides nothing, before it is said. */
const mostUndecided = 3;

function undecided(state: BeforePost, why: Extract<Question, { about: "page" }>["why"]): BeforePost {
  const inARow = state.undecided + 1;
  const next = { ...omit(state, "read"), undecided: inARow, awaitsHead: false };
  return inARow < mostUndecided ? next : { ...next, end: asking({ about: "page", why }) };
}

function withRowsOf({ head, walked, reachedMark }: Look, state: BeforePost, rules: BeforePostRules): BeforePost {
  const page = head.rows.map(rowOf);
  // The page first: where ids do not compare, it shows where the mark is.
  const { above: made, olderChainIds: begunBefore } = splitAtMark(
    mergeRows(page, walked),
    rules.mark,
    state.begunBefore,
  );
  const isOld = ({ chainId }: Row): boolean => chainId !== undefined && begunBefore.includes(chainId);
  const mayBeOurs = (row: Row): boolean => whoseRow(row, rules.target.virtualMachineId) !== "another's";
  const above = mergeRows(state.above, made).filter((row) => mayBeOurs(row) && !isOld(row));
  const newest = newestRow(head.rows)?.id;
  return {
    ...state,
    rows: mergeRows(state.rows, [...walked, ...page, ...above]).filter(mayBeOurs),
    above,
    begunBefore,
    read: { head, isWhole: reachedMark },
    undecided: 0,
    ...(reachedMark && newest !== undefined && { readDownFrom: newest }),
  };
}

/** With what the rows and the log say by now, and the end where that decides. */
function judged(before: BeforePost, now: number, rules: BeforePostRules): BeforePost {
  const state = withJobs(before, now, rules);
  const decision = decide(state, now, rules);
  switch (decision) {
    case "wait":
      return state;
    case "read the newest page":
      return { ...state, awaitsHead: true };
    case "ask the log again": {
      const log = { ...state.log, denied: [] };
      return judged({ ...state, log, logAskedAgain: state.quietSince }, now, rules);
    }
    default:
      return { ...state, end: decision };
  }
}

/** Which jobs keep the machine busy, which may be this restore, and of which the machine's log has to tell. */
function withJobs(state: BeforePost, now: number, rules: BeforePostRules): BeforePost {
  const { target, words, isClaimed, later, busyMs } = rules;
  const { log, above, rows, read } = state;
  const busy = blockersOf(busyMs === 0 ? above : rows, target.virtualMachineId, words, log);
  const sighting = later && matchTransactions(above, { target, words, log, isClaimed, later });
  const mayBePart = sighting !== undefined && unfinishedIn(sighting, rules) !== undefined;
  return {
    ...state,
    blockers: busy.blockers,
    untold: stillUntold(state.untold, [...busy.unattributed, ...(sighting?.unattributed ?? [])].flat(), now),
    awaitsHead: false,
    ...(sighting && { sighting }),
    ...(mayBePart && read && { quietSince: Math.max(state.quietSince, read.head.readAt) }),
  };
}

type Decision = BeforePostEnd | "wait" | "ask the log again" | "read the newest page";

/** What comes next. The last line holds the only way to a POST. */
function decide(state: BeforePost, now: number, rules: BeforePostRules): Decision {
  const { read, sighting, untold, logTrouble, blockers } = state;
  const whole = read?.isWhole === true && sighting ? { head: read.head, sighting } : undefined;
  const found = whole && foundIn(whole, now, rules);
  if (found) return found;
  if (untold.length > 0 && logTrouble !== undefined) {
    const torn = sighting && tornBetween(sighting, rules);
    return asking(torn ?? { about: "whose", rows: untold.map(({ row }) => row), trouble: logTrouble });
  }
  if (blockers.length > 0) return rules.until === "look" ? { how: "busy" } : "wait";
  if (untold.length > 0 || read === undefined) return "wait";
  if (rules.later !== undefined) {
    const held = whole ? heldBack(state, whole, rules) : "wait";
    if (held !== undefined) return held;
  }
  return isFresh(read.head, now) ? { how: "clear", head: read.head } : "read the newest page";
}

/** One read that showed everything above the mark, and what that is to this restore. */
interface WholeRead {
  readonly head: NewestPage;
  readonly sighting: Candidates;
}

/** What an earlier run has posted, or the question which of these it is; undefined where nothing fits. */
function foundIn({ head, sighting }: WholeRead, now: number, rules: BeforePostRules): BeforePostEnd | undefined {
  const chains = sighting.fits.filter((each) => !isPassedOver(each, rules));
  const [chain, ...more] = chains;
  if (chain === undefined) return undefined;
  if (more.length > 0) return asking({ about: "several", chains });
  if (tornBetween(sighting, rules)) return undefined;
  const ageMs = ageOf(chain, head, now, rules.mark);
  const isRecent = ageMs !== undefined && ageMs <= rules.adoptWindowMs;
  return finalChainStatus(chain, rules.words) !== "complete" || isRecent
    ? { how: "found", chain, ageMs }
    : asking({ about: "complete for long", chain, ageMs });
}

/** How long ago a chain ended at most: by the panel's clock since its mark was taken, or by stamps that name their zone. */
function ageOf(
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

/** What keeps back a later attempt where the machine is free and nothing fits; undefined when nothing does. */
function heldBack(
  { quietSince, log, logAskedAgain }: BeforePost,
  { head, sighting }: WholeRead,
  rules: BeforePostRules,
): Decision | undefined {
  if (head.readAt < quietSince + quietMs(rules)) return "wait";
  if (log.excluded.length > 0 && logAskedAgain !== quietSince) return "ask the log again";
  const question = doubtfulIn(sighting, rules) ?? stoppedIn(sighting, rules);
  return question && asking(question);
}

function endAtLimit({ sighting }: BeforePost, limit: Limit, rules: BeforePostRules): BeforePostEnd {
  if (limit === "total" || sighting === undefined) return { how: "limit", limit };
  const question = tornBetween(sighting, rules) ?? doubtfulIn(sighting, rules) ?? unfinishedIn(sighting, rules);
  return question ? asking(question) : { how: "limit", limit };
}

function asking(question: Question): BeforePostEnd {
  return { how: "question", question };
}

/** What fits, and what may fit as well as soon as the machine's log has told. */
function tornBetween({ fits, unattributed: untold }: Candidates, rules: BeforePostRules): Question | undefined {
  const fitting = fits.filter((chain) => !isPassedOver(chain, rules));
  const unsure = untold.filter(
    (chain) => !isPassedOver(chain, rules) && mayBeThisRestore(chain, rules.target, rules.words),
  );
  return fitting.length > 0 && unsure.length > 0 ? { about: "several", chains: [...fitting, ...unsure] } : undefined;
}

function doubtfulIn(sighting: Candidates, rules: BeforePostRules): Question | undefined {
  const doubtful: readonly SuspectChain[] = sighting.suspect.filter(({ chain }) => !isPassedOver(chain, rules));
  return doubtful.length > 0 ? { about: "doubtful", doubtful } : undefined;
}

/** Jobs of the machine above the mark that have not ended: the first part of this restore may be among them. */
function unfinishedIn({ others }: Candidates, { words }: BeforePostRules): Question | undefined {
  const chains = others.filter((chain) => isUnfinished(chain, words));
  return chains.length > 0 ? { about: "unfinished", chains } : undefined;
}

/** The first part of this restore may be among those that a person has stopped. */
function stoppedIn({ others }: Candidates, { target, words }: BeforePostRules): Question | undefined {
  const chains = others.filter(
    (chain) => finalChainStatus(chain, words) === "cancelled" && !namesAnotherPoint(chain, target),
  );
  return chains.length > 0 ? { about: "stopped", chains } : undefined;
}

/** An earlier try that failed is passed over, also where what is behind the failed part of it stays pending. */
function isPassedOver(chain: Chain, { retryFailed, words }: BeforePostRules): boolean {
  return retryFailed && finalChainStatus(chain, words) === "failed";
}

/** However short the limit, the panel gets the time of one request to answer; and what may be ours the time to be listed. */
function deadlineOf(state: BeforePost, rules: BeforePostRules): Deadline {
  const patience = rules.busyMs === 0 ? rules.listedMs : rules.busyMs;
  const busyUntil = state.since + Math.max(patience, rules.requestTimeoutMs);
  // By then the log is asked once more, and whose rows are that came meanwhile: a log gets all the time there is.
  const answerMs = Math.max(state.untold.length > 0 ? patience : 0, rules.requestTimeoutMs);
  const quietUntil = rules.later ? state.quietSince + quietMs(rules) + answerMs : busyUntil;
  const at = state.blockers.length > 0 ? busyUntil : Math.max(busyUntil, quietUntil);
  return state.totalUntil !== undefined && state.totalUntil < at
    ? { at: state.totalUntil, limit: "total" }
    : { at, limit: rules.busyMs === 0 ? "listed" : "busy" };
}

/** How far down the list it has to be read: to the mark where something of an earlier run may stand above it. */
function floorOf({ blockers, above }: BeforePost, { later, mark }: BeforePostRules): StopRule {
  // A job that has fallen off the newest page is still looked for by its id.
  const isSeenAnyway = (row: Row): boolean => later !== undefined && above.some(({ id }) => id === row.id);
  const ids = blockers.flat().flatMap((row) => (isSeenAnyway(row) ? [] : row.id));
  if (later) return { ...stopRuleAbove(mark), awaitedIds: ids, stopAt: ids.length > 0 ? "ids" : "mark" };
  return ids.length > 0 ? { awaitedIds: ids, stopAt: "ids" } : { stopAt: "one page" };
}

function wants({ rows }: BeforePost, row: Transaction, { target, later, mark }: BeforePostRules): boolean {
  const tie = whoseRow(row, target.virtualMachineId);
  return (
    tie === "ours" ||
    (later !== undefined && (tie === "untold" || isMarkRow(row, mark))) ||
    rows.some(({ id }) => id === row.id)
  );
}
