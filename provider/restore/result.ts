import type { Mark } from "../inputs/intent";
import type { RestoreRecord } from "../inputs/record";

export type RestoreResult =
  /** The restore is complete, or the program does not wait for it to end. */
  | { readonly kind: "good"; readonly record: RestoreRecord }
  /** The restore failed, was cancelled, or has no known end. The record is stored, and the reason is reported as an error. */
  | { readonly kind: "stored"; readonly record: RestoreRecord; readonly reason: string }
  /** Nothing was sent, or the panel refused the restore. Nothing is stored. */
  | { readonly kind: "not sent"; readonly reason: string; readonly isRefused?: boolean };

/** The result so far of a restore that may continue unwatched. Anything that needs its machine or its slot waits for `ended`. */
export interface ResultSoFar {
  readonly result: RestoreResult;
  readonly ended?: Promise<RestoreResult>;
}

/** The events of a restore in progress, which a wave stores. The outcome is in the result. */
type ReportedEvent =
  | { readonly did: "posted"; readonly answer: "accepted" | "unknown"; readonly mark: Mark }
  /** `found`: posted by an earlier run. `named`: specified with `adopt`. */
  | {
      readonly did: "adopted";
      readonly why: "found" | "named";
      readonly ids: readonly string[];
      readonly points?: readonly string[];
    }
  /** `isOver`: the transactions had already ended when they were first seen. */
  | { readonly did: "listed"; readonly ids: readonly string[]; readonly isOver: boolean };

export interface Reporter {
  readonly progress: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly event?: (event: ReportedEvent) => void;
}
