import type { Head } from "../feed/watching";
import type { Limit } from "../inputs/intent";
import { type Clock, elapsed } from "../plain/clock";
import { without } from "../plain/plain";
import { type Chain, chainStanding, hasEnded, mergeRows, type Row, rowOf, type Words } from "../rows/chains";
import { blockersOf, type Identifiers, tieOf } from "../rows/identify";
import { endsTheWait, isUnreadable, type Telling, type WaitEvent, type Waiting } from "./waiting";

/** An unfinished row that does not say whose it is, since it was first seen: a log that was asked for earlier does not clear it. */
export interface Doubtful {
  readonly row: Row;
  readonly since: number;
}

/** Waiting until no transaction of the machine is unfinished. */
export interface ClearWay {
  readonly since: number;
  readonly until: number;
  readonly totalUntil?: number;
  /** Unfinished transactions of the machine as last heard of. */
  readonly blockers: readonly Chain[];
  /** Rows that only the machine's log can tell about, and it has not been asked since they came. */
  readonly doubtful: readonly Doubtful[];
  /** Rows that the machine's log was asked about, and those it named. */
  readonly judged: readonly string[];
  readonly inMachineLog: readonly string[];
  /** Why the machine's log cannot be read. Doubtful rows are then passed over. */
  readonly logUnreadable?: string;
  readonly lastHead?: Head;
  readonly lastTrouble?: string;
  readonly end?:
    /** `head` is the read, made a moment ago, that showed the machine free: the mark for a POST that follows at once. */
    | { readonly how: "clear"; readonly head: Head }
    | { readonly how: "busy" }
    | { readonly how: "limit"; readonly limit: Limit }
    | { readonly how: "turned-away"; readonly error: Error };
}

export interface ClearWayRules {
  readonly machine: string;
  readonly words: Words;
  readonly identifiers: Identifiers;
  /** `clear`: until the machine is free. `look`: one look at whether it is. `read`: one read of the list, busy or not. */
  readonly until: "clear" | "look" | "read";
}

export function clearWayFrom(since: number, until: number, totalUntil?: number): ClearWay {
  const limits = { until, ...(totalUntil !== undefined && { totalUntil }) };
  return { since, ...limits, blockers: [], doubtful: [], judged: [], inMachineLog: [] };
}

/** Whether only the machine's log can tell about a row that may keep the machine busy, and may yet do so. */
function awaitsMachineLog({ doubtful, logUnreadable }: ClearWay): boolean {
  return doubtful.length > 0 && logUnreadable === undefined;
}

export function waitingForClearWay(rules: ClearWayRules): Waiting<ClearWay> {
  const { machine, words, identifiers } = rules;

  /** Where nobody asks whether the machine is busy, nothing is in doubt. */
  const isUntold = (row: Row): boolean =>
    rules.until !== "read" && tieOf(row, machine, identifiers) === "untold" && !hasEnded(chainStanding([row], words));

  /** What the rows known now, and the newest page, say together. */
  const look = (state: ClearWay, rows: readonly Row[], head: Head, now: number): ClearWay => {
    const known = [...state.blockers.flat(), ...state.doubtful.map(({ row }) => row)];
    const all = mergeRows(mergeRows(known, rows), head.rows.map(rowOf));
    const blockers = blockersOf(all, machine, words, identifiers, new Set(state.inMachineLog));
    const doubtful = all
      .filter((row) => isUntold(row) && !state.judged.includes(row.id))
      .map((row) => ({ row, since: state.doubtful.find((doubt) => doubt.row.id === row.id)?.since ?? now }));
    const seen: ClearWay = { ...state, blockers, doubtful, lastHead: head };
    if (rules.until !== "read") {
      if (blockers.length > 0) return rules.until === "look" ? { ...seen, end: { how: "busy" } } : seen;
      if (awaitsMachineLog(seen)) return seen;
    }
    // Who is not done here waits for the newest page as it is now.
    return isFresh(head, now) ? { ...seen, end: { how: "clear", head } } : seen;
  };
  const lookAgain = (state: ClearWay, now: number): ClearWay =>
    state.lastHead === undefined ? state : look(state, [], state.lastHead, now);

  const step = (state: ClearWay, event: WaitEvent, now: number): ClearWay => {
    switch (event.type) {
      case "tick":
      case "head":
        // A read from before this wait says nothing about now.
        if (event.head.readAt < state.since) return state;
        return look(without(state, "lastTrouble"), event.type === "tick" ? event.rows : [], event.head, now);
      case "machine-log": {
        const judged = state.doubtful.filter(({ since }) => since <= event.askedAt).map(({ row }) => row.id);
        return lookAgain(
          {
            ...state,
            judged: [...state.judged, ...judged],
            inMachineLog: [...new Set([...state.inMachineLog, ...event.transactionIds])],
          },
          now,
        );
      }
      case "machine-log-trouble":
        return isUnreadable(event) ? lookAgain({ ...state, logUnreadable: event.error.message }, now) : state;
      case "trouble":
        return endsTheWait(event)
          ? { ...state, end: { how: "turned-away", error: event.error } }
          : { ...state, lastTrouble: event.error.message };
      case "limit":
        return { ...state, end: { how: "limit", limit: event.limit } };
    }
  };

  return {
    step,
    isOver: (state) => state.end !== undefined,
    // A job that has fallen off the first page is still looked for by its id.
    floor: (state) => ({ ids: state.blockers.flatMap((chain) => chain.map((row) => row.id)) }),
    wants: (state, row) =>
      tieOf(row, machine, identifiers) === "ours" ||
      state.blockers.some((chain) => chain.some((blocker) => blocker.id === row.id)),
    urgency: () => "steady",
    deadline: (state) =>
      state.totalUntil !== undefined && state.totalUntil < state.until
        ? { at: state.totalUntil, limit: "total" }
        : { at: state.until, limit: "busy" },
    asksMachineLog: awaitsMachineLog,
    // While the panel is in trouble its next good look comes first, and does as well when it is quick.
    asksHead: (state) =>
      state.lastTrouble === undefined &&
      !awaitsMachineLog(state) &&
      (rules.until === "read" || state.blockers.length === 0),
  };
}

/**
 * How long after it was read a page may still decide about a POST. In between lies at most the question whether the
 * run is still watched, which takes no longer than two seconds.
 */
const momentMs = 3_000;

/** Whether the page was read a moment ago. */
function isFresh(head: Head, now: number): boolean {
  return now - head.answeredAt <= momentMs;
}

/**
 * The same right before the POST. The clock that waits go by stands still while the runner is suspended, and only the wall clock
 * shows that hours have passed; where that one was set meanwhile, the page is read once more than needed.
 */
export function isFreshForPost(head: Head, clock: Clock): boolean {
  const now = clock.now();
  const heldUpMs = clock.wallTime().getTime() - head.wallTime.getTime() - (now - head.readAt);
  return isFresh(head, now) && Math.abs(heldUpMs) <= momentMs;
}

/** A wait for the machine's log is worth a line when it lasts longer than a log takes as a rule. */
const quietMs = 5_000;

/** What is said while a restore waits until its machine is free. */
export function whileBlocked(words: Words): Telling<ClearWay> {
  /** The job of a chain that has to end next. */
  const openOf = (chain: Chain): Row => chain.find((row) => !hasEnded(chainStanding([row], words))) ?? chain[0];
  return {
    describe(state, now) {
      const spent = elapsed(now - state.since);
      const [chain] = state.blockers;
      if (chain) {
        const open = openOf(chain);
        return `waiting for transaction ${open.id} (${open.action ?? "no action given"}) of the machine to end (${spent})`;
      }
      if (state.lastTrouble !== undefined) {
        return `the panel cannot be read, trying again (${spent}): ${state.lastTrouble}`;
      }
      const [doubt] = state.doubtful;
      return doubt !== undefined && awaitsMachineLog(state) && now - doubt.since >= quietMs
        ? `waiting for the machine's log, which has to tell whether transaction ${doubt.row.id} is the machine's (${spent})`
        : undefined;
    },
    topic(state, outage) {
      const [chain] = state.blockers;
      if (chain) return `blocked by ${openOf(chain).id}`;
      return state.lastTrouble === undefined ? "awaiting the log" : `unreadable: ${outage ?? ""}`;
    },
  };
}
