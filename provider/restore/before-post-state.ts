import type { NewestPage } from "../feed/types";
import type { Mark, RestoreTarget, Timeouts } from "../inputs/intent";
import type { Limit } from "../inputs/read-values";
import type { Clock } from "../plain/clock";
import type { Chain, Row } from "../rows/chains";
import type { SuspectChain, Candidates } from "../rows/match-transactions";
import type { whyPageUnusable } from "../rows/mark";
import type { PanelSession } from "./panel-session";
import type { RowsAbove } from "./rows-above";

/** Tells if an earlier run may have posted this restore, and what is known of the restores before it. */
export type Attempt =
  /** `failedTry` of a first attempt: `adopt: "never"` asks nothing of what an earlier run may have left. */
  | { readonly kind: "first"; readonly failedTry?: FailedTry }
  /** `predecessorIds`: the transactions that the restore before it in the program has now. */
  | { readonly kind: "later"; readonly predecessorIds: readonly string[]; readonly failedTry?: FailedTry };

/** The try before this one, which is stored as failed. */
export interface FailedTry {
  readonly transactionIds: readonly string[];
  /** Above which it was posted; a record of an earlier release does not tell. */
  readonly mark: Mark | undefined;
}

/**
 * The one wait before a POST. It ends when one read shows that nothing of this restore is on the panel yet and that the machine is free, or
 * with a question to a person. Plain data.
 */
export type BeforePostState = BeforePostWait | BeforePostOver;

export interface BeforePostWait extends Seen {
  readonly phase: "waiting";
  readonly awaits: Awaits;
}

export interface BeforePostOver extends Seen {
  readonly phase: "over";
  readonly end: BeforePostEnd;
}

type Awaits =
  | { readonly what: "next read" }
  /** All allows the POST, but what was read is too old. */
  | { readonly what: "new read"; readonly since: number }
  /** Rows of this read name no machine. The machine's log decides it, read from `since` on. */
  | { readonly what: "log"; readonly look: Look; readonly since: number };

interface Seen {
  readonly since: number;
  /** The last read of the list that can be used. */
  readonly look: Look | undefined;
  /** Since then nothing was seen that may be this restore or its first part. */
  readonly quietSince: number;
  readonly blockers: readonly Chain[];
  readonly candidates?: Candidates;
  /** Rows that name no machine and have a say in what comes next. */
  readonly unattributed: readonly Row[];
  /** Unusable pages in a row. */
  readonly unusablePages: number;
  readonly lastTrouble?: string;
}

/** The basis of a decision: one read of the list, and the rows that are kept of those before it. */
export interface Look extends RowsAbove {
  readonly newestPage: NewestPage;
  readonly below: readonly Row[];
  /** Those above the mark that no read before had met. */
  readonly newIds: ReadonlySet<string>;
  /** Nothing is missing above the mark, and the awaited rows were looked for. */
  readonly isWhole: boolean;
  /** When the last read began that went down to the mark itself. */
  readonly wholeReadAt: number | undefined;
}

export type BeforePostEnd =
  /** `newestPage` was read a moment ago and showed the machine free. It becomes the mark of the POST that follows at once. */
  | { readonly how: "clear"; readonly newestPage: NewestPage }
  /** An earlier run's POST, taken instead of posting. `ageMs`: the time since it ended, or at most since it was requested. */
  | { readonly how: "found"; readonly chain: Chain; readonly ageMs: number | undefined }
  /** The panel has run the failed try again. */
  | { readonly how: "run again"; readonly chain: Chain }
  | { readonly how: "question"; readonly question: Question }
  | { readonly how: "limit"; readonly limit: Limit }
  | { readonly how: "access-denied"; readonly error: Error };

/** A question to a person: the answer is not known for certain, and is not guessed. */
export type Question =
  | { readonly about: "several"; readonly chains: readonly Chain[] }
  | { readonly about: "complete for long"; readonly chain: Chain; readonly ageMs: number | undefined }
  | { readonly about: "suspect"; readonly suspect: readonly SuspectChain[] }
  /** They may be the first part of the restore, and did not end within the limit. */
  | { readonly about: "unfinished"; readonly chains: readonly Chain[] }
  | { readonly about: "whose"; readonly rows: readonly Row[]; readonly trouble: string }
  | { readonly about: "unusable page"; readonly why: NonNullable<ReturnType<typeof whyPageUnusable>> };

export interface BeforePostRules
  extends Pick<PanelSession, "words" | "requestTimeoutMs" | "adoptWindowMs">, Pick<Timeouts, "busyMs" | "listedMs"> {
  readonly target: RestoreTarget;
  /** The restore is looked for above it: the mark of the intent, or of the try that failed. */
  readonly mark: Mark;
  /** If true, an earlier try that failed is passed over. Otherwise it counts as this restore, as a stored one does. */
  readonly retryFailed: boolean;
  readonly isClaimed: (transactionId: string) => boolean;
  readonly attempt: Attempt;
}

export function initialBeforePost(since: number): BeforePostState {
  return {
    phase: "waiting",
    awaits: { what: "next read" },
    since,
    look: undefined,
    quietSince: since,
    blockers: [],
    unattributed: [],
    unusablePages: 0,
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
