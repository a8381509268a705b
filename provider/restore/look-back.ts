import type { Limit } from "../inputs/intent";
import { elapsed } from "../plain/clock";
import type { Row } from "../rows/chains";
import type { Earlier, Sighting } from "../rows/identify";
import type { Telling } from "./waiting";

/** What a later attempt has seen of what an earlier one of the same intent may have posted. */
export interface LookedBack {
  readonly since: number;
  /** When the time has passed in which the restore may still be listed. */
  readonly until: number;
  readonly totalUntil?: number;
  readonly rows: readonly Row[];
  readonly inMachineLog: readonly string[];
  readonly sighting?: Sighting;
  /** Transactions that would have been taken, if they were not rather those of another restore of the machine. */
  readonly leftToOthers: readonly string[];
  readonly lastTrouble?: string;
  /** The last read that showed the list down to the mark: when it began, and how long it took. On a busy panel that is far down. */
  readonly whole?: { readonly readAt: number; readonly tookMs: number };
  /** When a row was last listed that had not been seen before. */
  readonly newRowAt?: number;
  /** Rows that were known when the machine's log was read, and that it reached down to: it has told whether they are the machine's. */
  readonly judgedByLog: readonly string[];
  /** How far the panel's time is ahead of the time that this wait goes by, where the panel tells it. */
  readonly panelAheadMs?: number;
  /** How far the panel's time stamps run ahead of its clock, at least. */
  readonly stampsAheadMs?: number;
}

export type LookBackEnd =
  | Earlier
  | { readonly found: "turned-away"; readonly error: Error }
  /** What was found is rather that of another restore of this machine, of which an earlier run has not seen which it is. */
  | { readonly found: "another's"; readonly transactionIds: readonly string[] }
  /** `unjudged`: rows that neither the list nor the machine's log ties to a machine. */
  | { readonly found: "out-of-time"; readonly limit: Limit; readonly unjudged: readonly string[] };

/** The stages of a look back, in their order. It may be decided in any of them. */
export type LookingBack =
  /** The restore may still be listed. */
  | { readonly phase: "watching"; readonly seen: LookedBack }
  /** The time has passed, and a read that shows the list down to the mark is still under way: until when that is waited for. */
  | { readonly phase: "last look"; readonly seen: LookedBack; readonly lookUntil: number }
  /** The list has told what it can, and only the machine's log is still to tell whose these rows are. */
  | {
      readonly phase: "awaiting the log";
      readonly seen: LookedBack;
      readonly logUntil: number;
      readonly untold: readonly string[];
    }
  | { readonly phase: "decided"; readonly seen: LookedBack; readonly decision: LookBackEnd };

export function lookingBackFrom(since: number, until: number, totalUntil?: number): LookingBack {
  const limits = { since, until, ...(totalUntil !== undefined && { totalUntil }) };
  return { phase: "watching", seen: { ...limits, rows: [], inMachineLog: [], leftToOthers: [], judgedByLog: [] } };
}

/** Until when this stage lasts at most. */
export function stageUntil(state: LookingBack): number {
  switch (state.phase) {
    case "last look":
      return Math.max(state.seen.until, state.lookUntil);
    case "awaiting the log":
      return state.logUntil;
    case "watching":
    case "decided":
      return state.seen.until;
  }
}

/** What is said while a later run looks for what an earlier one may have posted. */
export const whileLookingBack: Telling<LookingBack> = {
  describe(state, now) {
    const { since, until } = state.seen;
    // What is announced grows only by the time that the machine's log is given; a last read under way is about to end.
    const end = state.phase === "awaiting the log" ? stageUntil(state) : until;
    return (
      `looking for a restore that an earlier run may have posted, ${elapsed(now - since)} of ` +
      `${elapsed(end - since)} (a shorter timeouts.listed shortens this)`
    );
  },
  topic: () => "looking back",
};
