import type { NewestPage } from "../feed/types";
import type { Mark, RestoreTarget } from "../inputs/intent";
import type { Limit } from "../inputs/read-values";
import type { Clock } from "../plain/clock";
import type { Chain, Row } from "../rows/chains";
import type { ConfiguredWords } from "../rows/words";
import {
  type SuspectChain,
  type LaterAttempt,
  type LogFindings,
  noLogFindings,
  type Candidates,
} from "../rows/match-transactions";
import type { whyPageUnusable } from "../rows/mark";
import type { UnattributedRow } from "./machine-log";

/**
 * The state of the one wait before a POST. It ends when one read shows that nothing of this restore is on the panel yet and that the
 * machine is free, or with a question to a person. Plain data.
 */
export interface BeforePostState {
  readonly since: number;
  readonly totalUntil?: number;
  /** Rows above the mark, and rows below it that keep the machine busy. */
  readonly rows: readonly Row[];
  readonly above: readonly Row[];
  readonly olderChainIds: readonly string[];
  /** Since then nothing was seen that may be this restore or its first part. */
  readonly quietSince: number;
  readonly unattributed: readonly UnattributedRow[];
  readonly log: LogFindings;
  /** The `quietSince` for which the log was read once more: it may name a transaction later than the list shows it. */
  readonly logAskedAgain?: number;
  readonly logTrouble?: string;
  readonly candidates?: Candidates;
  readonly blockers: readonly Chain[];
  /** The id of the newest row in the last read that showed everything above the mark. */
  readonly readDownFrom?: string;
  /** Kept because it may decide later, once the machine's log has told whose its rows are. */
  readonly lastRead?: LastRead;
  /** Unusable pages in a row. */
  readonly unusablePages: number;
  /** Everything allows the POST, but the last read is too old. */
  readonly awaitsNewestPage: boolean;
  readonly lastTrouble?: string;
  readonly end?: BeforePostEnd;
}

interface LastRead {
  readonly newestPage: NewestPage;
  /** The read showed everything above the mark. */
  readonly reachedMark: boolean;
}

export type BeforePostEnd =
  /** `newestPage` was read a moment ago and showed the machine free. It becomes the mark of the POST that follows at once. */
  | { readonly how: "clear"; readonly newestPage: NewestPage }
  /** An earlier run's POST, taken instead of posting. `ageMs`: the time since it ended, or at most since it was requested. */
  | { readonly how: "found"; readonly chain: Chain; readonly ageMs: number | undefined }
  | { readonly how: "question"; readonly question: Question }
  | { readonly how: "busy" }
  | { readonly how: "limit"; readonly limit: Limit }
  | { readonly how: "access-denied"; readonly error: Error };

/** A question to a person: the answer is not known for certain, and is not guessed. */
export type Question =
  | { readonly about: "several"; readonly chains: readonly Chain[] }
  | { readonly about: "complete for long"; readonly chain: Chain; readonly ageMs: number | undefined }
  | { readonly about: "suspect"; readonly suspect: readonly SuspectChain[] }
  /** They may be the first part of the restore, and did not end within the limit. */
  | { readonly about: "unfinished"; readonly chains: readonly Chain[] }
  /** They may be the first part of the restore, and a person cancelled them. */
  | { readonly about: "cancelled"; readonly chains: readonly Chain[] }
  | { readonly about: "whose"; readonly rows: readonly Row[]; readonly trouble: string }
  | { readonly about: "unusable page"; readonly why: NonNullable<ReturnType<typeof whyPageUnusable>> };

export interface BeforePostRules {
  readonly target: RestoreTarget;
  readonly mark: Mark;
  readonly words: ConfiguredWords;
  readonly busyMs: number;
  readonly listedMs: number;
  readonly requestTimeoutMs: number;
  readonly adoptWindowMs: number;
  /** Passes over an earlier try that failed. If false, such a try is this restore, as a stored one is. */
  readonly retryFailed: boolean;
  readonly isClaimed: (transactionId: string) => boolean;
  /** Set if an earlier run may have posted the restore. */
  readonly later: LaterAttempt | undefined;
  /** `clear`: wait until the machine is free. `one read`: end with `busy` if one read shows that it is not. */
  readonly until: "clear" | "one read";
}

export function initialBeforePost(since: number, totalUntil: number | undefined): BeforePostState {
  return {
    since,
    ...(totalUntil !== undefined && { totalUntil }),
    rows: [],
    above: [],
    olderChainIds: [],
    quietSince: since,
    unattributed: [],
    log: noLogFindings,
    blockers: [],
    unusablePages: 0,
    awaitsNewestPage: false,
  };
}

/** The quiet time before a later attempt is posted: an earlier request may be under way, and listed, that late. */
export function quietMs(rules: Pick<BeforePostRules, "requestTimeoutMs" | "listedMs">): number {
  return rules.requestTimeoutMs + rules.listedMs;
}

/**
 * How long a page may decide about a POST after it was read. In between, at most the engine is asked if it still runs, which takes two
 * seconds at most.
 */
const freshForMs = 3_000;

export function isFresh(newestPage: NewestPage, now: number): boolean {
  return now - newestPage.answeredAt <= freshForMs;
}

/**
 * The same, right before the POST. The clock that limits go by stands still while the runner is suspended: only the wall clock shows that
 * hours passed. If the wall clock was set meanwhile, the page is read once more than needed.
 */
export function isFreshForPost(newestPage: NewestPage, clock: Clock): boolean {
  const now = clock.now();
  const heldUpMs = clock.wallTime().getTime() - newestPage.wallTime.getTime() - (now - newestPage.readAt);
  return isFresh(newestPage, now) && Math.abs(heldUpMs) <= freshForMs;
}
