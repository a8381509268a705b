import type { NewestPage } from "../feed/types";
import type { Mark, RestoreTarget } from "../inputs/intent";
import type { Limit } from "../inputs/read-values";
import type { Clock } from "../plain/clock";
import type { Chain, Row, ConfiguredWords } from "../rows/chains";
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
 * The one wait before a POST. It ends when one read shows that nothing of this restore is on the panel already and that the machine is
 * free, or with what a person has to decide.
 */
export interface BeforePostState {
  readonly since: number;
  readonly totalUntil?: number;
  /** Rows above the mark, and of those below it what keeps the machine busy. */
  readonly rows: readonly Row[];
  readonly above: readonly Row[];
  readonly olderChainIds: readonly string[];
  /** Since when nothing has been seen that may be this restore, or the first part of it. */
  readonly quietSince: number;
  readonly unattributed: readonly UnattributedRow[];
  readonly log: LogFindings;
  /** It was asked once more after it had been quiet since then: it may name a transaction later than the list shows it. */
  readonly logAskedAgain?: number;
  readonly logTrouble?: string;
  readonly candidates?: Candidates;
  readonly blockers: readonly Chain[];
  /** The newest row of the last read that showed everything above the mark. */
  readonly readDownFrom?: string;
  /** The last read: where a row of it had to be told by the machine's log, it decides as soon as the log has told. */
  readonly lastRead?: LastRead;
  /** Reads in a row of a page that decides nothing. */
  readonly unusablePages: number;
  /** All is well but for the age of what was read. */
  readonly awaitsNewestPage: boolean;
  readonly lastTrouble?: string;
  readonly end?: BeforePostEnd;
}

interface LastRead {
  readonly newestPage: NewestPage;
  /** It showed everything above the mark. */
  readonly reachedMark: boolean;
}

export type BeforePostEnd =
  /** `head` is the read that showed the machine free, made a moment ago: the mark of a POST that follows at once. */
  | { readonly how: "clear"; readonly newestPage: NewestPage }
  /** An earlier run's POST: taken instead of posting. `ageMs`: how long ago it ended, or was asked for at most. */
  | { readonly how: "found"; readonly chain: Chain; readonly ageMs: number | undefined }
  | { readonly how: "question"; readonly question: Question }
  | { readonly how: "busy" }
  | { readonly how: "limit"; readonly limit: Limit }
  | { readonly how: "access-denied"; readonly error: Error };

/** What is not known for certain, and is not guessed. */
export type Question =
  | { readonly about: "several"; readonly chains: readonly Chain[] }
  | { readonly about: "complete for long"; readonly chain: Chain; readonly ageMs: number | undefined }
  | { readonly about: "suspect"; readonly suspect: readonly SuspectChain[] }
  /** They may be the first part of it, and have not ended in the time there was. */
  | { readonly about: "unfinished"; readonly chains: readonly Chain[] }
  /** They may be the first part of it, and a person has stopped them. */
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
  /** An earlier try that failed is passed over; else it is this restore, as a stored one is. */
  readonly retryFailed: boolean;
  readonly isClaimed: (transactionId: string) => boolean;
  /** Set for an attempt that may have been posted by an earlier run. */
  readonly later: LaterAttempt | undefined;
  /** `clear`: until the machine is free. `look`: one look at whether it is. */
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

/** How long it has to be quiet before a later attempt is posted: a request may be under way that long, and be listed that late. */
export function quietMs(rules: Pick<BeforePostRules, "requestTimeoutMs" | "listedMs">): number {
  return rules.requestTimeoutMs + rules.listedMs;
}

/**
 * How long after it was read a page may still decide about a POST. In between lies at most the question whether the run is still watched,
 * which takes no longer than two seconds.
 */
const freshForMs = 3_000;

export function isFresh(newestPage: NewestPage, now: number): boolean {
  return now - newestPage.answeredAt <= freshForMs;
}

/**
 * The same right before the POST. The clock that waits go by stands still while the runner is suspended, and only the wall clock shows
 * that hours have passed; where that one was set meanwhile, the page is read once more than needed.
 */
export function isFreshForPost(newestPage: NewestPage, clock: Clock): boolean {
  const now = clock.now();
  const heldUpMs = clock.wallTime().getTime() - newestPage.wallTime.getTime() - (now - newestPage.readAt);
  return isFresh(newestPage, now) && Math.abs(heldUpMs) <= freshForMs;
}
