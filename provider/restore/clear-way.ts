import type { Head } from "../feed/types";
import { blockersOf } from "./busy";
import { mergeRows, rowOf, type Chain, type Row } from "./chain";
import { elapsed } from "./progress";
import type { Limit } from "./plan";
import { chainStanding } from "./standing";
import { tieOf, type Identifiers } from "./tie";
import { endsTheWait } from "./trouble";
import type { Waiting } from "./wait";
import { without } from "./without";
import { hasEnded, type Words } from "./words";

/** Waiting until no transaction of the machine is unfinished. */
export interface ClearWay {
  readonly since: number;
  readonly until: number;
  readonly totalUntil?: number;
  /** Unfinished transactions of the machine as last heard of. */
  readonly blockers: readonly Chain[];
  readonly inMachineLog: readonly string[];
  /** Rows that may be of this machine and are not known to be; the machine's own log is asked once. */
  readonly untold: "not looked" | "ask" | "asked";
  readonly lastHead?: Head;
  readonly lastTrouble?: string;
  readonly end?:
    /** `head` is the read that showed the machine free: the mark for a POST that follows at once. */
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

export function waitingForClearWay(rules: ClearWayRules): Waiting<ClearWay> {
  const { machine, words, identifiers } = rules;

  const look = (state: ClearWay, rows: readonly Row[], head: Head): ClearWay => {
    if (rules.until === "read") return { ...state, end: { how: "clear", head } };
    const blockers = blockersOf(rows, machine, words, identifiers, new Set(state.inMachineLog));
    const seen = { ...state, blockers, lastHead: head };
    const untoldRows = head.rows.some(
      (row) => tieOf(row, machine, identifiers) === "untold" && !hasEnded(chainStanding([rowOf(row)], words)),
    );
    if (untoldRows && state.untold === "not looked") return { ...seen, untold: "ask" };
    if (blockers.length === 0) return { ...seen, end: { how: "clear", head } };
    return rules.until === "look" ? { ...seen, end: { how: "busy" } } : seen;
  };

  return {
    step(state, event) {
      switch (event.type) {
        case "tick": {
          // A read from before this wait says nothing about now.
          if (event.head.readAt < state.since) return state;
          const known = state.blockers.flat();
          return look(
            without(state, "lastTrouble"),
            mergeRows(mergeRows(known, event.rows), event.head.rows.map(rowOf)),
            event.head,
          );
        }
        case "machine-log": {
          const asked: ClearWay = { ...state, untold: "asked", inMachineLog: event.transactionIds };
          if (state.lastHead === undefined) return asked;
          return look(asked, mergeRows(state.blockers.flat(), state.lastHead.rows.map(rowOf)), state.lastHead);
        }
        case "trouble":
          return endsTheWait(event)
            ? { ...state, end: { how: "turned-away", error: event.error } }
            : { ...state, lastTrouble: event.error.message };
        case "limit":
          return { ...state, end: { how: "limit", limit: event.limit } };
      }
    },
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
    asksMachineLog: (state) => state.untold === "ask",
    describe(state, now) {
      const spent = elapsed(now - state.since);
      const [chain] = state.blockers;
      if (chain) {
        const open = chain.find((row) => !hasEnded(chainStanding([row], words))) ?? chain[0];
        return `waiting for transaction ${open.id} (${open.action ?? "no action given"}) of the machine to end (${spent})`;
      }
      return state.lastTrouble === undefined
        ? undefined
        : `the panel cannot be read, trying again (${spent}): ${state.lastTrouble}`;
    },
  };
}
