import type { Limit, Mark, RestoreTarget, Timeouts } from "../inputs/intent";
import type { FinishedStatus } from "../inputs/record";
import { without } from "../plain/plain";
import { type Chain, chainsOf, type Row, type Words } from "../rows/chains";
import type { Identifiers, Sighting } from "../rows/identify";
import type { AboveMark } from "../rows/mark";
import type { Warning } from "./result";

/** A restore that is on the panel, or may be, and what has been seen of it. Plain data. */
export type Follow = Underway | Over;

export interface Underway extends Seen {
  readonly phase: "unlisted" | "queued" | "running";
}

export interface Over extends Seen {
  readonly phase: "over";
  readonly end: FollowEnd;
}

interface Seen {
  readonly posted: "accepted" | "unknown";
  readonly totalUntil?: number;
  /** When this phase began, by the clock that waits go by. */
  readonly since: number;
  /** When following began. */
  readonly followedSince: number;
  readonly search: Search;
  readonly rows: readonly Row[];
  /** The transactions taken for this restore. */
  readonly ids: readonly string[];
  /** Chains that the transactions belong to, and rows that they wait for. */
  readonly chainIds: readonly string[];
  readonly waitsFor: readonly string[];
  /** Since when a part has not completed and nothing behind it begins. */
  readonly brokenSince?: number;
  /** Whether the last look got down to the transactions, or to the mark; absent before the first one. */
  readonly readDown?: boolean;
  readonly lastTrouble?: string;
  readonly warnings: readonly Warning[];
}

/** How the transactions of a restore are found. */
export type Search = Looking | Known;

/** Above a mark, by what rows and the machine's log say. While that goes on, a further one may turn up that may be it. */
export interface Looking {
  readonly kind: "looking";
  readonly mark: Mark;
  /** A later run must not take a restore of weeks after for the one it looks for. */
  readonly postedBy: "this run" | "an earlier run";
  /** How far the panel's time stamps run ahead of its clock, at least. */
  readonly stampsAheadMs?: number;
  /** What stands above the mark of an earlier run. */
  readonly aboveMark?: AboveMark;
  readonly inMachineLog: readonly string[];
  readonly sighting?: Sighting;
}

/** By their ids: no other one can turn up that might be it. */
export interface Known {
  readonly kind: "known";
  /**
   * Rows that belong to the known ones are asked for from the look after the one that showed what to ask for. Until a look has
   * shown nothing further, there may be parts that decide, so no end is believed.
   */
  readonly extent: "to be seen" | "whole";
}

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

export interface FollowRules {
  readonly target: RestoreTarget;
  readonly words: Words;
  readonly timeouts: Timeouts;
  readonly identifiers: Identifiers;
  readonly isClaimed: (transactionId: string) => boolean;
  /** Stands where another restore of the machine is looked for, which was posted later. */
  readonly isOfALater?: (row: Row, mark: Mark) => boolean;
  /** `ended`: to the end. `listed`: until its transactions are known. `look`: one look, whatever it shows. */
  readonly until: "ended" | "listed" | "look";
}

export function lookingAbove(mark: Mark, postedBy: Looking["postedBy"]): Looking {
  return { kind: "looking", mark, postedBy, inMachineLog: [] };
}

export const knownByIds: Known = { kind: "known", extent: "to be seen" };

/** A restore of which nothing has been seen yet. */
export function unseen(search: Search, now: number, totalUntil: number | undefined): Underway {
  return {
    phase: "unlisted",
    posted: "accepted",
    ...(totalUntil !== undefined && { totalUntil }),
    since: now,
    followedSince: now,
    search,
    rows: [],
    ids: [],
    chainIds: [],
    waitsFor: [],
    warnings: [],
  };
}

export function finish(state: Underway, end: FollowEnd): Over {
  return { ...state, phase: "over", end };
}

/** The same from now on, for somebody who wants to see more of it than the one before. */
export function reopened(state: Follow, now: number): Underway {
  return { ...(state.phase === "over" ? without(state, "end") : state), phase: "unlisted", since: now };
}

export function endOf(state: Follow): FollowEnd | undefined {
  return state.phase === "over" ? state.end : undefined;
}

/** What was taken for this restore turned out to be something else. */
export function isNotThis(state: Follow): boolean {
  const how = endOf(state)?.how;
  return how === "not-this-machine" || how === "not-this-point";
}

/** None of its transactions has been met. */
export function hasSeenNothing({ rows, ids }: Pick<Follow, "rows" | "ids">): boolean {
  return !rows.some((row) => ids.includes(row.id));
}

/** The chains taken for this restore, as last seen. */
export function takenChains({ rows, ids }: Pick<Follow, "rows" | "ids">): readonly Chain[] {
  return chainsOf(rows).filter((chain) => chain.some((row) => ids.includes(row.id)));
}
