import { decideEarlier, type Earlier } from "./adopt";
import { mergeRows, type Row } from "./chain";
import { identify, type Sighting } from "./identify";
import type { Intent } from "./intent";
import { floorAbove, isAbove } from "./mark";
import { elapsed } from "./progress";
import { tieOf, type Identifiers } from "./tie";
import { endsTheWait } from "./trouble";
import type { Waiting } from "./wait";
import type { Words } from "./words";

/** A later attempt looking for what an earlier one of the same intent may have posted. */
export interface LookingBack {
  readonly since: number;
  readonly until: number;
  readonly totalUntil?: number;
  readonly rows: readonly Row[];
  readonly inMachineLog: readonly string[];
  readonly sighting?: Sighting;
  readonly lastTrouble?: string;
  readonly decision?:
    | Earlier
    | { readonly found: "turned-away"; readonly error: Error }
    | { readonly found: "out-of-time" };
  /** Whether the list has been read down to the mark at least once. */
  readonly hasSeenAll: boolean;
}

export interface LookBackRules {
  readonly intent: Intent;
  readonly words: Words;
  readonly adoptWindowMs: number;
  readonly identifiers: Identifiers;
  readonly isClaimed: (transactionId: string) => boolean;
}

/**
 * The POST of a run that was killed may still be on its way, and its transaction may be listed late, so
 * an empty list at first sight proves nothing: the whole time has to pass. What is found ends the wait at once.
 */
export function lookingBack(rules: LookBackRules): Waiting<LookingBack> {
  const { intent } = rules;
  const decide = (state: LookingBack, now: number, panelNow: number): LookingBack => {
    const sighting = identify(state.rows, {
      target: intent.madeFor,
      words: rules.words,
      identifiers: rules.identifiers,
      inMachineLog: new Set(state.inMachineLog),
      isClaimed: rules.isClaimed,
    });
    const decision = decideEarlier(sighting, {
      words: rules.words,
      adoptWindowMs: rules.adoptWindowMs,
      panelNow,
      intentAgeMs: now - Date.parse(intent.madeAt),
    });
    return decision.found === "nothing" ? { ...state, sighting } : { ...state, sighting, decision };
  };

  return {
    step(state, event, now) {
      switch (event.type) {
        case "tick": {
          const { lastTrouble, ...calm } = state;
          void lastTrouble;
          const rows = mergeRows(state.rows, event.rows);
          const hasSeenAll = state.hasSeenAll || event.reachedFloor;
          return decide({ ...calm, rows, hasSeenAll }, now, event.head.panelTime ?? now);
        }
        case "machine-log": {
          const inMachineLog = [...new Set([...state.inMachineLog, ...event.transactionIds])];
          return decide({ ...state, inMachineLog }, now, now);
        }
        case "trouble":
          return endsTheWait(event)
            ? { ...state, decision: { found: "turned-away", error: event.error } }
            : { ...state, lastTrouble: event.error.message };
        case "limit":
          // Without one whole look nobody knows what an earlier run has done, and nothing may be posted.
          return {
            ...state,
            decision: event.limit === "listed" && state.hasSeenAll ? { found: "nothing" } : { found: "out-of-time" },
          };
      }
    },
    isOver: (state) => state.decision !== undefined,
    floor: () => floorAbove(intent.mark),
    wants: (_state, row) =>
      isAbove(row, intent.mark) && tieOf(row, intent.madeFor.virtualMachineId, rules.identifiers) !== "another's",
    urgency: () => "listing",
    deadline: (state) =>
      state.totalUntil !== undefined && state.totalUntil < state.until
        ? { at: state.totalUntil, limit: "total" }
        : { at: state.until, limit: "listed" },
    asksMachineLog: (state) => (state.sighting?.untold.length ?? 0) > 0,
    describe: (state, now) =>
      `looking for a restore that an earlier run may have posted, ${elapsed(now - state.since)} of ` +
      `${elapsed(state.until - state.since)} (a shorter timeouts.listed shortens this)`,
  };
}
