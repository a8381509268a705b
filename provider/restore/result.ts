import type { Mark } from "../inputs/intent";
import type { RestoreRecord } from "../inputs/record";
import type { MayContinue } from "./turn";

export type RestoreResult =
  /** Complete, or as far as the program waits for it. */
  | { readonly kind: "good"; readonly record: RestoreRecord }
  /** Failed, cancelled, or without a known end: stored, and an error with these reasons. */
  | { readonly kind: "stored"; readonly record: RestoreRecord; readonly reasons: readonly string[] }
  /** Nothing was sent, or the panel has refused the restore, and nothing is stored. */
  | { readonly kind: "not sent"; readonly reason: string; readonly isRefused?: boolean };

/** The result of a restore that may continue unwatched. Whoever needs its machine or its place waits for `ended`. */
export interface ResultSoFar extends MayContinue {
  readonly result: RestoreResult;
  readonly ended?: Promise<RestoreResult>;
}

/** The events of a restore in progress, for a wave, which stores them. The end is in the result. */
export type ReportedEvent =
  | { readonly did: "posted"; readonly answer: "accepted" | "unknown"; readonly mark: Mark }
  /** `found`: an earlier run had posted it. `named`: by `adopt`. */
  | {
      readonly did: "adopted";
      readonly why: "found" | "named";
      readonly ids: readonly string[];
      readonly points?: readonly string[];
    }
  /** `isOver`: when these ids are first seen, they have ended. */
  | { readonly did: "listed"; readonly ids: readonly string[]; readonly isOver: boolean };

export interface Reporter {
  readonly progress: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly event?: (event: ReportedEvent) => void;
}
