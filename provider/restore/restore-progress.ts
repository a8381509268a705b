import type { NewestPage } from "../feed/types";
import type { Mark } from "../inputs/intent";
import type { FinishedStatus } from "../inputs/record";
import type { Limit } from "../inputs/read-values";
import { type Chain, chainsOf, oldestFirst, type Row } from "../rows/chains";
import type { Candidates } from "../rows/match-transactions";
import type { Warning } from "./result";
import { nothingRead, type RowsAbove } from "./rows-above";

/** A restore that is or may be on the panel, and what was seen of it. Plain data. */
export type RestoreProgress = Underway | Ended;

export interface Underway extends Observed {
  readonly phase: "unlisted" | "queued" | "running";
  readonly end?: undefined;
}

export interface Ended extends Observed {
  readonly phase: "over";
  readonly end: ProgressEnd;
}

interface Observed extends RowsAbove {
  readonly posted: "accepted" | "unknown";
  /** When this phase began, by the clock that limits go by. */
  readonly since: number;
  readonly followedSince: number;
  /** When a job of the machine was last seen that may be the first part of this restore. */
  readonly partSeenAt: number;
  readonly search: Search;
  /** Those that are this restore or may be; of one that is known by its ids, its own, wherever they stand. */
  readonly above: readonly Row[];
  /** Rows that name no machine, met since something was taken. Only the closing read goes by them, so that a look costs no more with time. */
  readonly untold: readonly Row[];
  /** Which read met a row first, until something is taken. */
  readonly firstMetAt: ReadonlyMap<string, number>;
  /** The transactions taken for this restore, and their chains. */
  readonly ids: readonly string[];
  readonly chainIds: readonly string[];
  /** More of it was listed, or made, after it had been: still more may come. */
  readonly hasGrown: boolean;
  readonly candidates?: Candidates;
  readonly awaits: Awaits;
  /** Since then a part has failed or was cancelled, and nothing behind it has started. */
  readonly brokenOffSince?: number | undefined;
  /** How long the list could not be read while the restore was not listed. */
  readonly outageMs: number;
  /** True if the last read reached the transactions, or the mark. Absent before the first read. */
  readonly readFarEnough?: boolean;
  readonly newestPage?: NewestPage;
  readonly lastTrouble?: string;
  readonly warnings: readonly Warning[];
}

type Awaits =
  | { readonly what: "next read" }
  /** All that was taken has ended. The set closes with the first read that begins then or later and leaves no gap. */
  | { readonly what: "closing read"; readonly from: number }
  /** Rows of the last read name no machine, and the machine's log is read for them. `isClosed`: that read has closed the set. */
  | { readonly what: "log"; readonly since: number; readonly isClosed: boolean }
  /** A chain has come to light of which a look by ids has not heard. */
  | { readonly what: "rest of a chain" };

/** How the restore's transactions are found. */
export type Search =
  /** This run posted it: every chain above the mark that fits is the restore, and more may turn up while it runs. */
  | { readonly kind: "posted"; readonly mark: Mark; readonly mayQueue?: boolean }
  /** An earlier run posted it and never saw it listed. It is taken only if exactly one chain fits. */
  | { readonly kind: "unconfirmed"; readonly mark: Mark; readonly predecessorIds: readonly string[] }
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
  /** Several chains may be the unconfirmed restore. */
  | { readonly how: "several"; readonly chains: readonly Chain[] }
  /** The poll was to go no further, see `until`. */
  | { readonly how: "read-enough" };

/** The progress of a restore of which nothing was seen yet. */
export function newProgress(search: Search, now: number): Underway {
  return {
    phase: "unlisted",
    posted: "accepted",
    since: now,
    followedSince: now,
    partSeenAt: now,
    search,
    ...nothingRead,
    untold: [],
    firstMetAt: new Map(),
    ids: [],
    chainIds: [],
    hasGrown: false,
    awaits: { what: "next read" },
    outageMs: 0,
    warnings: [],
  };
}

/** True if none of its transactions was seen. */
export function hasSeenNothing(state: Pick<RestoreProgress, "above" | "ids">): boolean {
  return ownRows(state).length === 0;
}

/** The rows taken for this restore, as last seen. */
export function ownRows({ above, ids }: Pick<RestoreProgress, "above" | "ids">): readonly Row[] {
  return above.filter((row) => ids.includes(row.id));
}

/** The chains taken for this restore, as last seen, oldest first. */
export function ownChains({ above, ids }: Pick<RestoreProgress, "above" | "ids">): readonly Chain[] {
  return chainsOf(above)
    .filter((chain) => chain.some((row) => ids.includes(row.id)))
    .sort(([a], [b]) => oldestFirst(a, b));
}
