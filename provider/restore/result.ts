import type { RestoreRecord } from "../inputs/record";
import type { Transaction } from "../panel/types";
import type { MayContinue } from "./turn";

/** The result of one run of one restore. */
export type RestoreResult =
  /** Complete, or as far as the program waits for it. */
  | { readonly kind: "good"; readonly record: RestoreRecord }
  /** Failed, cancelled, or without a known end: stored, and an error with these reasons. */
  | { readonly kind: "stored"; readonly record: RestoreRecord; readonly reasons: readonly string[] }
  /** Nothing was posted and nothing is stored. */
  | { readonly kind: "not-posted"; readonly reason: string };

/** The result of a restore that may go on unwatched. Whoever needs its machine or its place waits for `ended`. */
export interface ResultSoFar extends MayContinue {
  readonly result: RestoreResult;
  readonly ended?: Promise<RestoreResult>;
}

/** Receives the progress and the warnings of a restore. */
export interface Reporter {
  readonly progress: (text: string) => void;
  readonly warn: (text: string) => void;
}

/** Something odd about a restore that somebody should know. It becomes a text only when it is said or stored. */
export type Warning =
  /** An earlier run posted it for the same intent. */
  | { readonly kind: "adopted"; readonly rows: readonly WarnedRow[]; readonly ageMs: number | undefined }
  /** The try before failed, and the panel has run it again. */
  | { readonly kind: "run again"; readonly rows: readonly WarnedRow[] }
  /** They may be this restore, and neither the list nor the machine's log says of which machine they are: they do not count. */
  | { readonly kind: "not told whose"; readonly transactionIds: readonly string[] }
  /** `adopt` names it, but it names another recovery point. */
  | { readonly kind: "other point"; readonly transactionId: string }
  /** `adopt` names it, but it lists other paths. */
  | { readonly kind: "other paths"; readonly transactionId: string }
  /** `adopt` names it. */
  | { readonly kind: "taken"; readonly transactionId: string }
  /** `adopt` names it, and it was made longer ago than `adoptWindow`. */
  | { readonly kind: "old"; readonly transactionId: string; readonly ageMs: number }
  /** It was listed after the run that posted it had given up. */
  | { readonly kind: "appeared later"; readonly rows: readonly WarnedRow[] }
  /** Several transactions may each be the restore. */
  | { readonly kind: "indistinguishable"; readonly transactionIds: readonly string[] }
  /** A status that no setting classifies. */
  | { readonly kind: "unrecognized status"; readonly status: string }
  /** A warning that an earlier run stored. States hold warnings as texts; it is kept as it is. */
  | { readonly kind: "stored"; readonly text: string };

type WarnedRow = Pick<Transaction, "id" | "action" | "createdAt">;
