import { parseStamp } from "../../provider/plain/clock";
import { own } from "../../provider/plain/plain";
import { firstFew } from "../../provider/plain/text";
import {
  type Attempt,
  checkResults,
  declaredForm,
  formText,
  transactionText,
  whatHappened,
  type Happened,
  type RestoreState,
} from "./history";
import {
  dataAge,
  effectiveGoals,
  goalResult,
  goalText,
  isAfter,
  recoveryTime,
  type RecoveryTime,
  waitedText,
} from "./goals";
import type { WaveRestore } from "./state-restore";
import {
  findOverwritten,
  type MachineRestore,
  overwrittenText,
  type Overwriting,
  takenOut,
  unknownSends,
} from "./overwritten";
import type {
  AskedCheck,
  Change,
  Entry,
  JudgedWave,
  PlannedGoalResult,
  PlanRestore,
  PlanText,
  PlanWave,
  RestoreEvent,
  StoredVerdict,
  VerdictWord,
} from "./stored";

/** A run as it is stored. */
export interface JudgedRun {
  readonly run: string;
  readonly up: string;
  readonly changes: readonly Change[];
  readonly plan: PlanText;
}

/** What else a state shows about a plan. */
export interface Surroundings {
  /** The restores in the same state that do not belong to the plan. */
  readonly others: readonly MachineRestore[];
  /** Resources of the plan with an update that has not ended. */
  readonly pending: readonly string[];
  /** Resources between the waves that did not run in this run. */
  readonly notRun: readonly string[];
}

export interface Verdict extends Omit<StoredVerdict, "goals"> {
  readonly goals: readonly PlannedGoalResult[];
}

type JudgedRestore = WaveRestore & { readonly planned: PlanRestore; readonly takenAt: string | undefined };

interface Findings {
  readonly failures: string[];
  readonly gaps: string[];
  readonly warnings: string[];
}

const alone: Surroundings = { others: [], pending: [], notRun: [] };

/** Judges a run from stored records alone. Unknown facts never pass. */
export function judge(run: JudgedRun, waves: readonly JudgedWave[], around: Surroundings = alone): Verdict {
  const { plan } = run;
  const findings: Findings = { failures: [], gaps: [], warnings: [] };
  const { failures, gaps, warnings } = findings;
  const notOfRun = new Set<string>();
  const judged = plan.waves.flatMap((wave) => {
    const stored = waves.find(({ name }) => name === wave.name);
    const ofOtherRun = Object.keys(wave.restores).length > 0 ? otherRunGap(run, wave.name, stored) : undefined;
    if (ofOtherRun !== undefined) {
      gaps.push(ofOtherRun);
      notOfRun.add(wave.name);
    }
    return restoresOfWave(run.run, wave, stored).flatMap((one): JudgedRestore[] =>
      one.planned
        ? [{ ...one, planned: one.planned, takenAt: pointTakenAt(one.planned, one.entry, one.happened) }]
        : [],
    );
  });
  if (plan.run !== run.run) gaps.push(`the plan is of run ${plan.run}, and its record of ${run.run}`);
  for (const name of around.pending) gaps.push(`an update of ${name} is under way, or broke off`);
  const gone = waves.flatMap((wave) =>
    takenOut(
      wave,
      judged.filter((one) => one.wave === wave.name),
    ),
  );
  const unknown = waves.flatMap(unknownSends);
  const overwritten = findOverwritten<MachineRestore>([...judged, ...gone, ...unknown, ...around.others]);
  const counts: Partial<Record<RestoreState, number>> = {};
  const notComplete = new Set<string>();
  for (const one of judged) {
    const state = stateOf(one, overwritten.get(one));
    counts[state] = (counts[state] ?? 0) + 1;
    if (state !== "complete") notComplete.add(one.name);
    if (!notOfRun.has(one.wave)) collectFindings(run, one, overwritten.get(one), findings);
  }
  if (judged.length === 0) gaps.push("nothing was planned");
  gaps.push(...new Set(unknown.map(unknownText)));
  const ofRun = judged.filter(({ wave }) => !notOfRun.has(wave));
  warnings.push(...firstSentLater(run, ofRun), ...takenOutWarnings(run, waves));
  warnings.push(...around.notRun.map((name) => `${name}, between the waves, did not run in this run`));
  warnings.push(...run.changes.map(({ at, what }) => `the plan was changed at ${at}: ${what}`));
  const { goals, whole } = measureGoals(plan, judged, notOfRun);
  for (const goal of goals) {
    // An incomplete restore is already a reason, so its missing measurements are not listed as well.
    const isNamed = goal.restore === undefined ? notComplete.size > 0 : notComplete.has(goal.restore);
    if (goal.result === "met" || (goal.result === "not measured" && isNamed)) continue;
    if (plan.onMissedGoal === "warn") warnings.push(goalText(goal));
    else (goal.result === "missed" ? failures : gaps).push(goalText(goal));
  }
  if (whole && whole.waitedSeconds > 0)
    warnings.push(`the recovery time holds waits${waitedText(whole.waitedSeconds)}`);
  return {
    run: run.run,
    verdict: verdictWord(findings),
    reasons: [...failures, ...gaps, ...warnings],
    counts,
    ...(whole && { recoveryTimeSeconds: whole.seconds }),
    goals,
  };
}

function unknownText({ name }: MachineRestore): string {
  return `${name} was changed after an \`up\` that left no record of it, and may have sent it as it was`;
}

function verdictWord({ failures, gaps, warnings }: Findings): VerdictWord {
  if (failures.length > 0) return "failed";
  if (gaps.length > 0) return "incomplete";
  return warnings.length > 0 ? "passed with warnings" : "passed";
}

/** Only intents and records stored under the run count. */
function otherRunGap({ run }: JudgedRun, wave: string, stored: JudgedWave | undefined): string | undefined {
  if (stored?.intentRun === undefined) return `wave ${wave} was not begun`;
  if (stored.intentRun !== run) return `wave ${wave} was last asked for in run ${stored.intentRun}`;
  if (stored.waveRun === undefined) return `wave ${wave} was not carried out`;
  return stored.waveRun === run ? undefined : `wave ${wave} was last carried out in run ${stored.waveRun}`;
}

/** The restores that a wave declares, or has asked for. What it has stored for another run does not count. */
export function restoresOfWave(
  run: string,
  { name: wave, restores: declared }: PlanWave,
  stored: JudgedWave | undefined,
): readonly WaveRestore[] {
  const entries = stored?.intentRun === run ? stored.entries : {};
  const record = stored?.waveRun === run ? stored.restores : {};
  return [...new Set([...Object.keys(declared), ...Object.keys(entries)])].flatMap((name): WaveRestore[] => {
    const [planned, asked] = [own(declared, name), own(entries, name)];
    // The run may be saved without its intents: what the plan declares since was not asked for.
    const entry = asked && planned && formText(asked) !== formText(declaredForm(planned)) ? undefined : asked;
    const machine = (entry ?? planned)?.machine;
    if (machine === undefined) return [];
    const events = own(record, name) ?? [];
    const happened = whatHappened(events, entry?.id);
    return [
      {
        name,
        wave,
        ...(planned && { planned }),
        ...(entry && { entry }),
        events,
        machine,
        mayBeSent: asked !== undefined && stored?.isPending === true,
        panel: asked && stored && own(stored.panels, asked.mark),
        happened,
        checks: planned?.checks ?? [],
      },
    ];
  });
}

/** Whether a restore is of this point: what was sent is, and of an adopted transaction only its row says so. */
export function isOfPoint({ did, point }: Attempt["sent"], asked: string | undefined): boolean {
  return point === asked || (did === "posted" && point === undefined);
}

/** When the restored point was taken. An adopted transaction may have used another point than requested, whose time is unknown. */
export function pointTakenAt(
  planned: Partial<Pick<PlanRestore, "takenAt">>,
  entry: Entry | undefined,
  { counts }: Pick<Happened, "counts">,
): string | undefined {
  if (entry === undefined || counts === undefined) return undefined;
  const asked = typeof entry.point === "string" ? entry.point : entry.chosen?.id;
  if (!isOfPoint(counts.sent, asked)) return undefined;
  return typeof entry.point === "string" ? planned.takenAt : entry.chosen?.takenAt;
}

/** The word for a restore's state. `mayBeSent`: an `up` that was killed or is running may have sent it without a record yet. */
export function stateOf(
  {
    happened,
    checks,
    mayBeSent,
  }: { readonly happened: Happened; readonly checks: readonly AskedCheck[]; readonly mayBeSent: boolean },
  overwriting: Overwriting | undefined,
): RestoreState {
  if (happened.state === "not sent" && mayBeSent) return "sent";
  if (happened.state !== "complete") return happened.state;
  if (overwriting !== undefined) return "overwritten";
  const isChecked = checkResults(happened.counts, checks).every(({ event }) => event?.passed === true);
  return isChecked ? "complete" : "not checked";
}

function collectFindings(
  run: JudgedRun,
  restore: JudgedRestore,
  overwriting: Overwriting | undefined,
  { failures, gaps, warnings }: Findings,
): void {
  const { name, happened, takenAt } = restore;
  const { state, counts } = happened;
  const transaction = transactionText(counts?.ids ?? []);
  const reason = notCompleteText(restore);
  if (reason !== undefined) (state === "failed" || state === "cancelled" ? failures : gaps).push(`${name} ${reason}`);
  const checked = state === "complete" ? checkResults(counts, restore.checks) : [];
  for (const { name: check, event } of checked) {
    if (event === undefined) gaps.push(`${name}: check ${check} has not run`);
    else if (!event.passed)
      failures.push(`${name}: check ${check} did not pass${event.why === undefined ? "" : `: ${event.why}`}`);
  }
  if (overwriting !== undefined) gaps.push(`${name} ${overwrittenText(overwriting)}`);
  if (state !== "complete" || counts === undefined) return;
  const { incidentAt } = run.plan;
  if (incidentAt !== undefined && takenAt !== undefined && isAfter(takenAt, incidentAt))
    gaps.push(`${name} was restored from a point of ${takenAt}, after the incident of ${incidentAt}`);
  const finishedAt = counts.ended?.finishedAt;
  if (takenAt !== undefined && isAfter(takenAt, finishedAt ?? counts.ended?.at))
    warnings.push(
      `${name}: its recovery point is stamped ${takenAt}, after the restore's own end, so its data has no age`,
    );
  // Whatever once ended badly is still listed; what a check says now is above.
  const bad = happened.bad.filter((one) => !checked.some(({ event }) => event === one)).map(badText);
  if (bad.length > 0) warnings.push(`${name}: ${firstFew([...new Set(bad)], 5)}`);
  if (happened.attempts.length > 1)
    warnings.push(`${name} was restored ${String(happened.attempts.length)} times in this run`);
  if (counts.sent.did === "adopted")
    warnings.push(
      `${name} was adopted (${transaction}): ${counts.sent.why === "named" ? "adopt names it" : "an earlier attempt had sent it"}`,
    );
  for (const warning of counts.ended?.warnings ?? []) warnings.push(`${name}: ${warning}`);
}

const mayBeSentText = "may have been sent: an `up` is under way, or broke off";

/** Why a restore is not complete, after its name. Undefined if it is: its checks, and what came after it, are not part of this. */
export function notCompleteText({
  happened,
  mayBeSent,
}: Pick<JudgedRestore, "happened" | "mayBeSent">): string | undefined {
  const { state, counts, attempts, stop } = happened;
  const transaction = transactionText(counts?.ids ?? []);
  // A restore that was not sent is named once, and its state is not a reason.
  const cause = stop?.why.replace(/^.*?\bnot sent: /s, "");
  const why = cause === undefined || cause === `is ${state}` ? "" : `: ${cause}`;
  switch (state) {
    case "complete":
      return undefined;
    case "failed": {
      const part = counts?.ended?.failedPart;
      return part === undefined ? `failed (${transaction})` : `is complete, but its transaction ${part} failed`;
    }
    case "cancelled":
      return `was cancelled (${transaction})`;
    case "not sent":
      if (mayBeSent) return mayBeSentText;
      return `was not sent${attempts.length > 0 ? " since it was changed" : ""}${why}`;
    case "sent":
      return `was sent, and is not listed${why}`;
    case "pending":
    case "running":
      return `is ${state} (${transaction})${why}`;
  }
}

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

/** A restore that was removed from the plan keeps its record. */
function takenOutWarnings({ run, plan }: JudgedRun, waves: readonly JudgedWave[]): readonly string[] {
  return waves
    .filter(({ waveRun }) => waveRun === run)
    .flatMap((wave) => {
      const planned = plan.waves.find(({ name }) => name === wave.name)?.restores ?? {};
      return Object.entries(wave.restores).flatMap(([name, events]) => {
        if (Object.hasOwn(planned, name) || events.length === 0) return [];
        const { attempts, bad } = whatHappened(events, events.at(-1)?.entry);
        if (attempts.length === 0 && bad.length === 0) return [];
        const told = bad.length === 0 ? "" : `: ${firstFew([...new Set(bad.map(badText))], 5)}`;
        return [`${name} was taken out of wave ${wave.name} after it was carried out${told}`];
      });
    });
}

function measureGoals(plan: PlanText, judged: readonly JudgedRestore[], notOfRun: ReadonlySet<string>) {
  const times = judged.map((restore) => ({
    restore,
    time: notOfRun.has(restore.wave) ? undefined : recoveryTime(restore),
  }));
  const goals = times.flatMap(({ restore, time }) => {
    const { name, planned, wave } = restore;
    const wanted = effectiveGoals(planned.goals, plan.waves.find((one) => one.name === wave)?.goals, plan.goals);
    const age = notOfRun.has(wave) ? undefined : dataAge(restore, plan.incidentAt);
    return [
      ...goalResult({ goal: "recoveryTime", restore: name }, wanted.recoveryTimeSeconds, time),
      ...goalResult({ goal: "dataAge", restore: name }, wanted.dataAgeSeconds, age),
    ];
  });
  const whole = wholeTime(times);
  return {
    goals: [...goals, ...goalResult({ goal: "recoveryTime" }, plan.wholeGoals?.recoveryTimeSeconds, whole)],
    whole,
  };
}

/** From the first request to the last end or check. Known only when all restores are back, by one clock. */
function wholeTime(
  all: readonly { readonly restore: JudgedRestore; readonly time: RecoveryTime | undefined }[],
): Pick<RecoveryTime, "seconds" | "clock" | "waitedSeconds"> | undefined {
  const times = all.flatMap(({ restore, time }) => (time === undefined ? [] : [{ ...time, restore }]));
  const [first] = times;
  if (first === undefined || times.length < all.length || times.some(({ clock }) => clock !== first.clock))
    return undefined;
  const spans = times.map((time) => ({ ...time, from: parseStamp(time.firstAt)?.at ?? NaN }));
  const begin = Math.min(...spans.map(({ from }) => from));
  const end = Math.max(...spans.map(({ from, seconds }) => from + seconds * 1_000));
  if (Number.isNaN(begin) || Number.isNaN(end)) return undefined;
  // Waits add up over the restores of a machine and over waves; machines wait at the same time.
  const byWave = new Map<string, Map<string, number>>();
  for (const { restore, from, waitedSeconds, waitedBefore } of spans) {
    const machines = byWave.get(restore.wave) ?? new Map<string, number>();
    byWave.set(restore.wave, machines);
    const waited = waitedSeconds + (from > begin ? waitedBefore : 0);
    machines.set(restore.machine, (machines.get(restore.machine) ?? 0) + waited);
  }
  const waitedSeconds = [...byWave.values()].reduce((sum, machines) => sum + Math.max(...machines.values()), 0);
  return { seconds: Math.round((end - begin) / 1_000), clock: first.clock, waitedSeconds };
}
