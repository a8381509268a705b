/**
 * What every format shows: one run, as the stored state tells it. `schema/report-1.json` describes its JSON for others; a
 * test holds both together. A field that is not known is absent. Texts from outside were made harmless on the way in.
 */
export interface Report {
  readonly formatVersion: 1;
  readonly scope: Scope;
  readonly run: Run;
  /** The plan as given; absent where the state holds restores without a plan. */
  readonly plan?: Plan;
  readonly verdict: Verdict;
  readonly measured: Measured;
  readonly counts: Counts;
  readonly goals: readonly Goal[];
  readonly waves: readonly Wave[];
  readonly notCarriedOut: readonly NotCarriedOut[];
  readonly deviations: readonly Deviation[];
  readonly clocks: readonly Clock[];
  readonly source: Source;
  /** The report before this one, where earlier reports were given. */
  readonly before?: Before;
}

/** What the report is about. */
export interface Scope {
  readonly kind: "plan" | "restores";
  /** The plan's name, or the stack's. */
  readonly name: string;
  readonly project?: string;
  readonly stack?: string;
}

export interface Run {
  readonly name?: string;
  /** A stack of plain restores does not say what it was run for. */
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

export interface Pipeline {
  readonly name: string;
  readonly url?: string;
  readonly run?: string;
  readonly commit?: string;
  readonly ref?: string;
  readonly actor?: string;
}

export interface Notes {
  readonly scenario?: string;
  readonly owner?: string;
  readonly approver?: string;
  readonly reference?: string;
}

export interface Plan {
  readonly digest?: string;
  /** Against the run before, where the state names one. */
  readonly changed?: boolean;
  readonly changedPaths?: readonly string[];
  readonly previous?: { readonly run?: string; readonly digest?: string; readonly startedAt?: string };
  readonly onFailure?: string;
  readonly onMissedGoal?: string;
  /** By what stored restores were held against the plan: an earlier release stored no hash of paths and triggers. */
  readonly comparedBy?: "everything that decides" | "machine, point and kind";
  /** As it was stored, shortened where it is longer than any plan. */
  readonly asGiven?: unknown;
}

export type VerdictWord = "passed" | "passed with warnings" | "failed" | "incomplete";

export interface Verdict {
  readonly result: VerdictWord;
  readonly reasons: readonly string[];
  /** "stored": the run's own, and what the state holds agrees. "derived": told from what the state holds. */
  readonly from: "stored" | "derived";
  readonly decidedAt?: string;
}

export interface Measured {
  /** From the first request to the last end or check. */
  readonly recoveryTimeSeconds?: number;
  readonly slowest?: { readonly restore: string; readonly seconds: number };
  readonly oldestData?: { readonly restore: string; readonly seconds: number };
}

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

export type GoalWord = "met" | "missed" | "not measured";

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

export interface Wave {
  /** Absent for restores without a plan. */
  readonly name?: string;
  readonly index: number;
  readonly state: "ended" | "not ended" | "not begun";
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly restores: readonly Step[];
  /** Only with logs, and only where the given state holds it in plain. */
  readonly checkOutput?: string;
}

export type StepResult = "complete" | "failed" | "cancelled" | "unfinished";

export interface Step {
  readonly name: string;
  readonly kind: "VmRestore" | "FileRestore";
  readonly virtualMachineId: string;
  readonly recoveryPointId: string;
  readonly recoveryPointTakenAt?: string;
  /** Where a rule has chosen the recovery point, and the panel's list its time. */
  readonly chosenBy?: ChosenBy;
  readonly paths?: readonly string[];
  readonly result: StepResult;
  /** The stored word, finer than the result: accepted, unknown, pending, running. */
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
  /** How long after its end, by the panel's clock, the runner saw it: checks could not begin before. In no other figure. */
  readonly noticedAfterSeconds?: number;
  readonly checkedSeconds?: number;
  readonly recoveredSeconds?: number;
  readonly dataAgeSeconds?: number;
  readonly checks: readonly Check[];
  readonly adopted: boolean;
  readonly warnings: readonly string[];
  /** What came of it before in the same run, oldest first: it is measured from the first. */
  readonly earlierTries?: readonly EarlierTry[];
  readonly reason?: string;
  /** Only with logs, and only where the given state holds it in plain. */
  readonly log?: string;
  readonly before?: StepBefore;
}

/** How a recovery point was chosen. */
export interface ChosenBy {
  /** `the newest before 2026-11-20T09:30:00Z, within 7d` */
  readonly rule: string;
  /** How many points the panel listed, and how many of them the rule allowed. Absent where the state holds no choice. */
  readonly listed?: number;
  readonly fitted?: number;
  /** What the plan gave as incidentAt then, where the rule says no moment of its own. */
  readonly incidentAt?: string;
}

/** A try of a restore that another one has followed in the same run. */
export interface EarlierTry {
  readonly result: StepResult;
  readonly status: string;
  readonly transactionIds: readonly string[];
  readonly requestedAt?: string;
  readonly finishedAt?: string;
}

export interface Check {
  readonly kind: string;
  readonly target: string;
  /** What an http check expects of the answer; absent where the plan does not say, or a release stored it that kept it to itself. */
  readonly expects?: string;
  readonly result: "passed" | "failed" | "not run";
  readonly tries?: number;
  readonly seconds?: number;
  readonly withinSeconds?: number;
  readonly reason?: string;
  /** Added after the restore had been looked at: it is measured by itself, and makes no restore late. */
  readonly addedLater?: boolean;
}

export interface NotCarriedOut {
  readonly wave?: string;
  readonly restore: string;
  readonly virtualMachineId: string;
  /** "not chosen" where a rule is to choose it. */
  readonly recoveryPointId: string;
  readonly chosenBy?: ChosenBy;
  /** "outcome not stored": it was begun, and whether the panel carried it out is not in the state. */
  readonly what: "not begun" | "outcome not stored";
  readonly why: string;
}

export type DeviationKind =
  "adopted" | "resumed" | "retried" | "plan changed" | "warning" | "broken off" | "unreadable";

export interface Deviation {
  readonly kind: DeviationKind;
  readonly restore?: string;
  readonly text: string;
}

export interface Clock {
  readonly figure: string;
  readonly clock: "panel" | "runner" | "as given";
  readonly from: string;
  readonly to: string;
}

export interface Source {
  readonly stateWrittenAt?: string;
  readonly pendingOperations: number;
  readonly versions: Readonly<Record<string, string>>;
}

export interface Before {
  readonly run?: string;
  readonly startedAt?: string;
  readonly verdict: VerdictWord;
  readonly recoveryTimeSeconds?: number;
  readonly sha256: string;
}

export interface StepBefore {
  readonly result: StepResult;
  readonly recoveredSeconds?: number;
  readonly dataAgeSeconds?: number;
}
