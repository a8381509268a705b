import type { RestoreRecord } from "../inputs/record";
import type { Transaction } from "../panel/types";
import type { MayContinue } from "./turn";

/** What one run of one restore comes to. */
export type RestoreResult =
  /** Complete, or as far as it was to be waited for. */
  | { readonly kind: "good"; readonly record: RestoreRecord }
  /** Failed, cancelled, or its end is not known: to be stored, and told with the reasons. */
  | { readonly kind: "stored"; readonly record: RestoreRecord; readonly reasons: readonly string[] }
  /** Nothing was posted and nothing is to be stored. */
  | { readonly kind: "not-posted"; readonly reason: string };

/** The same of one that may go on without being waited for: whoever needs its machine or its place waits for `ended`. */
export interface ResultSoFar extends MayContinue {
  readonly result: RestoreResult;
  readonly ended?: Promise<RestoreResult>;
}

/** Where a restore says how it is getting on. */
export interface Reporter {
  progress(text: string): void;
  warn(text: string): void;
}

export function progressSink(reporter: Reporter): (text: string) => void {
  return (text) => {
    reporter.progress(text);
  };
}

/** Something odd about a restore that somebody should know of. It becomes a text where it is said or stored, and nowhere before. */
export type Warning =
  /** An earlier run of the same intent has posted it. */
  | { readonly kind: "adopted"; readonly rows: readonly WarnedRow[]; readonly ageMs: number | undefined }
  /** `adopt` names it. */
  | { readonly kind: "taken"; readonly transactionId: string }
  /** `adopt` names it, and by its action it is something else. */
  | { readonly kind: "other action"; readonly transactionId: string; readonly action: string }
  /** Listed after the run that posted it had given up. */
  | { readonly kind: "appeared later"; readonly rows: readonly WarnedRow[] }
  /** Nothing tells these apart. */
  | { readonly kind: "indistinguishable"; readonly transactionIds: readonly string[] }
  /** A status that no setting classifies. */
  | { readonly kind: "unrecognized status"; readonly status: string }
  /** One that an earlier run has stored. States hold warnings as texts; it stands as it is and is never taken apart. */
  | { readonly kind: "stored"; readonly text: string };

type WarnedRow = Pick<Transaction, "id" | "action" | "createdAt">;
