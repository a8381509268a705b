import { isDeepStrictEqual } from "node:util";
import { lastChangeOf, whyNotCounted, type AssessedRestore } from "../provider/plan/verdict";
import { hidden } from "../provider/plan/stored";
import { lastTryOf } from "./findings/ledger";
import { safeData } from "./model/safe-text";
import type { EarlierTry, NotCarriedOut, Step } from "./model/model";
import type { PlannedRestore, PlannedWave, StoredPlanRun } from "./state/plan-run";
import type { RecordedStep, PlanWaveResource } from "./state/plan-wave";
import type { PendingOperation } from "./state/read-state";
import { definedOnly, plainDataOf } from "./state/values";
import { asCounted, type IntentResource, type StoredRestore } from "./state/restores";

/** One run of a plan with its records in the state. */
export interface RunInState {
  readonly run: StoredPlanRun;
  readonly waves: readonly PlanWaveResource[];
  readonly restores: readonly StoredRestore[];
  readonly intents: readonly IntentResource[];
  readonly pending: readonly PendingOperation[];
}

/** A planned restore as it is judged: with its step, or with the reason why there is none. */
export interface PlannedOutcome extends AssessedRestore<Step> {
  readonly planned: PlannedRestore;
  readonly notCarriedOut?: NotCarriedOut;
}

/** The outcome of each planned restore of a wave: from the wave's record, or else from the restore's own. */
export function outcomesOfWave(
  wave: PlannedWave,
  waves: readonly PlannedWave[],
  found: RunInState,
): readonly PlannedOutcome[] {
  const steps = groupBy(found.waves.find((one) => one.name === wave.name)?.steps ?? [], ({ step }) => step.name);
  const restores = groupBy(found.restores, ({ rawName }) => rawName);
  const intents = groupBy(found.intents, ({ rawName }) => rawName);
  return wave.restores.map((planned): PlannedOutcome => {
    const [recorded] = steps(planned.name);
    const restore = restores(planned.rawName).find(({ step }) => step.kind === planned.kind);
    const intent = intents(planned.rawName).find(({ kind }) => kind === planned.kind);
    const about = { wave: wave.name, name: planned.name, goals: planned.goals, planned };
    const whyNot = recorded && whyStepIsNotCounted(recorded, wave.name, planned, { restore, intent, run: found.run });
    if (recorded !== undefined && whyNot === undefined) {
      const log = recorded.step.log ?? restore?.step.log;
      const known = endSeenSince(restore, recorded, planned.name) ?? asCounted(recorded.step, restore?.notCounted);
      const step = { ...withPlannedPointTime(known, planned), checks: withPlannedChecks(recorded, planned), log };
      return { ...about, step: withLedger(step, planned, [], found.waves) };
    }
    if (recorded !== undefined && whyNot !== undefined && !isSentAgain(recorded, restore, intent)) {
      const notCarriedOut = notCarriedOutFrom(planned, wave.name, undefined, { ...found, pending: [] }, undefined);
      return { ...about, missing: whyNot, notCarriedOut: { ...notCarriedOut, why: `It ${whyNot}.` } };
    }
    if (restore !== undefined && matchesPlan({ ...restore.step, triggers: restore.triggers }, planned)) {
      const step = { ...withPlannedPointTime(restore.step, planned), name: planned.name, checks: planned.checks };
      const before = recorded === undefined ? [] : [lastTryOf(recorded.step)];
      return { ...about, step: withLedger(step, planned, before, found.waves) };
    }
    const failed = found.run.about.onFailure === "continue" ? undefined : earlierFailedWave(waves, wave.name, found);
    const notCarriedOut = notCarriedOutFrom(planned, wave.name, intent, found, failed);
    const isBegun = notCarriedOut.what === "outcome not stored";
    return {
      ...about,
      ...(isBegun && { missing: "was started, but its outcome is not in the state" }),
      notCarriedOut,
    };
  });
}

/** Judges by the verdict's own rule, and whatever the state says, a record of another machine or point is no record of this restore. */
function whyStepIsNotCounted(
  recorded: RecordedStep,
  wave: string,
  planned: PlannedRestore,
  {
    restore,
    intent,
    run,
  }: {
    readonly restore: StoredRestore | undefined;
    readonly intent: IntentResource | undefined;
    readonly run: StoredPlanRun;
  },
): string | undefined {
  const changedAt = lastChangeOf(wave, planned.name, run.history);
  const now = { revision: planned.revision, posting: undefined, runStartedAt: run.identity, changedAt };
  if (!matchesTarget(recorded.step, planned)) return whyNotCounted(recorded, { ...now, revision: "another one" });
  const isAgain = isSentAgain(recorded, restore, intent);
  return whyNotCounted(recorded, { ...now, posting: isAgain ? "another one" : recorded.posting });
}

/** True if another posting was begun since: its intent is saved first, then its restore, and the wave's record last. */
function isSentAgain(
  { posting }: RecordedStep,
  restore: StoredRestore | undefined,
  intent: IntentResource | undefined,
): boolean {
  if (posting === undefined) return false;
  const isOtherIntent = intent?.id !== undefined && intent.id !== posting.split("/")[0];
  return isOtherIntent || (restore?.posting !== undefined && restore.posting !== posting);
}

/** A planned check that is missing in the record was not run. */
function withPlannedChecks({ step }: RecordedStep, planned: PlannedRestore): Step["checks"] {
  const isIncluded = ({ kind, target }: Step["checks"][number]): boolean =>
    step.checks.some((check) => check.kind === kind && check.target === target);
  return [...step.checks, ...planned.checks.filter((check) => !isIncluded(check))];
}

/** Adds its revision, and every earlier try of the run, in whichever wave the restore stood then. */
function withLedger(
  step: Step | (Omit<Step, "log"> & { log: string | undefined }),
  { revision }: PlannedRestore,
  before: readonly EarlierTry[],
  waves: readonly PlanWaveResource[],
): Step {
  const all = [...waves.flatMap(({ earlierTries }) => earlierTries[step.name] ?? []), ...before];
  return definedOnly({ ...step, revision, earlierTries: all.length === 0 ? undefined : all });
}

/** A plan may have ten thousand restores, so lookups go by name. */
function groupBy<T>(all: readonly T[], nameOf: (one: T) => string): (name: string) => readonly T[] {
  const named = new Map<string, T[]>();
  for (const one of all) {
    const same = named.get(nameOf(one));
    if (same === undefined) named.set(nameOf(one), [one]);
    else same.push(one);
  }
  return (name) => named.get(name) ?? [];
}

function withPlannedPointTime(step: Step, { recoveryPointTakenAt }: PlannedRestore): Step {
  return step.recoveryPointTakenAt === undefined && recoveryPointTakenAt !== undefined
    ? { ...step, recoveryPointTakenAt }
    : step;
}

/** An intent that is held back posts nothing. One for another machine, point or paths belongs to an earlier form of the plan. */
function intentMatchesPlan(intent: IntentResource, planned: PlannedRestore): boolean {
  return !intent.isHeldBack && matchesPlan(intent, planned);
}

/** True if a stored restore or intent is for what the plan shows; a secret part agrees with anything. */
function matchesTarget(
  stored: Pick<Step, "kind" | "virtualMachineId" | "recoveryPointId" | "chosenBy">,
  planned: PlannedRestore,
): boolean {
  const isSame = (shown: unknown, known: unknown): boolean => !isShown(shown) || isDeepStrictEqual(shown, known);
  return (
    planned.kind === stored.kind &&
    isSame(planned.virtualMachineId, stored.virtualMachineId) &&
    // The plan then holds the rule and not the point. Planned and stored rules have the same words.
    (planned.rule === undefined
      ? isSame(planned.recoveryPointId, stored.recoveryPointId)
      : isSame(planned.rule, stored.chosenBy?.rule))
  );
}

/** The same of everything else that a restore is for. A wave's record holds neither all paths nor triggers. */
function matchesPlan(
  stored: Pick<Step, "kind" | "virtualMachineId" | "recoveryPointId" | "chosenBy" | "paths"> & {
    readonly triggers: unknown;
  },
  planned: PlannedRestore,
): boolean {
  if (!matchesTarget(stored, planned)) return false;
  const paths = (of: readonly string[] | undefined): readonly string[] => [...(of ?? [])].sort();
  const isSamePaths = !isShown(planned.paths) || isDeepStrictEqual(paths(planned.paths), paths(stored.paths));
  const own = safeData(planned.triggers ?? []);
  const made = safeData(plainDataOf(stored.triggers));
  return isSamePaths && (!isShown(own) || !Array.isArray(made) || isDeepStrictEqual(own, made.slice(1)));
}

/** Values that the program marked as secrets cannot be compared. */
function isShown(value: unknown): boolean {
  return !JSON.stringify(value ?? null).includes(hidden);
}

/** The restore's own record where it has an end, as a refresh sees it, and its wave's has none yet. */
function endSeenSince(
  restore: StoredRestore | undefined,
  { step, posting }: RecordedStep,
  name: string,
): Step | undefined {
  if (restore === undefined || posting === undefined || restore.posting !== posting) return undefined;
  const isOpen = step.result === "unfinished" && step.status !== "overwritten";
  return isOpen && restore.step.result !== "unfinished" ? { ...step, ...restore.step, name } : undefined;
}

function earlierFailedWave(waves: readonly PlannedWave[], wave: string, found: RunInState): string | undefined {
  const before = waves.slice(
    0,
    waves.findIndex(({ name }) => name === wave),
  );
  return before.find(({ name }) => found.waves.some((one) => one.name === name && hasFailed(one)))?.name;
}

function hasFailed({ steps, problems }: PlanWaveResource): boolean {
  return problems.length > 0 || steps.some(({ step }) => step.result === "failed" || step.result === "cancelled");
}

function notCarriedOutFrom(
  planned: PlannedRestore,
  wave: string,
  intent: IntentResource | undefined,
  { pending }: RunInState,
  failed: string | undefined,
): NotCarriedOut {
  const own = intent !== undefined && intentMatchesPlan(intent, planned) ? intent : undefined;
  const started = own !== undefined || pending.some(({ rawName }) => rawName === planned.rawName);
  const at = own?.madeAt === undefined ? "" : ` at ${own.madeAt}`;
  const { rule } = planned;
  return {
    wave,
    restore: planned.name,
    virtualMachineId: planned.virtualMachineId,
    recoveryPointId: planned.recoveryPointId ?? own?.recoveryPointId ?? "not chosen",
    ...(rule !== undefined && { chosenBy: own?.chosenBy ?? { rule } }),
    what: started ? "outcome not stored" : "not begun",
    why: started
      ? `It was started${at}, but its outcome is not in the state: the run ended first, or the panel refused the request.`
      : failed === undefined
        ? "The run ended before it reached this restore."
        : `The plan stops after a failure, and wave ${failed} failed.`,
  };
}
