import type { Clock } from "../time/clock";
import type { Site } from "./site";
import { notSent } from "./telling/not-sent";
import type { IntendedPlan, RestorePlan } from "./terms/restore-plan";
import type { RestoreResult, Voice } from "./terms/result";
import type { Leaving } from "./turn/leaving";

/** One run of one restore: what all its steps have to know. */
export interface OneRun {
  readonly site: Site;
  readonly plan: IntendedPlan;
  readonly voice: Voice;
  /** When the whole run has to be over. */
  readonly totalUntil: number | undefined;
}

/** What a step comes to that ends the run. */
export interface Done extends Leaving {
  readonly result: RestoreResult;
}

/** When a run that begins now has to be over, where it has a limit over everything. */
export function totalUntilOf(clock: Clock, { timeouts }: Pick<RestorePlan, "timeouts">): number | undefined {
  return timeouts.totalMs === undefined ? undefined : clock.now() + timeouts.totalMs;
}

export function notPosted(plan: IntendedPlan, why: string): Done {
  return { result: { kind: "not-posted", reason: notSent(plan, why) } };
}
