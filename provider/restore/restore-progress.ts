import type { NewestPage } from "../feed/types";
import type { Mark } from "../inputs/intent";
import type { FinishedStatus } from "../inputs/record";
import type { Limit } from "../inputs/read-values";
import { type Chain, chainsOf, type Row } from "../rows/chains";
import { type LaterAttempt, type LogFindings, noLogFindings, type Candidates } from "../rows/match-transactions";
import type { UnattributedRow } from "./machine-log";
import type { Warning } from "./result";

/** A restore that is on the panel, or may be, and what has been seen of it. Plain data. */
export type RestoreProgress = Underway | Ended;

export interface Underway extends Observed {
  readonly phase: "unlisted" | "queued" | "running";
}

export interface Ended extends Observed {
  readonly phase: "over";
  readonly end: ProgressEnd;
}

interface Observed {
  readonly posted: "accepted" | "unknown";
  readonly totalUntil?: number;
  /** When this phase began, by the clock that waits go by. */
  readonly since: number;
  /** When following began, and when a job of the machine was last seen that may be the first part of this restore. */
  readonly followedSince: number;
  readonly partSeenAt: number;
  readonly search: Search;
  readonly rows: readonly Row[];
  /** Chains that had begun when it was posted. */
  readonly olderChainIds: readonly string[];
  /** The transactions taken for this restore, and the chains they belong to. */
  readonly ids: readonly string[];
  readonly chainIds: readonly string[];
  readonly unattributed: readonly UnattributedRow[];
  readonly log: LogFindings;
  readonly candidates?: Candidates;
  /** A read has shown all of them ended: one begun later decides whether there are more. */
  readonly awaitsClosingRead: boolean;
  /** Since when a part has not completed and nothing behind it begins. */
  readonly brokenOffSince?: number;
  /** Whether the last read got down to the transactions, or to the mark; absent before the first one. */
  readonly readFarEnough?: boolean;
  readonly newestPage?: NewestPage;
  readonly lastTrouble?: string;
  readonly warnings: readonly Warning[];
}

/** How the transactions of a restore are found. */
export type Search =
  /**
   * This run has posted it: what fits above the mark is it, and as long as it runs a further one may turn up. `later` where the mark is that
   * of an empty list: everything stands above it, so what was made before it was not posted by this run, and the list was not empty.
   */
  | { readonly kind: "posted"; readonly mark: Mark; readonly later?: LaterAttempt }
  /** An earlier run has posted it and not seen it listed: only one that fits is it. */
  | { readonly kind: "unconfirmed"; readonly mark: Mark; readonly later: LaterAttempt }
  /** By their ids. */
  | { readonly kind: "known" };

/** Why following has come to an end. */
export type ProgressEnd =
  | { readonly how: "ended"; readonly status: FinishedStatus }
  /** Chains that may each be it have ended differently. */
  | { readonly how: "differs" }
  | { readonly how: "limit"; readonly limit: Limit }
  /** Credentials or permission refused. */
  | { readonly how: "access-denied"; readonly error: Error }
  /** A row that was recorded as this restore is tied to another machine. */
  | { readonly how: "not-this-machine" }
  /** It names another recovery point. */
  | { readonly how: "not-this-point" }
  /** An unaccounted restore may be each of these. */
  | { readonly how: "several"; readonly chains: readonly Chain[] }
  /** Looked at once, as was wanted. */
  | { readonly how: "read-enough" };

/** A restore of which nothing has been seen yet. */
export function newProgress(search: Search, now: number, totalUntil: number | undefined): Underway {
  return {
    phase: "unlisted",
    posted: "accepted",
    ...(totalUntil !== undefined && { totalUntil }),
    since: now,
    followedSince: now,
    partSeenAt: now,
    search,
    rows: [],
    olderChainIds: [],
    ids: [],
    chainIds: [],
    unattributed: [],
    log: noLogFindings,
    awaitsClosingRead: false,
    warnings: [],
  };
}

export function endOf(state: RestoreProgress): ProgressEnd | undefined {
  return state.phase === "over" ? state.end : undefined;
}

/** What was taken for this restore turned out to be something else. */
export function isAnotherRestore(state: RestoreProgress): boolean {
  const how = endOf(state)?.how;
  return how === "not-this-machine" || how === "not-this-point";
}

/** None of its transactions has been met. */
export function hasSeenNothing(state: Pick<RestoreProgress, "rows" | "ids">): boolean {
  return ownRows(state).length === 0;
}

/** The rows taken for this restore, as last seen. */
export function ownRows({ rows, ids }: Pick<RestoreProgress, "rows" | "ids">): readonly Row[] {
  return rows.filter((row) => ids.includes(row.id));
}

/** The chains taken for this restore, as last seen. */
export function ownChains({ rows, ids }: Pick<RestoreProgress, "rows" | "ids">): readonly Chain[] {
  return chainsOf(rows).filter((chain) => chain.some((row) => ids.includes(row.id)));
}
