import { formatDuration } from "../../provider/inputs/duration";
import { earliestStamp, measuredSeconds, namesZone, parseStamp, secondsBetween } from "../../provider/plain/clock";
import { omit } from "../../provider/plain/plain";
import { mayBeSent, openChecks, type Attempt, type Happened } from "./history";
import { noUp, type AskedCheck, type Goals, type PlanRestore, type PlanText, type RestoreEvent } from "./stored";

/** A goal and its measurement. */
export interface PlannedGoalResult {
  /** The goal: `recoveryTime` or `dataAge`. */
  readonly goal: "recoveryTime" | "dataAge";
  /** The restore; absent for a goal that applies to the whole plan. */
  readonly restore?: string;
  /** The longest time that meets the goal. */
  readonly targetSeconds: number;
  /** The measured time. */
  readonly measuredSeconds?: number;
  readonly result: "met" | "missed" | "not measured";
  /** The clock that measured the time: the panel's, or our own if the panel has no timestamps. */
  readonly clock?: "panel" | "own";
  /** The part of the recovery time that later attempts spent searching for the restores of earlier attempts. */
  readonly waitedSeconds?: number;
}

/** A restore whose times are measured. */
export interface MeasuredRestore {
  readonly name: string;
  readonly wave: string;
  readonly planned: PlanRestore;
  readonly happened: Happened;
  readonly checks: readonly AskedCheck[];
  /** When the restored point was taken. */
  readonly takenAt: string | undefined;
  readonly time?: RecoveryTime | undefined;
}

/** The time from the first request to the last check. Nothing is estimated: if a part of it is unknown, there is no recovery time. */
export interface RecoveryTime {
  readonly seconds: number;
  /** The clock that measured the restore itself. Checks are always measured by our own clock. */
  readonly clock: "panel" | "own";
  readonly waitedSeconds: number;
  /** The time spent searching before the first request. It may be part of the whole plan's time, but not of this restore's. */
  readonly waitedBefore: number;
  readonly firstAt: string;
}

/** The recovery time according to a restore's own record. Starts at the first request, because a failed first attempt does not recover the machine. */
export function recoveryTime({
  happened,
  checks,
}: Pick<MeasuredRestore, "happened" | "checks">): RecoveryTime | undefined {
  const { attempts, counts } = happened;
  const ended = counts?.ended;
  if (ended?.status !== "complete" || counts === undefined || openChecks(counts, checks).length > 0) return undefined;
  const first = firstRequest(happened);
  const [waitedBefore = 0, ...waits] = attempts.map(({ sent }) => (sent.did === "posted" && sent.waitedSeconds) || 0);
  const waitedSeconds = waits.reduce((sum, seconds) => sum + seconds, 0);
  const checked = checkedSeconds(counts);
  if (checked === undefined) return undefined;
  const measured = (clock: "panel" | "own", firstAt: string | undefined, to: string | undefined) => {
    const seconds = secondsBetween(firstAt, to);
    if (seconds === undefined || firstAt === undefined) return undefined;
    return { seconds: seconds + checked, clock, waitedSeconds, waitedBefore, firstAt };
  };
  // Without the panel's timestamps, the time is unknown unless an `up` saw the restore end.
  const isWatched = ended.isFound !== true && ended.finishedAt === undefined;
  return isWatched ? measured("own", first.byOwn, ended.at) : measured("panel", first.byPanel, ended.finishedAt);
}

/** The time of the first request by each clock. Unknown if an earlier form may have been sent. Only the panel can time an adopted or unplanned restore. */
function firstRequest({ attempts, bad, counts }: Happened) {
  const isKnown = ({ entry }: RestoreEvent): boolean =>
    entry === counts?.entry || attempts.some((one) => one.entry === entry);
  const isUnknown = bad.some((one) => mayBeSent(one) && !isKnown(one));
  const stamps = attempts.map((one) => one.ended?.requestedAt);
  return {
    byPanel: !isUnknown && stamps.every((stamp) => stamp !== undefined) ? earliestStamp(stamps) : undefined,
    byOwn: isUnknown ? undefined : firstPost(attempts),
  };
}

/** When the first attempt was posted, by our own clock. */
function firstPost([first]: Happened["attempts"]): string | undefined {
  return first?.sent.did === "posted" && first.sent.up !== noUp ? first.sent.at : undefined;
}

/** Returns the last check if it failed. The plan may no longer have this check. Of checks that ran at the same time, failures are recorded last. */
export const failedAtLast = (checks: Attempt["checks"]) => checks.slice(-1).find(({ passed }) => !passed);

/**
 * The time from the restore's end to the end of the attempt's last check, even if the plan no longer has that check. Checks added later are ignored. Undefined
 * if nobody saw when the restore ended, or if the clock was set back, which is noticed only if a check took longer than its timestamp allows.
 */
function checkedSeconds(attempt: Attempt): number | undefined {
  const { ended } = attempt;
  if (failedAtLast(attempt.checks)) return undefined;
  const counted = attempt.checks.filter(({ later }) => later !== true);
  if (counted.length > 0 && ended?.isFound === true) return undefined;
  const unseen = counted.length === 0 ? 0 : unseenSeconds(attempt);
  const seconds = counted.map(
    (event) => [secondsBetween(ended?.at, event.at) ?? -Infinity, event.seconds - 1] as const,
  );
  if (seconds.some(([since, took]) => since < took)) return undefined;
  return unseen + Math.max(0, ...seconds.map(([since]) => since));
}

/** The time from the restore's end, according to the panel, to the read that showed it. Without this, an unreadable list would shorten the recovery time. */
function unseenSeconds({ sent, ended }: Attempt): number {
  const byPanel = measuredSeconds(ended);
  const age = sent.did === "posted" ? 0 : secondsBetween(ended?.requestedAt, sent.panelAt);
  const byOwn = secondsBetween(sent.at, ended?.at);
  // On a panel that shows no zone, or not its time, an adopted restore's age is unknown.
  return byPanel === undefined || age === undefined || byOwn === undefined ? 0 : Math.max(0, age + byOwn - byPanel);
}

/** The data's age at the incident or the first request. Undefined if the point was taken after the incident, or, by its timestamp, after the restore's end. */
export function dataAge(
  { happened, takenAt }: Pick<MeasuredRestore, "happened" | "takenAt">,
  incidentAt: string | undefined,
): { readonly seconds: number; readonly clock: "panel" | "own" } | undefined {
  const { counts } = happened;
  const ended = counts?.ended;
  if (counts === undefined || ended?.status !== "complete" || takenAt === undefined || !namesZone(takenAt))
    return undefined;
  if (isAfter(takenAt, ended.finishedAt ?? ended.at)) return undefined;
  if (incidentAt !== undefined) {
    const seconds = secondsBetween(takenAt, incidentAt);
    return seconds === undefined ? undefined : { seconds, clock: "panel" };
  }
  // By the panel's clock if its timestamp has a time zone, otherwise by ours.
  const requested = happened.attempts[0]?.ended?.requestedAt;
  const clock = requested !== undefined && namesZone(requested) ? "panel" : "own";
  const at = clock === "panel" ? requested : firstPost(happened.attempts);
  // If the point was taken after the request, no data is lost.
  return at === undefined ? undefined : { seconds: secondsBetween(takenAt, at) ?? 0, clock };
}

/** True if both timestamps have a time zone and the first is later. Without a zone, the moment is unknown. */
export function isAfter(stamp: string, other: string | undefined): boolean {
  const [a, b] = [parseStamp(stamp), parseStamp(other)];
  return a?.namesZone === true && b?.namesZone === true && a.at > b.at;
}

/** When a point was taken, in words, if that was after the incident. A run does not pass with such a point. */
export function afterIncidentText(takenAt: string | undefined, incidentAt: string | undefined): string | undefined {
  if (takenAt === undefined || incidentAt === undefined || !isAfter(takenAt, incidentAt)) return undefined;
  return `taken at ${takenAt}, after the incident at ${incidentAt}`;
}

/** The goals for a restore. A goal of the restore itself overrides its wave's goal, which overrides the plan's. */
export function effectiveGoals(...nearestFirst: readonly (Goals | undefined)[]): Goals {
  return Object.assign({}, ...[...nearestFirst].reverse()) as Goals;
}

function goalResult(
  about: Pick<PlannedGoalResult, "goal" | "restore">,
  targetSeconds: number | undefined,
  measured: { readonly seconds: number; readonly clock: "panel" | "own"; readonly waitedSeconds?: number } | undefined,
): readonly PlannedGoalResult[] {
  if (targetSeconds === undefined) return [];
  if (measured === undefined) return [{ ...about, targetSeconds, result: "not measured" }];
  const { seconds, clock, waitedSeconds = 0 } = measured;
  const result = seconds <= targetSeconds ? "met" : "missed";
  const waited = waitedSeconds > 0 ? { waitedSeconds } : {};
  return [{ ...about, targetSeconds, measuredSeconds: seconds, result, clock, ...waited }];
}

export function goalText(goal: PlannedGoalResult): string {
  const { measuredSeconds, result } = goal;
  const what = goal.goal === "recoveryTime" ? "recovery time" : "data age";
  const target = `goal ${formatDuration(goal.targetSeconds)}`;
  if (measuredSeconds === undefined) return `${what} not measured, ${target}`;
  const by = goal.clock === "own" ? " by the runner's clock, as the panel shows no times with a time zone" : "";
  return `${what} ${formatDuration(measuredSeconds)}${by}${waitedText(goal.waitedSeconds)}, ${target} ${result}`;
}

export function waitedText(waitedSeconds = 0): string {
  if (waitedSeconds === 0) return "";
  return ` (${formatDuration(waitedSeconds)} of it spent looking for earlier attempts)`;
}

export function measureGoals(plan: PlanText, judged: readonly MeasuredRestore[]) {
  const goals = judged.flatMap((restore) => {
    const { name, planned, wave, time } = restore;
    const wanted = effectiveGoals(planned.goals, plan.waves.find((one) => one.name === wave)?.goals, plan.goals);
    return [
      ...goalResult({ goal: "recoveryTime", restore: name }, wanted.recoveryTimeSeconds, time),
      ...goalResult({ goal: "dataAge", restore: name }, wanted.dataAgeSeconds, dataAge(restore, plan.incidentAt)),
    ];
  });
  const whole = wholeTime(judged);
  const ofWhole = whole && omit(whole, "waitedSeconds");
  return {
    goals: [...goals, ...goalResult({ goal: "recoveryTime" }, plan.wholeGoals?.recoveryTimeSeconds, ofWhole)],
    whole,
  };
}

/** The time from the first request until all restores and checks ended, with waits before later attempts. Known only if one clock measured all restores. */
function wholeTime(
  all: readonly MeasuredRestore[],
): Pick<RecoveryTime, "seconds" | "clock" | "waitedSeconds"> | undefined {
  const times = all.flatMap(({ time }) =>
    time === undefined ? [] : [{ ...time, from: parseStamp(time.firstAt)?.at ?? NaN }],
  );
  const [first] = times;
  if (first === undefined || times.length < all.length || times.some(({ clock }) => clock !== first.clock))
    return undefined;
  const begin = Math.min(...times.map(({ from }) => from));
  const end = Math.max(...times.map(({ from, seconds }) => from + seconds * 1_000));
  // Of a wait before a restore's first request, only the part after the plan's first request is in the plan's time.
  const waits = times.map(({ from, waitedSeconds, waitedBefore }) => {
    return waitedSeconds + Math.round(Math.min(waitedBefore, (from - begin) / 1_000));
  });
  const seconds = Math.round((end - begin) / 1_000);
  return Number.isNaN(seconds) ? undefined : { seconds, clock: first.clock, waitedSeconds: Math.max(...waits) };
}
