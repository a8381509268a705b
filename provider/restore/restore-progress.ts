import type { NewestPage } from "../feed/types";
import type { Mark } from "../inputs/intent";
import type { FinishedStatus } from "../inputs/record";
import type { Limit } from "../inputs/read-values";
import { type Chain, chainsOf, type Row } from "../rows/chains";
import { type LaterAttempt, type LogFindings, noLogFindings, type Candidates } from "../rows/match-transactions";
import type { UnattributedRow } from "./machine-log";
import type { Warning } from "./result";

/** A restore that is or may be on the panel, and what was seen of it. Plain data. */
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
  /** When this phase began, by the clock that limits go by. */
  readonly since: number;
  readonly followedSince: number;
  /** When a job of the machine was last seen that may be the first part of this restore. */
  readonly partSeenAt: number;
  readonly search: Search;
  readonly rows: readonly Row[];
  /** Chains that had begun before the POST. */
  readonly olderChainIds: readonly string[];
  /** The transactions taken for this restore, and their chains. */
  readonly ids: readonly string[];
  readonly chainIds: readonly string[];
  readonly unattributed: readonly UnattributedRow[];
  readonly log: LogFindings;
  readonly candidates?: Candidates;
  /** A read showed all of them ended. A read that begins later decides if there are more. */
  readonly awaitsClosingRead: boolean;
  /** Since then a part has failed or was cancelled, and nothing behind it has started. */
  readonly brokenOffSince?: number;
  /** True if the last read reached the transactions, or the mark. Absent before the first read. */
  readonly readFarEnough?: boolean;
  readonly newestPage?: NewestPage;
  readonly lastTrouble?: string;
  readonly warnings: readonly Warning[];
}

/** How the restore's transactions are found. */
export type Search =
  /**
   * This run posted it: every chain above the mark that fits is the restore, and more may turn up while it runs. `later` is set if the mark
   * is that of an empty list: everything stands above that, but rows made before it were not posted by this run.
   */
  | { readonly kind: "posted"; readonly mark: Mark; readonly later?: LaterAttempt }
  /** An earlier run posted it and never saw it listed. It is taken only if exactly one chain fits. */
  | { readonly kind: "unconfirmed"; readonly mark: Mark; readonly later: LaterAttempt }
  /** The ids are known. */
  | { readonly kind: "known" };

/** Why the poll has ended. */
export type ProgressEnd =
  | { readonly how: "ended"; readonly status: FinishedStatus }
  /** Several chains may be the restore, and they ended differently. */
  | { readonly how: "differs" }
  | { readonly how: "limit"; readonly limit: Limit }
  /** The panel refused the credentials or the permission. */
  | { readonly how: "access-denied"; readonly error: Error }
  /** A transaction recorded as this restore now names another machine. */
  | { readonly how: "not-this-machine" }
  /** The same, with another recovery point. */
  | { readonly how: "not-this-point" }
  /** Several chains may be the unconfirmed restore. */
  | { readonly how: "several"; readonly chains: readonly Chain[] }
  /** The poll was to go no further, see `until`. */
  | { readonly how: "read-enough" };

/** The progress of a restore of which nothing was seen yet. */
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

/** True if the transaction taken for this restore turned out to be another one's. */
export function isAnotherRestore(state: RestoreProgress): boolean {
  const how = endOf(state)?.how;
  return how === "not-this-machine" || how === "not-this-point";
}

/** True if none of its transactions was seen. */
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
