import type { RestoreState } from "../../drills/judge/history";
import type { RestoreKind } from "../../provider/inputs/restore-table";
import { withFullStop } from "../../provider/plain/message";
import { omitUndefined } from "../../provider/plain/plain";

/** *warning*: the restore could run, but someone should know about this. */
export type FindingVerdict = "not ready" | "cannot be judged" | "warning";
type Readiness = "not ready" | "cannot be judged" | "ready";

/** One finding about a restore. The code is stable; the wording may change. */
export interface ReadyFinding {
  readonly code: string;
  readonly verdict: FindingVerdict;
  /** A few words for a table cell. */
  readonly short: string;
  readonly says: string;
  /** A sentence that says what to do. */
  readonly then?: string;
  /** The reason given for accepting this question. */
  readonly accepted?: string;
}

export const finding =
  (verdict: FindingVerdict) =>
  (code: string, short: string, says: string, then?: string): ReadyFinding =>
    omitUndefined<ReadyFinding>({ code, verdict, short, says: withFullStop(says), then });
export const notReady = finding("not ready");
export const question = finding("cannot be judged");

/** A declared restore, and whether it could run now. */
export interface ReadyRestore {
  readonly plan?: string;
  readonly wave?: string;
  readonly name: string;
  readonly kind: RestoreKind;
  readonly readiness: Readiness;
  readonly virtualMachineId: string;
  /** The rule that chooses the point. */
  readonly rule?: string;
  /** The point named in the program, or the point that the rule would choose now. Absent for a random rule. */
  readonly recoveryPointId?: string;
  readonly recoveryPointTakenAt?: string;
  /** The point's age when the plan's incident happened or, if there was none, now (by the panel's clock). With a random rule, the age of the oldest point. */
  readonly ageSeconds?: number;
  readonly goalSeconds?: number;
  /** Time left until the data is older than the goal; negative if it already is. */
  readonly leftSeconds?: number;
  /** When a run last completed the restore in its current form, with its checks passing. */
  readonly provenAt?: string;
  readonly provenIn?: string;
  /** The stored state of the restore. */
  readonly state: RestoreState;
  readonly panel?: string;
  readonly provider?: string;
  /** Worst first. */
  readonly findings: readonly ReadyFinding[];
}

/** The result of `ready`, as `--json` prints it. Its schema is `schema/ready-1.json`. */
export interface ReadyResult {
  readonly formatVersion: 1;
  readonly lookedAt: string;
  readonly panel: string;
  readonly stack?: string;
  readonly project?: string;
  readonly verdict: Readiness;
  /** True if nothing is `not ready`, and all questions about restores that cannot be judged are accepted. The exit code is then 0. */
  readonly isAccepted: boolean;
  readonly counts: {
    readonly ready: number;
    readonly notReady: number;
    readonly cannotBeJudged: number;
    /** Restores that cannot be judged, but whose questions are all accepted. */
    readonly accepted: number;
  };
  readonly requests: number;
  readonly provenWithinSeconds?: number;
  /** In the order of plans and waves; restores without a plan come last. */
  readonly restores: readonly ReadyRestore[];
  /** Unreadable parts of the state, which may declare more restores. */
  readonly unreadable: readonly string[];
}

/** True if a restore cannot be judged, but all its questions are accepted. */
export function isAccepted({ readiness, findings }: Pick<ReadyRestore, "readiness" | "findings">): boolean {
  return (
    readiness === "cannot be judged" &&
    findings.every(({ verdict, accepted }) => verdict !== "cannot be judged" || accepted !== undefined)
  );
}

const readinessOrder: readonly Readiness[] = ["not ready", "cannot be judged", "ready"];

/** Restores that are not ready come first, restores without findings last. */
export function worstFirst(restores: readonly ReadyRestore[]): readonly ReadyRestore[] {
  const keyOf = ({ readiness, findings }: ReadyRestore): number =>
    findings.length > 0 ? readinessOrder.indexOf(readiness) : readinessOrder.length;
  return [...restores].sort((a, b) => keyOf(a) - keyOf(b));
}
