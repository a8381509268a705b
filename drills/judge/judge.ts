import { formatUtc, zonedTime } from "../../provider/plain/clock";
import { groupBy, own } from "../../provider/plain/plain";
import { withoutFullStop } from "../../provider/plain/message";
import { firstFew } from "../../provider/plain/text";
import { allAsked, eventsOf, firstSent, type Recorded } from "./asked";
import {
  afterIncidentText,
  goalText,
  isAfter,
  type MeasuredRestore,
  measureGoals,
  type PlannedGoalResult,
  recoveryTime,
  waitedText,
} from "./goals";
import { type BadEvent, checkResults, transactionText, whatHappened } from "./history";
import { findOverwritten, sentBefore, type SentWhole, wholeRestores } from "./overwritten";
import { notCompleteText, pointTakenAt, restoresOfWave, stateOf, type WaveRestore } from "./restores";
import type { Goals, JudgedWave, PlanRestore, PlanText, StoredRun } from "./stored";

/** A stored run, with its plan. */
export type JudgedRun = Pick<StoredRun, "run" | "up" | "changed"> & { readonly plan: PlanText };

export interface Surroundings {
  /** The whole-machine restores in the same state, whether they belong to the plan or not. */
  readonly whole: readonly SentWhole[];
  /** The plan's resources with an unfinished update. */
  readonly pending: readonly string[];
}

export type VerdictWord = "passed" | "passed with warnings" | "failed" | "incomplete";

export interface Verdict {
  readonly verdict: VerdictWord;
  /** Worst first. */
  readonly reasons: readonly string[];
  readonly recoveryTimeSeconds?: number;
  readonly goals: readonly PlannedGoalResult[];
}

type JudgedRestore = WaveRestore & MeasuredRestore;

/** The best possible verdict with each kind of finding, worst first. */
const verdicts = { failure: "failed", gap: "incomplete", warning: "passed with warnings" } as const;

/** A line of the verdict, or part of a restore's line. `separator` stands between the restore's name and the text if together they do not form a sentence. */
type Finding = readonly [weight: keyof typeof verdicts, text: string, separator?: ": "];

function worstFirst(all: readonly Finding[]): readonly Finding[] {
  return Object.keys(verdicts).flatMap((weight) => all.filter(([of]) => of === weight));
}

/** All findings about a restore form one line, worst first. */
function lineOf(name: string, found: readonly Finding[]): readonly Finding[] {
  const [worst, ...others] = worstFirst(found);
  if (worst === undefined) return [];
  const [weight, text, separator = " "] = worst;
  return [[weight, [name + separator + text, ...others.map(([, more]) => more)].join("; ")]];
}

/** Judges a run from stored records alone. Unknown facts never make a run pass. */
export function judge(
  run: JudgedRun,
  waves: readonly JudgedWave[],
  around: Surroundings = { whole: [], pending: [] },
): Verdict {
  const { plan } = run;
  const stored = new Map(waves.map((wave) => [wave.name, wave]));
  const ofOtherRun = new Map(
    plan.waves.flatMap(({ name, restores }) => {
      const gap = Object.keys(restores).length > 0 ? otherRunGap(run, name, stored.get(name)) : undefined;
      return gap === undefined ? [] : [[name, gap] as const];
    }),
  );
  const ofWaves = plan.waves.flatMap((wave) => restoresOfWave(run.run, wave, stored.get(wave.name)));
  const judged = ofWaves.flatMap((one): JudgedRestore[] =>
    one.planned ? [{ ...one, planned: one.planned, takenAt: pointTakenAt(one.planned, one.entry, one.happened) }] : [],
  );
  const before = waves.flatMap((wave) => sentBefore(wave, judged));
  const overwritten = findOverwritten(judged, [...judged.flatMap(wholeRestores), ...before, ...around.whole]);
  // A machine whose restore was overwritten does not count as recovered.
  const timed = judged.map((one) => ({ ...one, time: overwritten.has(one) ? undefined : recoveryTime(one) }));
  const { goals, whole } = measureGoals(plan, timed);
  const goalsOf = groupBy(goals, ({ restore }): string | undefined => restore);
  const isOpen = (one: JudgedRestore): boolean => stateOf(one, overwritten.get(one)) !== "complete";
  const ofRestores = judged.flatMap((one) => {
    const ofRun = ofOtherRun.has(one.wave) ? [] : findingsOf(run, one, overwritten.get(one));
    const ofGoals = goalFindings(plan, goalsOf.get(one.name), isOpen(one), one.name);
    return lineOf(one.name, [...ofRun, ...ofGoals]);
  });
  const changed = Object.entries(run.changed).map(([part, at]) => `${part} (${at.slice(11, 16)} UTC)`);
  const findings: Finding[] = [...ofOtherRun.values()].map((gap) => ["gap", gap]);
  if (plan.run !== run.run)
    findings.push(["gap", `the plan belongs to run ${plan.run}, but its record belongs to run ${run.run}`]);
  for (const name of around.pending) findings.push(["gap", `an update of ${name} is under way, or was interrupted`]);
  findings.push(...ofRestores);
  if (judged.length === 0) findings.push(["gap", "nothing was planned"]);
  findings.push(...waves.flatMap((wave) => takenOutOf(run, wave)));
  const later = firstSentLater(run, judged).flatMap(({ wave, name }) => (ofOtherRun.has(wave) ? [] : [name]));
  if (later.length > 0) findings.push(["warning", `first sent by a later \`up\` in the run: ${firstFew(later)}`]);
  if (changed.length > 0) findings.push(["warning", `the plan was changed after it began: ${firstFew(changed, 10)}`]);
  const untimed = timed.find(({ time }) => time === undefined);
  const ofWhole = goalFindings(plan, goalsOf.get(undefined), judged.some(isOpen), untimed?.name);
  findings.push(...lineOf("the whole plan", ofWhole));
  if (whole !== undefined && whole.waitedSeconds > 0)
    findings.push(["warning", `the recovery time includes waits${waitedText(whole.waitedSeconds)}`]);
  const lines = worstFirst(findings);
  return {
    verdict: lines[0] === undefined ? "passed" : verdicts[lines[0][0]],
    reasons: lines.map(([, text]) => text),
    ...(whole && { recoveryTimeSeconds: whole.seconds }),
    goals,
  };
}

/** Why a wave does not count: its intent or its record was not stored in this run. With an intent alone, its restores may have been sent. */
function otherRunGap({ run }: JudgedRun, wave: string, stored: JudgedWave | undefined): string | undefined {
  if (stored?.intentRun !== run) return `wave ${wave} was not started in this run`;
  if (stored.waveRun === run) return undefined;
  return `wave ${wave} has no record in this run: its restores may have been sent (${firstFew(Object.keys(stored.entries))})`;
}

function findingsOf(run: JudgedRun, restore: JudgedRestore, whyOverwritten: string | undefined): readonly Finding[] {
  const { happened, takenAt } = restore;
  const { state, counts } = happened;
  const found: Finding[] = [];
  const reason = notCompleteText(restore);
  const isFailure = state === "failed" || state === "cancelled";
  if (reason !== undefined) found.push([isFailure ? "failure" : "gap", reason]);
  const checked = state === "complete" ? checkResults(counts, restore.checks) : [];
  for (const { name: check, event } of checked) {
    const why = event?.why === undefined ? "" : `: ${event.why}`;
    if (event === undefined) found.push(["gap", `check ${check} has not run`, ": "]);
    else if (!event.passed) found.push(["failure", `check ${check} did not pass${why}`, ": "]);
  }
  if (whyOverwritten !== undefined) found.push(["gap", `${whyOverwritten}: set new triggers to restore it again`]);
  if (state !== "complete" || counts === undefined) return found;
  const { incidentAt } = run.plan;
  const { sent, ids, ended } = counts;
  const tooLate = afterIncidentText(takenAt, incidentAt);
  if (tooLate !== undefined)
    found.push(["gap", `was restored from a recovery point ${tooLate}: set an earlier point and new triggers`]);
  if (incidentAt !== undefined && takenAt === undefined)
    found.push(["warning", "its recovery point has no known time, so its data may be from after the incident", ": "]);
  if (takenAt !== undefined && isAfter(takenAt, ended?.finishedAt ?? ended?.at)) {
    const text = `its recovery point is dated ${takenAt}, after the restore itself ended, so the age of its data is not known`;
    found.push(["warning", text, ": "]);
  }
  // Lists earlier failures too, but not the checks' current results, which were listed above.
  const bad = badTexts(happened.bad.filter((one) => !checked.some(({ event }) => event === one)));
  if (bad !== undefined) found.push(["warning", bad, ": "]);
  // Transactions named in `adopt` are left out: this run did not send them, or they already count as an attempt.
  const times = happened.attempts.filter((one) => one.sent.did === "posted" || one.sent.why === "found").length;
  if (times > 1) found.push(["warning", `was restored ${String(times)} times in this run`]);
  // Left out if one of the restore's own warnings explains the adoption.
  if (sent.did === "adopted" && ended?.warnings?.some((text) => text.startsWith("adopted ")) !== true) {
    const why = sent.why === "named" ? "adopt names it" : "it was found on the panel after an earlier attempt";
    found.push(["warning", `was adopted (${transactionText(ids)}): ${why}`]);
  }
  found.push(...(ended?.warnings ?? []).map((text): Finding => ["warning", text, ": "]));
  return found;
}

/** True if the restore has a data age goal, but nothing says when its point was taken. */
export const isAgeUnmeasurable = ({ adopt, point, takenAt }: PlanRestore, { dataAgeSeconds }: Goals): boolean =>
  dataAgeSeconds !== undefined && adopt === undefined && typeof point === "string" && takenAt === undefined;

/** `isNamed`: a restore is already reported as not complete, so missing measurements are not listed as well. `untimed`: the restore without a recovery time. */
function goalFindings(
  { onMissedGoal }: PlanText,
  goals: readonly PlannedGoalResult[] = [],
  isNamed: boolean,
  untimed?: string,
): readonly Finding[] {
  return goals
    .filter(({ result }) => result === "missed" || (result === "not measured" && !isNamed))
    .map((goal): Finding => {
      const weight = goal.result === "missed" ? "failure" : "gap";
      const why = untimed !== undefined && goal.result === "not measured" ? whyNotMeasured(goal, untimed) : "";
      return [onMissedGoal === "warn" ? "warning" : weight, `${goalText(goal)}${why}`, ": "];
    });
}

function whyNotMeasured({ goal, restore }: PlannedGoalResult, untimed: string): string {
  return goal === "recoveryTime"
    ? `; ${restore === undefined ? `${untimed}: ` : ""}part of the time from its first request to its last check is unknown: begin a new run to measure it`
    : "; it needs the times of its point and of its first request: set recoveryPointTakenAt (the panel's list shows it), which restores nothing again; if that is not enough, begin a new run with it, or set incidentAt";
}

function badTexts(bad: readonly BadEvent[]): string | undefined {
  return bad.length === 0 ? undefined : firstFew([...new Set(bad.map(badText))]);
}

function badText(event: BadEvent): string {
  // Keeps only the first sentence. The advice after it applied only when the restore stopped.
  if (event.did === "stopped") return `stopped at ${event.at}: ${withoutFullStop(event.why.split(". ")[0] ?? "")}`;
  if (event.did === "checked") return `check ${event.check} did not pass at ${event.at}`;
  const finished = zonedTime(event.finishedAt);
  return `an attempt ended as ${event.status} at ${finished === undefined ? event.at : formatUtc(finished)}`;
}

/** The restores first recorded by a later `up` of the run. An earlier `up` may have sent them without leaving a record. */
function firstSentLater(run: JudgedRun, judged: readonly JudgedRestore[]): readonly JudgedRestore[] {
  return judged.filter(({ happened, events }) => {
    const first = happened.attempts[0]?.sent;
    // If the first attempt was adopted, another finding says so.
    const isPosted = first?.did === "posted" && first === events[0];
    return happened.state === "complete" && isPosted && first.up !== run.up;
  });
}

/** A removed restore keeps its record. Only a restore that was certainly never sent may be removed. */
function takenOutOf({ run, plan }: JudgedRun, wave: JudgedWave): readonly Finding[] {
  const planned = plan.waves.find(({ name }) => name === wave.name)?.restores ?? {};
  const entries = Object.entries(wave.entries).map(([name, entry]) => [name, allAsked(entry)] as const);
  const asked = wave.intentRun === run ? { ...wave.gone, ...Object.fromEntries(entries) } : {};
  const record: Recorded = wave.waveRun === run ? wave : { restores: {} };
  const names = new Set([...Object.keys(asked), ...Object.keys(record.restores)]);
  return [...names].flatMap((name) => {
    if (Object.hasOwn(planned, name)) return [];
    const bad = badTexts(whatHappened(eventsOf(record, name), undefined).bad);
    const out = `was removed from wave ${wave.name}`;
    const isSent = firstSent(own(asked, name) ?? [], name, record) !== undefined;
    const found: Finding[] = isSent ? [["gap", `${out}, but was sent in this run, or may have been`]] : [];
    if (bad !== undefined) found.push(["warning", isSent ? bad : `${out}: ${bad}`]);
    return lineOf(name, found);
  });
}
