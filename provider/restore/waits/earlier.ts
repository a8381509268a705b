import { decideEarlier, type Earlier } from "../rows/adopt";
import { mergeRows, type Row } from "../rows/chain";
import { identify, type Sighting } from "../rows/identify";
import type { Intent, Mark } from "../terms/intent";
import { floorLongAbove, isAbove } from "../rows/mark";
import type { Limit } from "../terms/plan";
import { elapsed } from "../telling/progress";
import { aheadAtMost, earliest, learntAhead, namesZone } from "../rows/stamps";
import { tieOf, type Identifiers } from "../rows/tie";
import { endsTheWait } from "./trouble";
import { reachesDownTo, type MachineLog } from "./machine-log";
import type { Waiting } from "./wait";
import { without } from "../../plain/without";
import type { Words } from "../rows/words";

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
    | { readonly found: "out-of-time"; readonly limit: Limit };
  /** When the last read began that showed the list down to the mark. */
  readonly wholeLookAt?: number;
  /** How long that read took: on a busy panel it may be far down to the mark. */
  readonly wholeLookMs?: number;
  /** Set when the time had passed while a read was still under way that shows the list down to the mark: until when that is waited for. */
  readonly lastLookUntil?: number;
  /** When a row was last listed that had not been seen before. */
  readonly newRowAt?: number;
  /** Rows that were known when the machine's log was read, and that it reached down to: it has told whether they are the machine's. */
  readonly judgedByLog: readonly string[];
  /** Set when the time had passed and only the machine's log was still to tell whose these rows are. */
  readonly awaitingLog?: readonly string[];
  /** How far the panel's time is ahead of the time that this wait goes by, where the panel tells it. */
  readonly panelAheadMs?: number;
  /** How far the panel's time stamps run ahead of its clock, at least. */
  readonly stampsAheadMs?: number;
}

export interface LookBackRules {
  readonly intent: Intent;
  readonly words: Words;
  readonly adoptWindowMs: number;
  readonly identifiers: Identifiers;
  readonly isClaimed: (transactionId: string) => boolean;
  /** How far the runner's wall clock was ahead of the time that this wait goes by, when it began. */
  readonly wallAheadMs: number;
}

/** Time for the machine's log, which is read every half minute, to be asked about rows that only the last look has shown. */
const logGraceMs = 45_000;

/**
 * The POST of a run that was killed may still be on its way, and its transaction may be listed late, so
 * an empty list at first sight proves nothing: the whole time has to pass. What is found ends the wait at once.
 */
export function lookingBack(rules: LookBackRules): Waiting<LookingBack> {
  const { intent } = rules;
  const decide = (state: LookingBack, now: number): LookingBack => {
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
      stampsNow: now + (state.panelAheadMs ?? rules.wallAheadMs) + stampsAhead(state, intent.mark),
      intentAgeMs: intentAge(state, rules, now),
    });
    return decision.found === "nothing" ? { ...state, sighting } : { ...state, sighting, decision };
  };

  /**
   * Only a look that began after the time had passed, and saw everything, shows that nothing was posted: what an earlier look did
   * not see may have been listed since. Rows that do not say whose they are have to be judged by the machine's log.
   */
  const atTheEnd = (state: LookingBack): LookingBack => {
    const unjudged = (state.awaitingLog ?? state.sighting?.untold.flat().map((row) => row.id) ?? []).filter(
      (id) => !state.judgedByLog.includes(id),
    );
    if (state.awaitingLog === undefined && hasLookedInTheEnd(state)) {
      if (unjudged.length > 0) return { ...state, until: endOf(state) + logGraceMs, awaitingLog: unjudged };
      return { ...state, decision: { found: "nothing" } };
    }
    const isJudged = state.awaitingLog !== undefined && unjudged.length === 0;
    return { ...state, decision: isJudged ? { found: "nothing" } : { found: "out-of-time", limit: "listed" } };
  };

  return {
    step(state, event, now) {
      switch (event.type) {
        case "tick": {
          const { panelTime, readAt, wallTime } = event.head;
          const clock = panelTime ?? wallTime.getTime();
          const stampsAheadMs = learntAhead(state.stampsAheadMs, [...event.head.rows, ...event.rows], clock);
          const hasNews = event.rows.some((row) => !state.rows.some(({ id }) => id === row.id));
          const next = decide(
            {
              ...without(state, "lastTrouble"),
              rows: mergeRows(state.rows, event.rows),
              ...(hasNews && { newRowAt: now }),
              ...(event.reachedFloor && { wholeLookAt: readAt, wholeLookMs: now - readAt }),
              ...(panelTime !== undefined && { panelAheadMs: panelTime - now }),
              ...(stampsAheadMs !== undefined && { stampsAheadMs }),
            },
            now,
          );
          const isLast = next.lastLookUntil !== undefined && next.awaitingLog === undefined && hasLookedInTheEnd(next);
          return isLast && next.decision === undefined ? atTheEnd(next) : next;
        }
        case "machine-log": {
          const inMachineLog = [...new Set([...state.inMachineLog, ...event.transactionIds])];
          return decide(
            { ...state, inMachineLog, judgedByLog: [...state.judgedByLog, ...judgedBy(event, state)] },
            now,
          );
        }
        case "trouble":
          return endsTheWait(event)
            ? { ...state, decision: { found: "turned-away", error: event.error } }
            : { ...state, lastTrouble: event.error.message };
        case "limit":
          if (event.limit === "listed" && needsLonger(state)) {
            // What is under way, the rest that the panel is given after it, the look itself, and one more for good measure.
            return { ...state, lastLookUntil: now + 4 * (state.wholeLookMs ?? 0) };
          }
          return event.limit === "listed"
            ? atTheEnd(state)
            : { ...state, decision: { found: "out-of-time", limit: event.limit } };
        case "head":
        case "machine-log-trouble":
          return state;
      }
    },
    isOver: (state) => state.decision !== undefined,
    floor: () => floorLongAbove(intent.mark),
    wants: (_state, row) =>
      isAbove(row, intent.mark) && tieOf(row, intent.madeFor.virtualMachineId, rules.identifiers) !== "another's",
    urgency: () => "listing",
    deadline: (state) =>
      state.totalUntil !== undefined && state.totalUntil < endOf(state)
        ? { at: state.totalUntil, limit: "total" }
        : { at: endOf(state), limit: "listed" },
    asksMachineLog: (state) => (state.sighting?.untold.length ?? 0) > 0,
    topic: () => "looking back",
    describe: (state, now) =>
      `looking for a restore that an earlier run may have posted, ${elapsed(now - state.since)} of ` +
      `${elapsed(state.until - state.since)} (a shorter timeouts.listed shortens this)`,
  };
}

/** By the panel's clock where that tells: the clocks of two runners, or one that was set meanwhile, could make an old restore young. */
function intentAge({ panelAheadMs }: LookingBack, { intent, wallAheadMs }: LookBackRules, now: number): number {
  const byPanel = now + (panelAheadMs ?? Number.NaN) - Date.parse(intent.mark.takenAt ?? "");
  return Number.isNaN(byPanel) ? now + wallAheadMs - Date.parse(intent.madeAt) : byPanel;
}

/**
 * How far stamps run ahead, at most: an end must not look younger than it is. What stands above the mark was made after it, and on a
 * panel that was quiet since, that tells more than what the youngest stamp does.
 */
function stampsAhead({ rows, stampsAheadMs = 0 }: LookingBack, mark: Mark): number {
  const stamps = rows.map((row) => row.createdAt);
  const oldest = earliest(stamps);
  if (oldest === undefined || namesZone(oldest)) return stampsAheadMs;
  return Math.max(stampsAheadMs, aheadAtMost(stamps, Date.parse(mark.takenAt ?? "")) ?? stampsAheadMs);
}

function hasLookedInTheEnd({ wholeLookAt, until }: LookingBack): boolean {
  return wholeLookAt !== undefined && wholeLookAt >= until;
}

/** The mark of a restore that failed a week ago lies so far down that the last look takes longer than one request may. */
function needsLonger(state: LookingBack): boolean {
  const isReadable = state.wholeLookAt !== undefined && state.lastTrouble === undefined;
  return (
    isReadable && state.lastLookUntil === undefined && state.awaitingLog === undefined && !hasLookedInTheEnd(state)
  );
}

function endOf({ until, lastLookUntil }: LookingBack): number {
  return Math.max(until, lastLookUntil ?? until);
}

/** A log that was asked for before a row was known, or whose items are all younger, does not clear that row. */
function judgedBy(log: MachineLog, state: LookingBack): readonly string[] {
  if (state.newRowAt !== undefined && log.askedAt < state.newRowAt) return [];
  return state.rows
    .filter((row) => !state.judgedByLog.includes(row.id) && reachesDownTo(log, row))
    .map((row) => row.id);
}
