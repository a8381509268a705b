/**
 * The report of one run, as every format shows it. `schema/report-1.json` describes its JSON, and a test compares both. An unknown field is
 * absent. Texts from outside are sanitized.
 */
export interface Report {
  readonly formatVersion: 1;
  readonly scope: Scope;
  readonly run: Run;
  /** The plan as given; absent for restores without a plan. */
  readonly plan?: Plan;
  readonly verdict: Verdict;
  readonly measured: Measured;
  readonly counts: Counts;
  readonly goals: readonly Goal[];
  readonly waves: readonly Wave[];
  readonly notCarriedOut: readonly NotCarriedOut[];
  /** The changes of the plan after the run began, oldest first; absent if there are none. */
  readonly changes?: readonly Change[];
  /** Restores that were taken out of the plan after the run began and that had been sent; absent if there are none. */
  readonly takenOut?: readonly TakenOut[];
  readonly deviations: readonly Deviation[];
  readonly clocks: readonly Clock[];
  readonly source: Source;
  /** The report of the run before, if earlier reports were given. */
  readonly before?: Before;
}

/** The subject of a report. */
export interface Scope {
  readonly kind: "plan" | "restores";
  /** The plan's name, or the stack's. */
  readonly name: string;
  readonly project?: string;
  readonly stack?: string;
}

/** The run that a report is about. */
export interface Run {
  readonly name?: string;
  /** Restores without a plan state no kind. */
  readonly kind: "drill" | "recovery" | "not stated";
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly incidentAt?: string;
  readonly user?: string;
  readonly host?: string;
  readonly pipeline?: Pipeline;
  readonly notes?: Notes;
  readonly panels: readonly string[];
}

/** The pipeline that carried out a run. */
export interface Pipeline {
  readonly name: string;
  readonly url?: string;
  readonly run?: string;
  readonly commit?: string;
  readonly ref?: string;
  readonly actor?: string;
}

/** Notes that the plan gives for auditors. */
export interface Notes {
  readonly scenario?: string;
  readonly owner?: string;
  readonly approver?: string;
  readonly reference?: string;
}

/** The plan of a run. */
export interface Plan {
  /** True if the plan differs from the one that the run before began with, if the state names one. */
  readonly changed?: boolean;
  readonly changedPaths?: readonly string[];
  readonly previous?: { readonly run?: string; readonly startedAt?: string };
  readonly onFailure?: string;
  readonly onMissedGoal?: string;
  /** The stored plan, shortened if it is unreasonably long. */
  readonly asGiven?: unknown;
}

/** The result of a run. */
export type VerdictWord = "passed" | "passed with warnings" | "failed" | "incomplete";

/** The verdict on a run. */
export interface Verdict {
  readonly result: VerdictWord;
  readonly reasons: readonly string[];
  /** "stored": the run's own, and the rest of the state agrees. "derived": from the rest of the state. */
  readonly from: "stored" | "derived";
  readonly decidedAt?: string;
}

/** The figures of a run. */
export interface Measured {
  /** From the first request to the last end or check. */
  readonly recoveryTimeSeconds?: number;
  readonly slowest?: { readonly restore: string; readonly seconds: number };
  readonly oldestData?: { readonly restore: string; readonly seconds: number };
}

/** The numbers of restores and checks, by outcome. */
export interface Counts {
  readonly planned: number;
  readonly complete: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly unfinished: number;
  readonly notCarriedOut: number;
  readonly adopted: number;
  readonly checks: { readonly passed: number; readonly failed: number; readonly notRun: number };
}

/** The result of a goal. */
export type GoalWord = "met" | "missed" | "not measured";

/** A goal and its result. */
export interface Goal {
  readonly scope: "whole" | "restore";
  readonly restore?: string;
  readonly goal: "recoveryTime" | "dataAge";
  readonly targetSeconds: number;
  readonly measuredSeconds?: number;
  /** Target less measured: negative when missed. */
  readonly marginSeconds?: number;
  readonly verdict: GoalWord;
}

/** A wave of the plan, or all restores without a plan. */
export interface Wave {
  /** Absent for restores without a plan. */
  readonly name?: string;
  readonly index: number;
  readonly state: "ended" | "not ended" | "not begun";
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Resources of the program that its restores come after; absent if there are none. */
  readonly between?: readonly Between[];
  readonly restores: readonly Step[];
  /** Only with logs, and only if the state holds it unencrypted. */
  readonly checkOutput?: string;
}

/** A resource of the program between a wave and the one before it. */
export interface Between {
  readonly name: string;
  readonly type: string;
  /** False if it was last created or updated before this run. Absent where the state does not say when. */
  readonly ranInRun?: boolean;
}

/** The result of a restore. */
export type StepResult = "complete" | "failed" | "cancelled" | "unfinished";

/** One restore of a run. */
export interface Step {
  readonly name: string;
  readonly kind: "VmRestore" | "FileRestore";
  readonly virtualMachineId: string;
  readonly recoveryPointId: string;
  readonly recoveryPointTakenAt?: string;
  /** Present if a rule chose the recovery point; its time then comes from the panel's list. */
  readonly chosenBy?: ChosenBy;
  readonly paths?: readonly string[];
  readonly result: StepResult;
  /** The stored status, finer than the result: accepted, unknown, pending, running. */
  readonly status: string;
  readonly transactionIds: readonly string[];
  readonly action?: string;
  readonly requestedAt?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly checkedAt?: string;
  readonly queuedSeconds?: number;
  readonly ranSeconds?: number;
  readonly durationSeconds?: number;
  /** From the end to the moment when the runner noticed it, by the panel's clock. No other figure includes it. */
  readonly noticedAfterSeconds?: number;
  readonly checkedSeconds?: number;
  readonly recoveredSeconds?: number;
  readonly dataAgeSeconds?: number;
  readonly checks: readonly Check[];
  readonly adopted: boolean;
  readonly warnings: readonly string[];
  /** In a plan: tells its form from later ones. Two of one revision have the same machine, point or rule, paths, own triggers and checks, secrets included. */
  readonly revision?: string;
  /** Earlier tries in the same run, oldest first. The restore is measured from the first. One with its own transactions is this try before the plan was changed. */
  readonly earlierTries?: readonly EarlierTry[];
  readonly reason?: string;
  /** Only with logs, and only if the state holds it unencrypted. */
  readonly log?: string;
  readonly before?: StepBefore;
}

/** How a recovery point was chosen. */
export interface ChosenBy {
  /** `the newest before 2026-11-20T09:30:00Z, within 7d` */
  readonly rule: string;
  /** The number of points that the panel listed. Absent if the state holds no choice. */
  readonly listed?: number;
  /** The number of listed points that fitted the rule. */
  readonly fitted?: number;
  /** The plan's `incidentAt` at that time, if the rule has no moment of its own. */
  readonly incidentAt?: string;
}

/** An earlier try of a restore in the same run. */
export interface EarlierTry {
  /** Absent in states of earlier releases. */
  readonly virtualMachineId?: string;
  readonly recoveryPointId?: string;
  readonly result: StepResult;
  readonly status: string;
  readonly transactionIds: readonly string[];
  readonly requestedAt?: string;
  readonly finishedAt?: string;
  readonly checks: readonly Check[];
}

/** A check of a restored machine. */
export interface Check {
  readonly kind: string;
  /** The name that the plan gives it. */
  readonly name?: string;
  readonly target: string;
  /** The answer that an http check expects. Absent if the plan gives none, and in states of earlier releases. */
  readonly expects?: string;
  readonly result: "passed" | "failed" | "not run";
  readonly tries?: number;
  readonly seconds?: number;
  readonly withinSeconds?: number;
  readonly reason?: string;
  /** True if it was added after the restore was judged. It then counts in no figure of the restore. */
  readonly addedLater?: boolean;
}

/** A planned restore without a stored outcome. */
export interface NotCarriedOut {
  readonly wave?: string;
  readonly restore: string;
  readonly virtualMachineId: string;
  /** "not chosen" if a rule has not chosen it yet. */
  readonly recoveryPointId: string;
  readonly chosenBy?: ChosenBy;
  /** "outcome not stored": it was started, but the state does not say whether the panel carried it out. */
  readonly what: "not begun" | "outcome not stored";
  readonly why: string;
}

/** A change of the plan after the run began. */
export interface Change {
  readonly at?: string;
  readonly user?: string;
  readonly host?: string;
  readonly pipeline?: Pipeline;
  /** The values that are others since, as short texts. `before` is absent for an added one, `after` for one that was taken out. */
  readonly values: readonly { readonly path: string; readonly before?: string; readonly after?: string }[];
}

/** A restore that was taken out of the plan after the run began. */
export interface TakenOut {
  readonly wave: string;
  readonly restore: string;
  readonly virtualMachineId: string;
  /** Its tries in this run, oldest first: the last one says how it had stood. */
  readonly tries: readonly EarlierTry[];
}

/** The kind of a deviation. */
export type DeviationKind =
  "adopted" | "resumed" | "retried" | "plan changed" | "warning" | "broken off" | "unreadable";

/** A fact that differs from an undisturbed run of the plan. */
export interface Deviation {
  readonly kind: DeviationKind;
  readonly restore?: string;
  readonly text: string;
}

/** The clock behind a figure. */
export interface Clock {
  readonly figure: string;
  readonly clock: "panel" | "runner" | "as given";
  readonly from: string;
  readonly to: string;
}

/** The state that the report was made from. */
export interface Source {
  readonly stateWrittenAt?: string;
  readonly pendingOperations: number;
  readonly versions: Readonly<Record<string, string>>;
}

/** The run before this one. */
export interface Before {
  readonly run?: string;
  readonly startedAt?: string;
  readonly verdict: VerdictWord;
  readonly recoveryTimeSeconds?: number;
  readonly sha256: string;
}

/** The same restore in the run before. */
export interface StepBefore {
  readonly result: StepResult;
  readonly recoveredSeconds?: number;
  readonly dataAgeSeconds?: number;
}
