import { groupBy, own } from "../../provider/plain/plain";
import { firstFew } from "../../provider/plain/text";
import { allAsked, firstSent, type Recorded } from "./asked";
import { goalText, isAfter, type MeasuredRestore, measureGoals, type PlannedGoalResult, waitedText } from "./goals";
import { checkResults, transactionText, whatHappened } from "./history";
import {
  findOverwritten,
  type Overwriting,
  overwrittenText,
  sentBefore,
  type SentWhole,
  wholeRestores,
} from "./overwritten";
import { notCompleteText, pointTakenAt, restoresOfRun, stateOf, type WaveRestore } from "./restores";
import type { JudgedWave, PlanText, RestoreEvent, StoredRun } from "./stored";

/** A run as it is stored, with its plan as it was read. */
export type JudgedRun = Pick<StoredRun, "run" | "up" | "changed"> & { readonly plan: PlanText };

/** What else a state shows about a plan. */
export interface Surroundings {
  /** The restores of whole machines in the same state that do not belong to the plan. */
  readonly others: readonly SentWhole[];
  /** Resources of the plan with an update that has not ended. */
  readonly pending: readonly string[];
}

export type VerdictWord = "passed" | "passed with warnings" | "failed" | "incomplete";

/** What fails an `up`, as it is stored; a report judges the state again, and shows the goals too. */
export interface Verdict {
  readonly verdict: VerdictWord;
  /** The worst first. */
  readonly reasons: readonly string[];
  readonly recoveryTimeSeconds?: number;
  readonly goals: readonly PlannedGoalResult[];
}

type JudgedRestore = WaveRestore & MeasuredRestore;

interface Findings {
  readonly failures: string[];
  readonly gaps: string[];
  readonly warnings: string[];
}

const noFindings = (): Findings => ({ failures: [], gaps: [], warnings: [] });

const alone: Surroundings = { others: [], pending: [] };

/** Judges a run from stored records alone. Unknown facts never pass. */
export function judge(run: JudgedRun, waves: readonly JudgedWave[], around: Surroundings = alone): Verdict {
  const { plan } = run;
  const findings = noFindings();
  const { failures, gaps, warnings } = findings;
  const notOfRun = new Set<string>();
  for (const { name, restores } of plan.waves) {
    const stored = waves.find((one) => one.name === name);
    const ofOtherRun = Object.keys(restores).length > 0 ? otherRunGap(run, name, stored) : undefined;
    if (ofOtherRun === undefined) continue;
    gaps.push(ofOtherRun);
    notOfRun.add(name);
  }
  const restores = restoresOfRun(run.run, plan.waves, waves);
  const judged = restores.flatMap((one): JudgedRestore[] =>
    one.planned ? [{ ...one, planned: one.planned, takenAt: pointTakenAt(one.planned, one.entry, one.happened) }] : [],
  );
  if (plan.run !== run.run) gaps.push(`the plan is of run ${plan.run}, and its record of ${run.run}`);
  for (const name of around.pending) gaps.push(`an update of ${name} is under way, or broke off`);
  const before = waves.flatMap((wave) => sentBefore(wave, judged));
  const overwritten = findOverwritten(judged, [...judged.flatMap(wholeRestores), ...before, ...around.others]);
  const { goals, whole } = measureGoals(plan, judged);
  const goalsOf = groupBy(goals, ({ restore }): string | undefined => restore);
  const isOpen = (one: JudgedRestore): boolean => stateOf(one, overwritten.get(one)) !== "complete";
  let isWaitTold = true;
  for (const one of judged) {
    const found = noFindings();
    if (!notOfRun.has(one.wave)) collectFindings(run, one, overwritten.get(one), found);
    collectGoals(plan, goalsOf.get(one.name) ?? [], isOpen(one), found);
    const waited = (one.time?.waitedSeconds ?? 0) + (one.time?.waitedBefore ?? 0);
    if (whole && waited > 0) {
      if (Object.values(found).flat().length === 0) isWaitTold = false;
      else found.warnings.push(waitsText(waited));
    }
    addLine(one.name, found, findings);
  }
  if (judged.length === 0) gaps.push("nothing was planned");
  for (const wave of waves) collectTakenOut(run, wave, findings);
  const ofRun = judged.filter(({ wave }) => !notOfRun.has(wave));
  warnings.push(...firstSentLater(run, ofRun));
  const changed = Object.entries(run.changed).map(([part, at]) => `${part} (${at.slice(11, 16)} UTC)`);
  if (changed.length > 0) warnings.push(`the plan was changed after it began: ${firstFew(changed, 10)}`);
  const ofWhole = noFindings();
  collectGoals(plan, goalsOf.get(undefined) ?? [], judged.some(isOpen), ofWhole);
  addLine("the whole plan", ofWhole, findings);
  if (whole && whole.waitedSeconds > 0 && !isWaitTold) warnings.push(waitsText(whole.waitedSeconds).trimStart());
  return {
    verdict: verdictWord(findings),
    reasons: [...failures, ...gaps, ...warnings],
    ...(whole && { recoveryTimeSeconds: whole.seconds }),
    goals,
  };
}

function verdictWord({ failures, gaps, warnings }: Findings): VerdictWord {
  if (failures.length > 0) return "failed";
  if (gaps.length > 0) return "incomplete";
  return warnings.length > 0 ? "passed with warnings" : "passed";
}

/** All that is found of a restore is one line, the worst first. Its parts begin right after the restore's name, with a space or a colon and a space. */
function addLine(name: string, { failures, gaps, warnings }: Findings, all: Findings): void {
  const [worst, ...others] = [...failures, ...gaps, ...warnings];
  if (worst === undefined) return;
  const line = [name + worst, ...others.map((one) => one.slice(one.indexOf(" ") + 1))].join("; ");
  (failures.length > 0 ? all.failures : gaps.length > 0 ? all.gaps : all.warnings).push(line);
}

/** Only intents and records stored under the run count. */
function otherRunGap({ run }: JudgedRun, wave: string, stored: JudgedWave | undefined): string | undefined {
  if (stored?.intentRun === undefined) return `wave ${wave} was not begun`;
  if (stored.intentRun !== run) return `wave ${wave} was last asked for in run ${stored.intentRun}`;
  if (stored.waveRun === undefined) return `wave ${wave} was not carried out`;
  return stored.waveRun === run ? undefined : `wave ${wave} was last carried out in run ${stored.waveRun}`;
}

function collectFindings(
  run: JudgedRun,
  restore: JudgedRestore,
  overwriting: Overwriting | undefined,
  { failures, gaps, warnings }: Findings,
): void {
  const { happened, takenAt } = restore;
  const { state, counts } = happened;
  const transaction = transactionText(counts?.ids ?? []);
  const reason = notCompleteText(restore);
  if (reason !== undefined) (state === "failed" || state === "cancelled" ? failures : gaps).push(` ${reason}`);
  const checked = state === "complete" ? checkResults(counts, restore.checks) : [];
  for (const { name: check, event } of checked) {
    if (event === undefined) gaps.push(`: check ${check} has not run`);
    else if (!event.passed)
      failures.push(`: check ${check} did not pass${event.why === undefined ? "" : `: ${event.why}`}`);
  }
  if (overwriting !== undefined) gaps.push(` ${overwrittenText(overwriting)}`);
  if (state !== "complete" || counts === undefined) return;
  const { incidentAt } = run.plan;
  if (incidentAt !== undefined && takenAt !== undefined && isAfter(takenAt, incidentAt))
    gaps.push(` was restored from a point of ${takenAt}, after the incident of ${incidentAt}`);
  const finishedAt = counts.ended?.finishedAt;
  if (takenAt !== undefined && isAfter(takenAt, finishedAt ?? counts.ended?.at))
    warnings.push(`: its recovery point is stamped ${takenAt}, after the restore's own end, so its data has no age`);
  // Whatever once ended badly is still listed; what a check says now is above.
  const bad = happened.bad.filter((one) => !checked.some(({ event }) => event === one)).map(badText);
  if (bad.length > 0) warnings.push(`: ${firstFew([...new Set(bad)], 5)}`);
  // What a person names was not sent by this run, or is an attempt already.
  const sent = happened.attempts.filter((one) => one.sent.did === "posted" || one.sent.why === "found");
  if (sent.length > 1) warnings.push(` was restored ${String(sent.length)} times in this run`);
  if (counts.sent.did === "adopted")
    warnings.push(
      ` was adopted (${transaction}): ${counts.sent.why === "named" ? "adopt names it" : "an earlier attempt had sent it"}`,
    );
  for (const warning of counts.ended?.warnings ?? []) warnings.push(`: ${warning}`);
}

/** `isNamed`: a restore that is not complete is already a reason, so its missing measurements are not listed as well. */
function collectGoals(
  { onMissedGoal }: PlanText,
  goals: readonly PlannedGoalResult[],
  isNamed: boolean,
  { failures, gaps, warnings }: Findings,
): void {
  for (const goal of goals) {
    if (goal.result === "met" || (goal.result === "not measured" && isNamed)) continue;
    const to = onMissedGoal === "warn" ? warnings : goal.result === "missed" ? failures : gaps;
    to.push(`: ${goalText(goal)}`);
  }
}

const waitsText = (seconds: number): string => ` the recovery time holds waits${waitedText(seconds)}`;

function badText(event: RestoreEvent): string {
  if (event.did === "stopped") return `stopped at ${event.at}: ${event.why}`;
  if (event.did === "checked") return `check ${event.check} did not pass at ${event.at}`;
  return event.did === "ended" ? `an attempt ended as ${event.status} at ${event.at}` : event.did;
}

/** An `up` after the first `up` of the run may have sent again what an earlier `up` sent without leaving a record. */
function firstSentLater(run: JudgedRun, judged: readonly JudgedRestore[]): readonly string[] {
  const late = judged.filter(({ happened, events }) => {
    const first = happened.attempts[0]?.sent;
    return happened.state === "complete" && first !== undefined && first === events[0] && first.up !== run.up;
  });
  if (late.length === 0) return [];
  const names = firstFew(
    late.map(({ name }) => name),
    5,
  );
  return [
    `first sent by a later \`up\` than the one that began the run, with no record of an attempt before: ${names}`,
  ];
}

/** What a plan no longer has keeps its record. Only what was certainly never sent may go. */
function collectTakenOut({ run, plan }: JudgedRun, wave: JudgedWave, findings: Findings): void {
  const planned = plan.waves.find(({ name }) => name === wave.name)?.restores ?? {};
  const asked =
    wave.intentRun === run
      ? {
          ...(wave.gone ?? {}),
          ...Object.fromEntries(Object.entries(wave.entries).map(([name, entry]) => [name, allAsked(entry)])),
        }
      : {};
  const record: Recorded = wave.waveRun === run ? wave : { restores: {} };
  for (const name of new Set([...Object.keys(asked), ...Object.keys(record.restores)])) {
    if (Object.hasOwn(planned, name)) continue;
    const events = own(record.restores, name) ?? [];
    const bad = whatHappened(events, undefined).bad.map(badText);
    const told = ` was taken out of wave ${wave.name}`;
    const found = noFindings();
    if (firstSent(own(asked, name) ?? [], name, record) !== undefined)
      found.gaps.push(`${told}, and was sent in this run, or may have been`);
    if (bad.length > 0) found.warnings.push(`${found.gaps.length > 0 ? "" : told}: ${firstFew([...new Set(bad)], 5)}`);
    addLine(name, found, findings);
  }
}
