/** *warning*: it can be restored, and somebody should know. */
export type FindingVerdict = "not ready" | "cannot be told" | "warning";

/** One thing that was found about a restore. The code is stable; the texts are for people. */
export interface ReadyFinding {
  readonly code: string;
  readonly verdict: FindingVerdict;
  /** In a few words, for a cell of a table. */
  readonly short: string;
  readonly says: string;
  /** What to do about it. */
  readonly then?: string;
  /** Why it is accepted, where it stands among the known questions. */
  readonly known?: string;
}

/** *other panel*: it belongs to another one than was looked at, and does not count. */
export type Readiness = "ready" | "not ready" | "cannot be told" | "other panel";

/** A restore, and whether it could be carried out now. */
export interface ReadyRestore {
  readonly plan?: string;
  readonly wave?: string;
  readonly name: string;
  readonly kind: "VmRestore" | "FileRestore";
  readonly virtualMachineId?: string;
  readonly readiness: Readiness;
  /** The rule by which its recovery point is chosen, in words. */
  readonly rule?: string;
  /** What is named, or what the rule would choose now. A rule that leaves it to chance chooses none. */
  readonly recoveryPointId?: string;
  readonly recoveryPointTakenAt?: string;
  /** By the panel's clock; of a point that chance would choose, the age of the oldest. */
  readonly ageSeconds?: number;
  readonly goalSeconds?: number;
  /** What is left of the goal; negative when the data is too old. */
  readonly leftSeconds?: number;
  readonly panel?: string;
  readonly provider?: string;
  /** The worst first. */
  readonly findings: readonly ReadyFinding[];
}

/** What `ready` comes to; what `--json` prints, by the schema beside this. */
export interface ReadyResult {
  readonly formatVersion: 1;
  readonly lookedAt: string;
  readonly panel: string;
  readonly stack?: string;
  readonly project?: string;
  readonly verdict: "ready" | "not ready" | "cannot be told";
  readonly counts: {
    readonly ready: number;
    readonly notReady: number;
    readonly cannotBeTold: number;
    readonly otherPanel: number;
    /** Questions and warnings that are known and accepted. */
    readonly known: number;
  };
  readonly requests: number;
  /** Those that are not ready first. */
  readonly restores: readonly ReadyRestore[];
  /** What may be declared besides, and cannot be read from the state. */
  readonly unreadable: readonly string[];
}
