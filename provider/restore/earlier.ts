import type { Intent, Mark, RestoreTarget } from "../inputs/intent";
import { namesZone } from "../plain/clock";
import { without } from "../plain/plain";
import { mergeRows, type Words } from "../rows/chains";
import { decideEarlier, type Earlier, type Identifiers, identify, type Sighting, tieOf } from "../rows/identify";
import { aheadAtMost, earliest, floorLongAbove, isAbove, learntAhead } from "../rows/mark";
import { type Span, withoutOthers } from "../rows/of-others";
import { type LookBackEnd, type LookedBack, type LookingBack, stageUntil } from "./look-back";
import { reachesDownTo } from "./machine-log";
import { endsTheWait, type MachineLog, type WaitEvent, type Waiting } from "./waiting";

export interface LookBackRules {
  /** What is restored, spelt as it is asked for now: the intent may be of a state that spells an id in another way. */
  readonly target: RestoreTarget;
  readonly intent: Intent;
  readonly words: Words;
  readonly adoptWindowMs: number;
  readonly identifiers: Identifiers;
  readonly isClaimed: (transactionId: string) => boolean;
  /** When transactions were made that are those of other restores of this machine. */
  readonly madeForOthers: readonly Span[];
  /** How far the runner's wall clock was ahead of the time that this wait goes by, when it began. */
  readonly wallAheadMs: number;
}

/** Time for the machine's log to be asked about rows that only the last look has shown: by then it is read every half minute. */
const logGraceMs = 45_000;

/**
 * The POST of a run that was killed may still be on its way, and its transaction may be listed late, so
 * an empty list at first sight proves nothing: the whole time has to pass. What is found ends the wait at once.
 */
export function lookingBack(rules: LookBackRules): Waiting<LookingBack> {
  const { intent } = rules;
  /** The same stage with what is known now, unless that decides. */
  const look = (state: Undecided, seen: LookedBack, now: number): LookingBack => {
    const sighting = identify(seen.rows, {
      target: rules.target,
      words: rules.words,
      identifiers: rules.identifiers,
      inMachineLog: new Set(seen.inMachineLog),
      isClaimed: rules.isClaimed,
    });
    // Spans are of the panel's clock.
    const spans = seen.panelAheadMs === undefined ? [] : rules.madeForOthers;
    const judge = (candidates: Sighting["candidates"]): Earlier =>
      decideEarlier(
        { ...sighting, candidates },
        {
          words: rules.words,
          adoptWindowMs: rules.adoptWindowMs,
          stampsNow: now + (seen.panelAheadMs ?? rules.wallAheadMs) + stampsAhead(seen, intent.mark),
          intentAgeMs: intentAge(seen, rules, now),
        },
      );
    const earlier = judge(withoutOthers(sighting.candidates, spans, stampsAhead(seen, intent.mark)));
    const leftToOthers = earlier.found === "nothing" ? idsOf(judge(sighting.candidates)) : [];
    const next = { ...state, seen: { ...seen, sighting, leftToOthers } };
    return earlier.found === "nothing" ? next : decided(next.seen, earlier);
  };

  const step = (state: Undecided, event: WaitEvent, now: number): LookingBack => {
    switch (event.type) {
      case "tick": {
        const next = look(state, withTick(state.seen, event, intent.mark, now), now);
        return next.phase === "last look" && hasLookedInTheEnd(next.seen) ? timePassed(next) : next;
      }
      case "machine-log": {
        const { seen } = state;
        const inMachineLog = [...new Set([...seen.inMachineLog, ...event.transactionIds])];
        return look(
          state,
          { ...seen, inMachineLog, judgedByLog: [...seen.judgedByLog, ...judgedBy(event, seen)] },
          now,
        );
      }
      case "trouble":
        return endsTheWait(event)
          ? decided(state.seen, { found: "turned-away", error: event.error })
          : { ...state, seen: { ...state.seen, lastTrouble: event.error.message } };
      case "limit":
        if (event.limit !== "listed") {
          return decided(state.seen, { found: "out-of-time", limit: event.limit, unjudged: [] });
        }
        return state.phase === "watching" && needsLonger(state.seen)
          ? // What is under way, the rest that the panel is given after it, the look itself, and one more for good measure.
            { phase: "last look", seen: state.seen, lookUntil: now + 4 * (state.seen.whole?.tookMs ?? 0) }
          : timePassed(state);
      case "head":
      case "machine-log-trouble":
        return state;
    }
  };

  return {
    step: (state, event, now) => (state.phase === "decided" ? state : step(state, event, now)),
    isOver: (state) => state.phase === "decided",
    floor: () => floorLongAbove(intent.mark),
    wants: (_state, row) =>
      isAbove(row, intent.mark) && tieOf(row, rules.target.virtualMachineId, rules.identifiers) !== "another's",
    urgency: () => "listing",
    deadline(state) {
      const at = stageUntil(state);
      const { totalUntil } = state.seen;
      return totalUntil !== undefined && totalUntil < at ? { at: totalUntil, limit: "total" } : { at, limit: "listed" };
    },
    asksMachineLog: ({ seen }) => (seen.sighting?.untold.length ?? 0) > 0,
  };
}

type Undecided = Exclude<LookingBack, { readonly phase: "decided" }>;

function idsOf(earlier: Earlier): readonly string[] {
  return earlier.found === "nothing" ? [] : earlier.chains.flat().map(({ id }) => id);
}

function decided(seen: LookedBack, decision: LookBackEnd): LookingBack {
  return { phase: "decided", seen, decision };
}

function withTick(seen: LookedBack, event: Extract<WaitEvent, { type: "tick" }>, mark: Mark, now: number): LookedBack {
  const { panelTime, readAt, wallTime } = event.head;
  const clock = panelTime ?? wallTime.getTime();
  const stampsAheadMs = learntAhead(seen.stampsAheadMs, [...event.head.rows, ...event.rows], clock);
  const hasNews = event.rows.some((row) => !seen.rows.some(({ id }) => id === row.id));
  return {
    ...without(seen, "lastTrouble"),
    rows: mergeRows(seen.rows, event.rows),
    ...(hasNews && { newRowAt: now }),
    ...(isEmptied(event, mark)
      ? { lastTrouble: "the panel's list is empty, and showed transactions when the intent was made" }
      : event.reachedFloor && { whole: { readAt, tookMs: now - readAt } }),
    ...(panelTime !== undefined && { panelAheadMs: panelTime - now }),
    ...(stampsAheadMs !== undefined && { stampsAheadMs }),
  };
}

/**
 * Where the mark was of a list with transactions, an empty one does not tell that nothing was posted since. Whoever may not see them any
 * more, or asks a panel that has lost them, is shown the same.
 */
function isEmptied({ head }: Extract<WaitEvent, { type: "tick" }>, mark: Mark): boolean {
  return head.rows.length === 0 && mark.newestId !== undefined;
}

/**
 * Only a look that began after the time had passed, and saw everything, shows that nothing was posted: what an earlier look did
 * not see may have been listed since. Rows that do not say whose they are have to be judged by the machine's log.
 */
function timePassed(state: Undecided): LookingBack {
  const { seen } = state;
  const isAwaitingLog = state.phase === "awaiting the log";
  const untold = isAwaitingLog ? state.untold : (seen.sighting?.untold.flat().map((row) => row.id) ?? []);
  const unjudged = untold.filter((id) => !seen.judgedByLog.includes(id));
  if (isAwaitingLog ? unjudged.length === 0 : hasLookedInTheEnd(seen) && unjudged.length === 0) {
    // When it was made is no proof: where the other one was never carried out, it may be this one's after all.
    return decided(
      seen,
      seen.leftToOthers.length > 0 ? { found: "another's", transactionIds: seen.leftToOthers } : { found: "nothing" },
    );
  }
  if (!isAwaitingLog && hasLookedInTheEnd(seen)) {
    return { phase: "awaiting the log", seen, logUntil: stageUntil(state) + logGraceMs, untold: unjudged };
  }
  return decided(seen, { found: "out-of-time", limit: "listed", unjudged: isAwaitingLog ? unjudged : [] });
}

/** By the panel's clock where that tells: the clocks of two runners, or one that was set meanwhile, could make an old restore young. */
function intentAge({ panelAheadMs }: LookedBack, { intent, wallAheadMs }: LookBackRules, now: number): number {
  const byPanel = now + (panelAheadMs ?? Number.NaN) - Date.parse(intent.mark.takenAt ?? "");
  return Number.isNaN(byPanel) ? now + wallAheadMs - Date.parse(intent.madeAt) : byPanel;
}

/**
 * How far stamps run ahead, at most: an end must not look younger than it is. What stands above the mark was made after it, and on a
 * panel that was quiet since, that tells more than what the youngest stamp does.
 */
function stampsAhead({ rows, stampsAheadMs = 0 }: LookedBack, mark: Mark): number {
  const stamps = rows.map((row) => row.createdAt);
  const oldest = earliest(stamps);
  if (oldest === undefined || namesZone(oldest)) return stampsAheadMs;
  return Math.max(stampsAheadMs, aheadAtMost(stamps, Date.parse(mark.takenAt ?? "")) ?? stampsAheadMs);
}

function hasLookedInTheEnd({ whole, until }: LookedBack): boolean {
  return whole !== undefined && whole.readAt >= until;
}

/** The mark of a restore that failed a week ago lies so far down that the last look takes longer than one request may. */
function needsLonger(seen: LookedBack): boolean {
  return seen.whole !== undefined && seen.lastTrouble === undefined && !hasLookedInTheEnd(seen);
}

/** A log that was asked for before a row was known, or whose items are all younger, does not clear that row. */
function judgedBy(log: MachineLog, seen: LookedBack): readonly string[] {
  if (seen.newRowAt !== undefined && log.askedAt < seen.newRowAt) return [];
  return seen.rows.filter((row) => !seen.judgedByLog.includes(row.id) && reachesDownTo(log, row)).map((row) => row.id);
}
