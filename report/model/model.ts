import type { RestoreState } from "../../drills/judge/history";
import type { PlannedGoalResult } from "../../drills/judge/goals";
import type { VerdictWord as PlanVerdictWord } from "../../drills/judge/judge";

/**
 * The report of one run, from which every format is rendered. A test checks that `schema/report-1.json` describes the same JSON. Unknown fields are absent, and
 * text from outside is sanitized. Timestamps that name their time zone are converted to UTC; all others are kept as the panel wrote them.
 */
export interface Report {
  readonly formatVersion: 1;
  readonly scope: Scope;
  readonly run: ReportRun;
  readonly verdict: ReportVerdict;
  readonly counts: Counts;
  readonly measured: Measured;
  /** The plan's goals; empty without a plan. */
  readonly goals: readonly Goal[];
  /** The plan's waves, or one unnamed wave with all restores that have no plan. */
  readonly waves: readonly Wave[];
  /** The plan as stored; absent for restores without a plan. */
  readonly plan?: unknown;
  readonly source: Source;
  /** Earlier runs, from the reports given in the options, newest first. */
  readonly earlier?: readonly EarlierRunSummary[];
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
export interface ReportRun {
  /** The run's name or, for restores without a plan, the trigger that all of them share. */
  readonly name?: string;
  /** Always `not stated` for restores without a plan. */
  readonly kind: "drill" | "recovery" | "not stated";
  /** When `pulumi up` began the run; for restores without a plan, the first request. */
  readonly startedAt?: string;
  readonly incidentAt?: string;
  readonly user?: string;
  readonly host?: string;
  /** The pipeline that started the run: its `name`, and the `url` of the pipeline run. */
  readonly pipeline?: Readonly<Record<string, string>>;
  readonly notes?: Readonly<Record<string, string>>;
  readonly panels: readonly string[];
}

/** The result of a plan's run. Restores without a plan are not judged, so their result is `complete`, `failed` or `incomplete`. */
export type ReportVerdictWord = PlanVerdictWord | "complete";
export const verdictWords = [
  "passed",
  "passed with warnings",
  "failed",
  "incomplete",
  "complete",
] as const satisfies readonly ReportVerdictWord[];

/** The verdict on a run. */
export interface ReportVerdict {
  readonly result: ReportVerdictWord;
  /** The reasons, worst first, and everything that did not go as planned. */
  readonly reasons: readonly string[];
  /** Present if the state was written in the middle of a run, which may still be under way. */
  readonly progress?: "is under way, or was interrupted";
}

/** How many restores and checks there are. */
export interface Counts {
  readonly planned: number;
  readonly complete: number;
  /** How many restores are in each state. States without restores are absent. */
  readonly states: Readonly<Partial<Record<RestoreState, number>>>;
  readonly checks: { readonly passed: number; readonly failed: number; readonly notRun: number };
}

/** The times measured in a run. */
export interface Measured {
  /** The time from the first request to the end of the last restore or check. Absent without a plan. */
  readonly recoveryTimeSeconds?: number;
  readonly slowest?: { readonly restore: string; readonly seconds: number };
  readonly oldestData?: { readonly restore: string; readonly seconds: number };
}

/** A goal and its result. If no restore is given, the goal applies to the whole plan. */
export type Goal = PlannedGoalResult;
export type GoalWord = Goal["result"];

/** A wave of the plan, or all restores without a plan. */
export interface Wave {
  /** Absent for restores without a plan. */
  readonly name?: string;
  readonly restores: readonly Step[];
}

/** One restore of a run. */
export interface Step {
  readonly name: string;
  readonly kind: "VmRestore" | "FileRestore";
  readonly virtualMachineId: string;
  /** Absent if a rule has not chosen a point yet, or if an adopted transaction does not show its point. */
  readonly recoveryPointId?: string;
  readonly recoveryPointTakenAt?: string;
  /** Present if a rule chooses the recovery point. */
  readonly chosenBy?: ChosenBy;
  readonly paths?: readonly string[];
  readonly state: RestoreState;
  /** Why the restore is not complete. */
  readonly reason?: string;
  /** True if this run adopted a transaction that it had not sent. */
  readonly adopted: boolean;
  readonly transactionIds: readonly string[];
  readonly requestedAt?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly queuedSeconds?: number;
  readonly ranSeconds?: number;
  /** The time from the restore's first request in the run to the end of the last check. Includes all attempts. */
  readonly recoveredSeconds?: number;
  /** The time of that first request. */
  readonly recoveredFrom?: string;
  /** The clock that measured the restore: the panel's or the runner's. Checks are always timed by the runner's clock. */
  readonly clock?: "panel" | "own";
  readonly dataAgeSeconds?: number;
  readonly checks: readonly Check[];
  /** Earlier attempts, oldest first; absent if there are none. Without a plan, all failed attempts are listed as one. */
  readonly earlierAttempts?: readonly EarlierAttempt[];
  readonly warnings: readonly string[];
  /** Present only if logs were requested and the state contains this log in plain text. */
  readonly log?: string;
}

/** How a recovery point is chosen. */
export interface ChosenBy {
  /** `the newest before 2026-11-20T09:30:00Z, at most 7d old` */
  readonly rule: string;
  /** The number of points that the panel listed. Absent until a point is chosen. */
  readonly listed?: number;
  /** The number of listed points that matched the rule. */
  readonly fitted?: number;
  /** The value of the plan's `incidentAt` when the point was chosen. Absent if the rule has a time of its own. */
  readonly incidentAt?: string;
}

/** An earlier attempt of a restore in the same run. */
export interface EarlierAttempt {
  /** One of the states that the restore itself can have. */
  readonly state: RestoreState;
  readonly transactionIds: readonly string[];
  readonly requestedAt?: string;
  readonly finishedAt?: string;
}

/** A check of a restored machine. */
export interface Check {
  readonly name: string;
  readonly kind?: string;
  readonly result: "passed" | "failed" | "not run";
  readonly attempts?: number;
  readonly seconds?: number;
  readonly reason?: string;
  /** True if the check was added to the plan after the restore was complete. The restore's figures do not include its time. */
  readonly later?: boolean;
  /** True if the check failed earlier. */
  readonly failedBefore?: boolean;
}

/** The state that the report was made from. */
export interface Source {
  readonly stateWrittenAt?: string;
  /** Resources whose operation had not ended. */
  readonly pending: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
}

/** An earlier run of the same plan in the same stack, taken from its report. */
export interface EarlierRunSummary {
  readonly run?: string;
  readonly startedAt?: string;
  readonly result: ReportVerdictWord;
  readonly recoveryTimeSeconds?: number;
  readonly slowestSeconds?: number;
  readonly oldestDataSeconds?: number;
  readonly planned: number;
  readonly complete: number;
  /** The hash of the run's report in JSON. */
  readonly sha256: string;
}
