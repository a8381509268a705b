import type { Floor, Head } from "../../feed/watching";
import type { Transaction } from "../../panel/terms/types";
import { chainsOf, mergeRows, type Chain, type Row } from "../rows/row-chains";
import { identify, namesAnotherPoint, type IdentifyContext, type Sighting } from "../rows/identify";
import type { Mark, RestoreTarget } from "../terms/intent";
import { floorAbove, floorLongAbove, isAbove, markedAt, seenAbove, type AboveMark, type MarkedAt } from "../rows/mark";
import type { Limit, Timeouts } from "../terms/restore-plan";
import { unheardOf, verdictOf, type Outcome } from "../rows/standing";
import { learntAhead } from "../rows/stamps";
import { tieOf, type Identifiers } from "../rows/tie";
import { endsTheWait } from "./trouble";
import type { Deadline } from "./deadline";
import type { WaitEvent, Waiting } from "./waiting";
import type { FinishedStatus } from "../terms/record";
import { without } from "../../plain/without";
import type { Words } from "../rows/row-words";

/** Why following has come to an end. */
export type FollowEnd =
  | { readonly how: "ended"; readonly standing: FinishedStatus }
  /** Chains that nothing tells apart have ended differently. */
  | { readonly how: "differs" }
  | { readonly how: "limit"; readonly limit: Limit }
  /** Credentials or permission refused. */
  | { readonly how: "turned-away"; readonly error: Error }
  /** A row that was recorded as this restore is tied to another machine. */
  | { readonly how: "not-this-machine" }
  /** It names another recovery point. */
  | { readonly how: "not-this-point" }
  /** As far as this wait was to go: listed, or looked at once. */
  | { readonly how: "seen" };

/** What was taken for this restore turned out to be something else. */
export function isNotThis(end: FollowEnd | undefined): boolean {
  return end?.how === "not-this-machine" || end?.how === "not-this-point";
}

/** A restore that is on the panel, or may be: what has been seen of it. Plain data. */
export interface Follow {
  readonly phase: "looking" | "queued" | "running" | "over";
  /** Above it the transaction appears; absent when the transactions are known, and no other one can turn up that might be it. */
  readonly mark?: Mark;
  /** An earlier run has posted it: a later one must not take a restore of weeks after for the one it looks for. */
  readonly postedEarlier?: true;
  /** How far the panel's time stamps run ahead of its clock, at least. */
  readonly stampsAheadMs?: number;
  /** What stands above the mark of an earlier run. */
  readonly aboveMark?: AboveMark;
  readonly posted: "accepted" | "unknown";
  readonly totalUntil?: number;
  /** When this phase began, by the runner's clock. */
  readonly since: number;
  readonly lookingSince: number;
  readonly rows: readonly Row[];
  /** The transactions taken for this restore. */
  readonly ids: readonly string[];
  /** Chains that the transactions belong to, and rows that they wait for. */
  readonly chainIds: readonly string[];
  readonly waitsFor: readonly string[];
  /**
   * Without a mark, rows that belong to the known ones are asked for from the look after the one that showed what to ask for. Until a
   * look has shown nothing further, there may be parts that decide, so no end is believed.
   */
  readonly extent: "to be seen" | "whole";
  /** Since when a part has not completed and nothing behind it begins. */
  readonly brokenSince?: number;
  readonly inMachineLog: readonly string[];
  readonly lastSighting?: Sighting;
  /** Whether the last look got down to the transactions, or to the mark; absent before the first one. */
  readonly readDown?: boolean;
  readonly lastTrouble?: string;
  readonly warnings: readonly string[];
  readonly end?: FollowEnd;
}

export interface FollowRules {
  readonly target: RestoreTarget;
  readonly words: Words;
  readonly timeouts: Timeouts;
  readonly identifiers: Identifiers;
  readonly isClaimed: (transactionId: string) => boolean;
  /** `ended`: to the end. `listed`: until its transactions are known. `look`: one look, whatever it shows. */
  readonly until: "ended" | "listed" | "look";
}

/** A restore of which nothing has been seen yet. */
export function lookingFrom(now: number, totalUntil: number | undefined): Follow {
  return {
    phase: "looking",
    posted: "accepted",
    ...(totalUntil !== undefined && { totalUntil }),
    since: now,
    lookingSince: now,
    rows: [],
    ids: [],
    chainIds: [],
    waitsFor: [],
    extent: "to be seen",
    inMachineLog: [],
    warnings: [],
  };
}

/** From the POST (or from a record of it) to the end: looked for, queued, running, over. */
export function following(rules: FollowRules): Waiting<Follow> {
  return {
    step: (state, event, now) => step(state, event, now, rules),
    isOver: (state) => state.phase === "over",
    floor: floorOf,
    wants: (state, row) => wants(state, row, rules),
    urgency: (state) => (state.phase === "looking" || state.extent !== "whole" ? "listing" : "young"),
    deadline: (state) => deadlineOf(state, rules),
    asksMachineLog,
  };
}

/** The chains taken for this restore, as last seen. */
export function takenChains(state: Pick<Follow, "rows" | "ids">): readonly Chain[] {
  return chainsOf(state.rows).filter((chain) => chain.some((row) => state.ids.includes(row.id)));
}

function step(state: Follow, event: WaitEvent, now: number, rules: FollowRules): Follow {
  switch (event.type) {
    case "tick": {
      const rows = mergeRows(state.rows, event.rows);
      const heard = withStamps({ ...state, readDown: event.reachedFloor }, event.head, rows);
      const seen = look({ ...without(heard, "lastTrouble"), rows }, now, rules);
      const hasSeenAll = event.reachedFloor && !asksMachineLog(seen) && seen.extent === "whole";
      return rules.until === "look" && hasSeenAll ? lookedOnce(seen) : seen;
    }
    case "machine-log": {
      // An answer that comes late changes nothing about transactions that are known, and shows no further rows of them.
      if (state.mark === undefined) return state;
      const inMachineLog = [...new Set([...state.inMachineLog, ...event.transactionIds])];
      const seen = look({ ...state, inMachineLog }, now, rules);
      return rules.until === "look" ? lookedOnce(seen) : seen;
    }
    case "trouble":
      return endsTheWait(event)
        ? finish(state, { how: "turned-away", error: event.error })
        : { ...state, lastTrouble: event.error.message };
    case "limit": {
      const broken = state.brokenSince === undefined ? undefined : brokenEnd(state, rules);
      return finish(state, broken ?? { how: "limit", limit: event.limit });
    }
    case "head":
    case "machine-log-trouble":
      return state;
  }
}

/** How it ends when what has not begun never does. */
function brokenEnd(state: Follow, { words }: FollowRules): FollowEnd | undefined {
  const verdict = verdictOf(takenChains(state), words);
  return verdict.ended || verdict.broken === undefined ? undefined : endOf(verdict.broken);
}

function endOf({ standing }: Outcome): FollowEnd {
  return standing === "differs" ? { how: "differs" } : { how: "ended", standing };
}

function asksMachineLog(state: Follow): boolean {
  return state.mark !== undefined && (state.lastSighting?.untold.length ?? 0) > 0;
}

function lookedOnce(state: Follow): Follow {
  return state.phase === "over" ? state : finish(state, { how: "seen" });
}

/** What the rows known now say. */
function look(state: Follow, now: number, rules: FollowRules): Follow {
  const sighting = state.mark ? identify(state.rows, contextOf(state, rules)) : undefined;
  const found = withCandidates(sighting ? { ...state, lastSighting: sighting } : state, sighting);
  const chains = takenChains(found);
  if (chains.length === 0) return { ...found, extent: "whole" };

  const machine = rules.target.virtualMachineId;
  if (chains.some((chain) => chain.every((row) => tieOf(row, machine, rules.identifiers) === "another's"))) {
    return finish(found, { how: "not-this-machine" });
  }
  if (chains.some((chain) => namesAnotherPoint(chain, rules.target))) return finish(found, { how: "not-this-point" });
  const taken = withParts(settledOn(found, chains, now, rules), chains, state, rules);
  const isWhole = taken.extent === "whole";
  const verdict = verdictOf(chains, rules.words);
  if (verdict.ended && isWhole) return finish(taken, endOf(verdict));
  const phase: Follow["phase"] = verdict.standing === "running" || taken.phase === "running" ? "running" : "queued";
  const moved: Follow = phase === taken.phase ? taken : { ...taken, phase, since: now };
  if (rules.until === "listed" && isWhole) return finish(moved, { how: "seen" });
  if (verdict.ended || !isWhole || verdict.broken === undefined) return without(moved, "brokenSince");
  const brokenSince = state.brokenSince ?? now;
  return now - brokenSince < restOfChainMs ? { ...moved, brokenSince } : finish(moved, endOf(verdict.broken));
}

/**
 * Once a part has failed, the whole has: how much time the panel is given to end what has not begun behind it. Most cancel it at
 * once, some leave it pending for ever.
 */
export const restOfChainMs = 60_000;

/** What was taken with all that is known to belong to it, and whether the look that showed it had asked for all of that. */
function withParts(found: Follow, chains: readonly Chain[], before: Follow, rules: FollowRules): Follow {
  const rows = chains.flat();
  const ids = rows.map((row) => row.id);
  const chainIds = [...new Set(rows.flatMap((row) => row.chainId ?? []))];
  const waitsFor = [...new Set(rows.flatMap((row) => row.dependentTransactionId ?? []))].filter(
    (id) => !ids.includes(id),
  );
  const asked = [...before.ids, ...before.waitsFor];
  const hasAskedForAll = sameIds(chainIds, before.chainIds) && [...ids, ...waitsFor].every((id) => asked.includes(id));
  return {
    ...found,
    ids: sameIds(ids, found.ids) ? found.ids : ids,
    chainIds,
    waitsFor,
    // Above a mark every row of the machine is looked at.
    extent: before.mark || hasAskedForAll ? "whole" : "to be seen",
    warnings: addWarnings(found.warnings, chains, rules.words),
  };
}

/**
 * Takes the candidates for ours. While one may still be listed, a further restore of the machine that nothing tells apart from
 * ours is waited for too: on a panel that lists late, the one seen first need not be ours.
 */
function withCandidates(state: Follow, sighting: Sighting | undefined): Follow {
  const fresh = (sighting?.candidates ?? []).filter((chain) => !chain.some((row) => state.ids.includes(row.id)));
  if (fresh.length === 0) return state;
  const ids = [...state.ids, ...fresh.flatMap((chain) => chain.map((row) => row.id))];
  const ambiguous = state.ids.length > 0 || fresh.length > 1;
  const warnings = ambiguous ? [...withoutAmbiguity(state.warnings), ambiguity(ids)] : state.warnings;
  const doubted = fresh.filter((chain) => isFromLater(chain, state));
  return { ...state, ids, warnings: doubted.length === 0 ? warnings : [...warnings, foundLater(doubted)] };
}

/** Once none can be listed late any more, what was taken is all there is, and nobody else's rows are looked at. */
function settledOn(state: Follow, chains: readonly Chain[], now: number, rules: FollowRules): Follow {
  if (!state.mark || now - state.lookingSince <= rules.timeouts.listedMs) return state;
  return { ...without(state, "mark", "lastSighting"), rows: chains.flat() };
}

function withStamps(state: Follow, head: Head, rows: readonly Row[]): Follow {
  const stampsAheadMs = learntAhead(
    state.stampsAheadMs,
    [...head.rows, ...rows],
    head.panelTime ?? head.wallTime.getTime(),
  );
  return {
    ...state,
    ...(stampsAheadMs !== undefined && { stampsAheadMs }),
    ...(state.postedEarlier && state.mark && { aboveMark: seenAbove(state.aboveMark, state.mark, head.rows, rows) }),
  };
}

/** The panel makes a transaction while it handles the POST. What a later run finds and was made after that may be somebody else's. */
function isFromLater(chain: Chain, state: Follow): boolean {
  if (!state.postedEarlier) return false;
  const posted = postedAt(state);
  if (posted?.told !== "exactly") return true;
  return !chain.some((row) => Date.parse(row.createdAt ?? "") <= posted.at + handledWithinMs);
}

const handledWithinMs = 60_000;

/** Far longer than a panel takes, so that a quiet night before the mark, or clocks that do not agree, hide no restore. */
const madeWithinMs = 6 * 3_600_000;

/** When an earlier run posted it, on the panel's stamps. */
function postedAt({ mark, stampsAheadMs, aboveMark }: Follow): MarkedAt | undefined {
  return mark && aboveMark && markedAt(mark, stampsAheadMs, aboveMark);
}

function foundLater(chains: readonly Chain[]): string {
  const rows = chains
    .flat()
    .map((row) => `${row.id} (${row.action ?? "no action given"}, made ${row.createdAt ?? "at a time not told"})`);
  return `a run before this one posted the restore and did not see it listed; transaction ${rows.join(", ")} has appeared since and is taken for it`;
}

const ambiguityStart = "nothing tells these transactions apart:";

function ambiguity(ids: readonly string[]): string {
  return `${ambiguityStart} ${ids.join(", ")} may each be this restore, so all of them are waited for`;
}

function withoutAmbiguity(warnings: readonly string[]): readonly string[] {
  return warnings.filter((warning) => !warning.startsWith(ambiguityStart));
}

function addWarnings(warnings: readonly string[], chains: readonly Chain[], words: Words): readonly string[] {
  const all = new Set(warnings);
  for (const chain of chains) {
    for (const word of unheardOf(chain, words)) {
      all.add(
        `the panel's status "${word}" is neither a success nor a failure known here, so the restore counts as ` +
          "unfinished; classify the word with recovery:completeStatuses or recovery:failedStatuses",
      );
    }
  }
  return [...all];
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}

function finish(state: Follow, end: FollowEnd): Follow {
  return { ...state, phase: "over", end };
}

function contextOf(state: Follow, rules: FollowRules): IdentifyContext {
  const posted = postedAt(state);
  return {
    target: rules.target,
    words: rules.words,
    identifiers: rules.identifiers,
    inMachineLog: new Set(state.inMachineLog),
    isClaimed: rules.isClaimed,
    ...(posted !== undefined && { madeBefore: posted.at + madeWithinMs }),
  };
}

function deadlineOf(state: Follow, rules: FollowRules): Deadline | undefined {
  const own: Deadline | undefined =
    state.phase === "looking"
      ? { at: state.since + rules.timeouts.listedMs, limit: "listed" }
      : state.phase === "queued"
        ? { at: state.since + rules.timeouts.queueMs, limit: "queue" }
        : state.phase === "running"
          ? { at: state.since + rules.timeouts.runMs, limit: "run" }
          : undefined;
  if (state.totalUntil === undefined || (own && own.at <= state.totalUntil)) return own;
  return state.phase === "over" ? undefined : { at: state.totalUntil, limit: "total" };
}

function floorOf({ ids, waitsFor, extent, mark, postedEarlier }: Follow): Floor {
  const above = mark && (postedEarlier ? floorLongAbove(mark) : floorAbove(mark));
  if (above) return { ...above, ...(ids.length > 0 && { ids: ids as readonly Transaction["id"][] }) };
  if (extent === "whole") return { ids: ids as readonly Transaction["id"][] };
  // The panel makes the rows of a chain at once, so those that nothing names lie close to a known one.
  return { ids: [...ids, ...waitsFor] as readonly string[] as readonly Transaction["id"][], around: true };
}

function wants(state: Follow, row: Transaction, rules: FollowRules): boolean {
  if (state.ids.includes(row.id) || state.waitsFor.includes(row.id)) return true;
  if (row.dependentTransactionId !== undefined && state.ids.includes(row.dependentTransactionId)) return true;
  if (row.chainId !== undefined && state.chainIds.includes(row.chainId)) return true;
  // A list sorted by change may show a part before the one that links it to a known row, and no later look comes by it again.
  if (!state.mark) return state.extent === "to be seen" && (row.chainId ?? row.dependentTransactionId) !== undefined;
  if (!isAbove(row, state.mark)) return false;
  return tieOf(row, rules.target.virtualMachineId, rules.identifiers) !== "another's";
}
