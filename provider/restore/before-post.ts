import type { Head } from "../feed/watching";
import type { Mark, RestoreTarget } from "../inputs/intent";
import type { Limit } from "../inputs/rules";
import type { Clock } from "../plain/clock";
import { timeOf } from "../plain/clock";
import { without } from "../plain/plain";
import {
  brokenStanding,
  type Chain,
  type ChainStanding,
  chainStanding,
  hasEnded,
  mergeRows,
  type Row,
  rowOf,
  type Words,
} from "../rows/chains";
import {
  blockersOf,
  type Doubtful,
  identify,
  type LaterAttempt,
  type LogKnowledge,
  mayBeThis,
  namesAnotherPoint,
  nothingLogged,
  type Sighting,
  tieOf,
} from "../rows/identify";
import { floorAbove, newestOf, splitAt, showsMark, whyUndecided } from "../rows/mark";
import { stillUntold, told, type Untold } from "./machine-log";
import { type Deadline, endsTheWait, isUnreadable, type WaitEvent, type Waiting } from "./waiting";

/**
 * The one wait before a POST. It ends when one read shows that nothing of this restore is on the panel already and that the machine is
 * free, or with what a person has to decide.
 */
export interface BeforePost {
  readonly since: number;
  readonly totalUntil?: number;
  /** Rows above the mark, and of those below it what keeps the machine busy. */
  readonly rows: readonly Row[];
  readonly above: readonly Row[];
  readonly begunBefore: readonly string[];
  /** Since when nothing has been seen that may be this restore, or the first part of it. */
  readonly quietSince: number;
  readonly untold: readonly Untold[];
  readonly log: LogKnowledge;
  /** It was asked once more after it had been quiet since then: it may name a transaction later than the list shows it. */
  readonly logAskedAgain?: number;
  readonly logTrouble?: string;
  readonly sighting?: Sighting;
  readonly blockers: readonly Chain[];
  /** The newest row of the last read that showed everything above the mark. */
  readonly readDownFrom?: string;
  /** The last read: where a row of it had to be told by the machine's log, it decides as soon as the log has told. */
  readonly read?: Read;
  /** Reads in a row of a page that decides nothing. */
  readonly undecided: number;
  /** All is well but for the age of what was read. */
  readonly awaitsHead: boolean;
  readonly lastTrouble?: string;
  readonly end?: BeforePostEnd;
}

interface Read {
  readonly head: Head;
  /** It showed everything above the mark. */
  readonly isWhole: boolean;
}

export type BeforePostEnd =
  /** `head` is the read that showed the machine free, made a moment ago: the mark of a POST that follows at once. */
  | { readonly how: "clear"; readonly head: Head }
  /** An earlier run's POST: taken instead of posting. `ageMs`: how long ago it ended, or was asked for at most. */
  | { readonly how: "found"; readonly chain: Chain; readonly ageMs: number | undefined }
  | { readonly how: "question"; readonly question: Question }
  | { readonly how: "busy" }
  | { readonly how: "limit"; readonly limit: Limit }
  | { readonly how: "turned-away"; readonly error: Error };

/** What is not known for certain, and is not guessed. */
export type Question =
  | { readonly about: "several"; readonly chains: readonly Chain[] }
  | { readonly about: "complete for long"; readonly chain: Chain; readonly ageMs: number | undefined }
  | { readonly about: "doubtful"; readonly doubtful: readonly Doubtful[] }
  /** They may be the first part of it, and have not ended in the time there was. */
  | { readonly about: "unfinished"; readonly chains: readonly Chain[] }
  /** They may be the first part of it, and a person has stopped them. */
  | { readonly about: "stopped"; readonly chains: readonly Chain[] }
  | { readonly about: "whose"; readonly rows: readonly Row[]; readonly trouble: string }
  | { readonly about: "page"; readonly why: NonNullable<ReturnType<typeof whyUndecided>> };

export interface BeforePostRules {
  readonly target: RestoreTarget;
  readonly mark: Mark;
  readonly words: Words;
  readonly busyMs: number;
  readonly listedMs: number;
  readonly requestTimeoutMs: number;
  readonly adoptWindowMs: number;
  /** An earlier try that failed is passed over; else it is this restore, as a stored one is. */
  readonly retryFailed: boolean;
  readonly isClaimed: (transactionId: string) => boolean;
  /** Set for an attempt that may have been posted by an earlier run. */
  readonly later: LaterAttempt | undefined;
  /** `clear`: until the machine is free. `look`: one look at whether it is. */
  readonly until: "clear" | "look";
}

export function beforePost(since: number, totalUntil: number | undefined): BeforePost {
  return {
    since,
    ...(totalUntil !== undefined && { totalUntil }),
    rows: [],
    above: [],
    begunBefore: [],
    quietSince: since,
    untold: [],
    log: nothingLogged,
    blockers: [],
    undecided: 0,
    awaitsHead: false,
  };
}

/** Looks at a page that decides nothing, before it is said. */
const mostUndecided = 3;

/** How long it has to be quiet before a later attempt is posted: a request may be under way that long, and be listed that late. */
export function quietMs(rules: Pick<BeforePostRules, "requestTimeoutMs" | "listedMs">): number {
  return rules.requestTimeoutMs + rules.listedMs;
}

export function waitingBeforePost(rules: BeforePostRules): Waiting<BeforePost> {
  const { target, mark, words, later } = rules;
  const machine = target.virtualMachineId;

  const step = (state: BeforePost, event: WaitEvent, now: number): BeforePost => {
    switch (event.type) {
      case "tick":
        return event.head.readAt < state.since ? state : heard(state, event.rows, event.reachedMark, event.head, now);
      case "head": {
        // A page that goes down to what an earlier read has begun with leaves no gap.
        const { rows } = event.head;
        const isWhole = rows.length === 0 || rows.some(({ id }) => id === state.readDownFrom);
        return event.head.readAt < state.since ? state : heard(state, [], isWhole, event.head, now);
      }
      case "machine-log":
        return decided({ ...without(state, "logTrouble"), log: told(state.log, state.untold, event) }, now, state.read);
      case "machine-log-trouble":
        return isUnreadable(event) ? decided({ ...state, logTrouble: event.error.message }, now) : state;
      case "trouble":
        return endsTheWait(event)
          ? { ...state, end: { how: "turned-away", error: event.error } }
          : { ...state, lastTrouble: event.error.message };
      case "limit":
        return { ...state, end: endAtLimit(state, event.limit) };
    }
  };

  /** What one read of the list says. */
  const heard = (
    before: BeforePost,
    walked: readonly Row[],
    reachedMark: boolean,
    head: Head,
    now: number,
  ): BeforePost => {
    const state = without(before, "lastTrouble");
    const why = whyUndecided(head.rows, mark);
    if (why !== undefined) {
      const undecided = state.undecided + 1;
      const next = { ...without(state, "read"), undecided, awaitsHead: false };
      return undecided < mostUndecided ? next : { ...next, end: { how: "question", question: { about: "page", why } } };
    }
    const page = head.rows.map(rowOf);
    // The page first: where ids do not compare, it shows where the mark is.
    const split = splitAt(mergeRows(page, walked), mark, state.begunBefore);
    const isOld = ({ chainId }: Row): boolean => chainId !== undefined && split.begunBefore.includes(chainId);
    const above = mergeRows(state.above, split.above).filter((row) => matters(row) && !isOld(row));
    const isWhole = later === undefined || reachedMark;
    const rows = mergeRows(mergeRows(mergeRows(state.rows, walked), page), above).filter(matters);
    const newest = newestOf(head.rows)?.id;
    const read: Read = { head, isWhole };
    return decided(
      {
        ...state,
        rows,
        above,
        begunBefore: split.begunBefore,
        read,
        undecided: 0,
        ...(isWhole && newest !== undefined && { readDownFrom: newest }),
      },
      now,
      read,
    );
  };

  /** Rows of the machine, or that may be, as long as they keep it busy; above the mark all of these. */
  const matters = (row: Row): boolean => tieOf(row, machine) === "ours" || tieOf(row, machine) === "untold";

  /** What is known now, judged: with a read, or after something about the rows became known. */
  const decided = (state: BeforePost, now: number, read?: Read): BeforePost => {
    const busy = blockersOf(rules.busyMs === 0 ? state.above : state.rows, machine, words, state.log);
    const sighting =
      later && identify(state.above, { target, words, log: state.log, isClaimed: rules.isClaimed, later });
    const untoldRows = [...busy.untold, ...(sighting?.untold ?? [])].flat();
    const untold = stillUntold(state.untold, untoldRows, now);
    const mayBePart = sighting ? openOf(sighting) : [];
    const seen: BeforePost = {
      ...state,
      blockers: busy.blockers,
      untold,
      awaitsHead: false,
      ...(sighting && { sighting }),
      quietSince:
        mayBePart.length > 0 ? Math.max(state.quietSince, read?.head.readAt ?? state.quietSince) : state.quietSince,
    };
    const whole = read?.isWhole === true ? sighting : undefined;
    const found = whole && foundIn(whole, read?.head, now);
    if (found) return { ...seen, end: found };
    if (untold.length > 0 && state.logTrouble !== undefined) {
      const rows = untold.map(({ row }) => row);
      const question = sighting && tornBetween(sighting);
      return {
        ...seen,
        end: { how: "question", question: question ?? { about: "whose", rows, trouble: state.logTrouble } },
      };
    }
    if (busy.blockers.length > 0) return rules.until === "look" ? { ...seen, end: { how: "busy" } } : seen;
    if (untold.length > 0 || read === undefined) return seen;
    if (whole) {
      if (mayBePart.length > 0 || read.head.readAt < seen.quietSince + quietMs(rules)) return seen;
      if (seen.log.denied.length > 0 && seen.logAskedAgain !== seen.quietSince) {
        const log = { ...seen.log, denied: [] };
        return decided({ ...seen, log, logAskedAgain: seen.quietSince }, now, read);
      }
      const doubtful = notFailed(whole.doubtful);
      if (doubtful.length > 0) return { ...seen, end: { how: "question", question: { about: "doubtful", doubtful } } };
      const stopped = whole.others.filter(
        (chain) => standing(chain) === "cancelled" && !namesAnotherPoint(chain, target),
      );
      if (stopped.length > 0)
        return { ...seen, end: { how: "question", question: { about: "stopped", chains: stopped } } };
    } else if (later) return seen;
    return isFresh(read.head, now)
      ? { ...seen, end: { how: "clear", head: read.head } }
      : { ...seen, awaitsHead: true };
  };

  const standing = (chain: Chain): ChainStanding => brokenStanding(chain, words) ?? chainStanding(chain, words);

  /** An earlier try that failed is passed over, also where what is behind the failed part of it stays pending. */
  const passedOver = (chain: Chain): boolean => rules.retryFailed && standing(chain) === "failed";

  const foundIn = (sighting: Sighting, head: Head | undefined, now: number): BeforePostEnd | undefined => {
    const chains = sighting.fits.filter((each) => !passedOver(each));
    const [chain, ...more] = chains;
    if (chain === undefined) return undefined;
    if (more.length > 0) return { how: "question", question: { about: "several", chains } };
    if (tornBetween(sighting)) return undefined;
    const ageMs = ageOf(chain, head, now);
    const isRecent = ageMs !== undefined && ageMs <= rules.adoptWindowMs;
    return standing(chain) !== "complete" || isRecent
      ? { how: "found", chain, ageMs }
      : { how: "question", question: { about: "complete for long", chain, ageMs } };
  };

  /** What fits, and what may fit as well as soon as the machine's log has told. */
  const tornBetween = ({ fits, untold }: Sighting): Question | undefined => {
    const fitting = fits.filter((chain) => !passedOver(chain));
    const unsure = untold.filter((chain) => !passedOver(chain) && mayBeThis(chain, target, words));
    return fitting.length > 0 && unsure.length > 0 ? { about: "several", chains: [...fitting, ...unsure] } : undefined;
  };

  /** How long ago a chain ended at most: by the panel's clock since its mark was taken, or by stamps that name their zone. */
  const ageOf = (chain: Chain, head: Head | undefined, now: number): number | undefined => {
    if (head?.panelTime === undefined) return undefined;
    const panelNow = head.panelTime + (now - head.answeredAt);
    const ends = chain.map((row) => timeOf(row.finishedAt ?? row.updatedAt)).filter((end) => end !== undefined);
    const since = [timeOf(mark.takenAt), ends.length > 0 ? Math.max(...ends) : undefined].filter(
      (at) => at !== undefined,
    );
    return since.length === 0 ? undefined : Math.max(0, panelNow - Math.max(...since));
  };

  const endAtLimit = ({ sighting }: BeforePost, limit: Limit): BeforePostEnd => {
    const doubtful = sighting ? notFailed(sighting.doubtful) : [];
    const open = sighting ? openOf(sighting) : [];
    const torn = sighting && tornBetween(sighting);
    if (limit === "total" || (torn === undefined && doubtful.length + open.length === 0))
      return { how: "limit", limit };
    const question: Question =
      torn ?? (doubtful.length > 0 ? { about: "doubtful", doubtful } : { about: "unfinished", chains: open });
    return { how: "question", question };
  };

  /** Jobs of the machine above the mark that have not ended: the first part of this restore may be among them. */
  const openOf = ({ others }: Sighting): readonly Chain[] =>
    others.filter((chain) => !hasEnded(chainStanding(chain, words)));

  const notFailed = (doubtful: readonly Doubtful[]): readonly Doubtful[] =>
    doubtful.filter(({ chain }) => !passedOver(chain));

  /** However short the limit, the panel gets the time of one request to answer; and what may be ours the time to be listed. */
  const deadlineOf = (state: BeforePost): Deadline => {
    const patience = rules.busyMs === 0 ? rules.listedMs : rules.busyMs;
    const busyUntil = state.since + Math.max(patience, rules.requestTimeoutMs);
    // By then the log is asked once more, and whose rows are that came meanwhile: a log gets all the time there is.
    const answerMs = Math.max(state.untold.length > 0 ? patience : 0, rules.requestTimeoutMs);
    const quietUntil = later ? state.quietSince + quietMs(rules) + answerMs : busyUntil;
    const at = state.blockers.length > 0 ? busyUntil : Math.max(busyUntil, quietUntil);
    return state.totalUntil !== undefined && state.totalUntil < at
      ? { at: state.totalUntil, limit: "total" }
      : { at, limit: rules.busyMs === 0 ? "listed" : "busy" };
  };

  return {
    step,
    isOver: (state) => state.end !== undefined,
    floor: (state) => {
      // A job that has fallen off the newest page is still looked for by its id.
      const isAbove = (row: Row): boolean => state.above.some(({ id }) => id === row.id);
      const ids = state.blockers.flat().flatMap((row) => (later && isAbove(row) ? [] : row.id));
      if (later) return { ...floorAbove(mark), ids, needs: ids.length > 0 ? "ids" : "mark" };
      return ids.length > 0 ? { ids, needs: "ids" } : { needs: "one page" };
    },
    wants: (state, row) =>
      tieOf(row, machine) === "ours" ||
      (later !== undefined && (tieOf(row, machine) === "untold" || showsMark(row, mark))) ||
      state.rows.some(({ id }) => id === row.id),
    since: (state) => state.since,
    deadline: deadlineOf,
    asksMachineLog: (state) => state.untold.length > 0 && state.logTrouble === undefined,
    asksHead: (state) => state.awaitsHead,
  };
}

/**
 * How long after it was read a page may still decide about a POST. In between lies at most the question whether the run is still watched,
 * which takes no longer than two seconds.
 */
const momentMs = 3_000;

function isFresh(head: Head, now: number): boolean {
  return now - head.answeredAt <= momentMs;
}

/**
 * The same right before the POST. The clock that waits go by stands still while the runner is suspended, and only the wall clock shows
 * that hours have passed; where that one was set meanwhile, the page is read once more than needed.
 */
export function isFreshForPost(head: Head, clock: Clock): boolean {
  const now = clock.now();
  const heldUpMs = clock.wallTime().getTime() - head.wallTime.getTime() - (now - head.readAt);
  return isFresh(head, now) && Math.abs(heldUpMs) <= momentMs;
}
