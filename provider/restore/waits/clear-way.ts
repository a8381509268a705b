import type { Head } from "../../feed/watching";
import { blockersOf } from "../rows/blockers";
import { mergeRows, rowOf, type Chain, type Row } from "../rows/row-chains";
import { isFresh } from "./fresh";
import type { Limit } from "../terms/restore-plan";
import { chainStanding } from "../rows/standing";
import { tieOf, type Identifiers } from "../rows/tie";
import { endsTheWait, isUnreadable } from "./trouble";
import type { WaitEvent, Waiting } from "./waiting";
import { without } from "../../plain/without";
import { hasEnded, type Words } from "../rows/row-words";

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
export function awaitsMachineLog({ doubtful, logUnreadable }: ClearWay): boolean {
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
