import { isDeepStrictEqual } from "node:util";
import { isOtherHash, isSentInRun, sentEarlierText, type AssessedRestore } from "../provider/plan/verdict";
import { hidden } from "../provider/plan/stored";
import { isStoredFor } from "../provider/plan/stored-for";
import { safeData } from "./model/safe-text";
import type { Check, EarlierTry, NotCarriedOut, Plan, Step } from "./model/model";
import type { PlannedRestore, PlannedWave, StoredPlanRun, StepGoals } from "./state/plan-run";
import type { StoredPlanStep, PlanWaveResource } from "./state/plan-wave";
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

/** A planned restore with its step, or with the reason why there is none. */
export interface PlannedOutcome {
  readonly planned: PlannedRestore;
  readonly goals: StepGoals;
  readonly outcome:
    { readonly step: Step; readonly comparedBy: NonNullable<Plan["comparedBy"]> } | { readonly missing: NotCarriedOut };
}

/** The outcome of each planned restore of a wave: from the wave's record, or else from the restore's own. */
export function outcomesOfWave(
  wave: PlannedWave,
  index: number,
  waves: readonly PlannedWave[],
  found: RunInState,
): readonly PlannedOutcome[] {
  const stored = found.waves.find((one) => one.index === index && one.name === wave.name);
  const steps = groupBy(stored?.steps ?? [], ({ step }) => step.name);
  const restores = groupBy(found.restores, ({ rawName }) => rawName);
  const intents = groupBy(found.intents, ({ rawName }) => rawName);
  return wave.restores.map((planned): PlannedOutcome => {
    const recorded = steps(planned.name).find((one) => stepMatchesPlan(one, planned));
    const restore = restores(planned.rawName).find((one) => restoreMatchesPlan(one, planned));
    const intent = intents(planned.rawName).find(({ kind }) => kind === planned.kind);
    const { goals } = planned;
    if (recorded !== undefined && !isSentInRun(recorded, found.run.identity) && !wasStartedAgain(recorded, intent)) {
      const missing = notCarriedOutFrom(planned, wave.name, undefined, { ...found, pending: [] }, undefined);
      return { planned, goals, outcome: { missing: { ...missing, why: `It ${sentEarlierText}.` } } };
    }
    if (recorded !== undefined && !wasStartedAgain(recorded, intent) && !isLaterTry(restore, recorded.step)) {
      const checks = [
        ...recorded.step.checks,
        ...planned.checks.filter((check, index) => !isIncluded(check, planned.definition?.checks[index], recorded)),
      ];
      const log = recorded.step.log ?? restore?.step.log;
      const known = endSeenSince(restore, recorded, planned.name) ?? asCounted(recorded.step, restore?.notCounted);
      const step = definedOnly({ ...withPlannedPointTime(known, planned), checks, log });
      const isHashed = planned.madeFor !== undefined && recorded.madeFor !== undefined;
      return {
        planned,
        goals,
        outcome: { step, comparedBy: isHashed ? "every deciding input" : "machine, point and kind" },
      };
    }
    if (restore !== undefined) {
      const tries =
        recorded === undefined
          ? {}
          : { earlierTries: [...(recorded.step.earlierTries ?? []), earlierTryFrom(recorded.step)] };
      const step = {
        ...withPlannedPointTime(restore.step, planned),
        name: planned.name,
        checks: planned.checks,
        ...tries,
      };
      return { planned, goals, outcome: { step, comparedBy: "every deciding input" } };
    }
    return {
      planned,
      goals,
      outcome: {
        missing: notCarriedOutFrom(planned, wave.name, intent, found, earlierFailedWave(waves, index, found)),
      },
    };
  });
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

function earlierTryFrom({ result, status, transactionIds, requestedAt, finishedAt }: Step): EarlierTry {
  return definedOnly({ result, status, transactionIds, requestedAt, finishedAt });
}

/** A planned check that is missing in the record, or stands there with other words or expectations, was not run. */
function isIncluded({ kind, target }: Check, hash: string | undefined, { step, definition }: StoredPlanStep): boolean {
  return step.checks.some(
    (check, place) => check.kind === kind && check.target === target && !isOtherHash(hash, definition?.checks[place]),
  );
}

/** Matches by the verdict's own rule. */
function stepMatchesPlan({ step, madeFor }: StoredPlanStep, planned: PlannedRestore): boolean {
  return isStoredFor(plannedTarget(planned), plannedHash(planned), {
    ...storedTarget(step),
    ...(madeFor !== undefined && { madeFor }),
  });
}

/** A restore's own record and its intent have no hash, but hold paths and triggers in full. */
function restoreMatchesPlan({ step, triggers }: StoredRestore, planned: PlannedRestore): boolean {
  return matchesPlan({ ...step, triggers }, planned);
}

/** An intent that is held back posts nothing. One for another machine, point or paths belongs to an earlier form of the plan. */
function intentMatchesPlan(intent: IntentResource, planned: PlannedRestore): boolean {
  return !intent.isHeldBack && matchesPlan(intent, planned);
}

function matchesPlan(
  stored: Pick<Step, "kind" | "virtualMachineId" | "recoveryPointId" | "chosenBy" | "paths"> & {
    readonly triggers: unknown;
  },
  planned: PlannedRestore,
): boolean {
  const { triggers } = stored;
  if (!isStoredFor(plannedTarget(planned), undefined, storedTarget(stored))) return false;
  const paths = (of: readonly string[] | undefined): readonly string[] => [...(of ?? [])].sort();
  const isSamePaths = isShown(planned.paths) ? isDeepStrictEqual(paths(planned.paths), paths(stored.paths)) : true;
  const own = safeData(planned.triggers ?? []);
  const made = safeData(plainDataOf(triggers));
  const isSameTriggers = !isShown(own) || !Array.isArray(made) || isDeepStrictEqual(own, made.slice(1));
  return isSamePaths && isSameTriggers;
}

/** Planned and stored rules have the same words, so they can be compared. */
function storedTarget({
  kind,
  virtualMachineId,
  recoveryPointId,
  chosenBy,
}: Pick<Step, "kind" | "virtualMachineId" | "recoveryPointId" | "chosenBy">): Parameters<typeof isStoredFor>[2] {
  return { kind, virtualMachineId, recoveryPointId, recoveryPoint: chosenBy?.rule };
}

function plannedTarget(planned: PlannedRestore): Parameters<typeof isStoredFor>[0] {
  const { virtualMachineId, recoveryPointId, rule, kind, paths = [] } = planned;
  const point = rule === undefined ? { recoveryPointId: recoveryPointId ?? "" } : { recoveryPoint: rule };
  return { virtualMachineId, ...point, ...(kind === "FileRestore" && { paths }) };
}

function plannedHash({ madeFor }: PlannedRestore): { readonly madeFor: string } | undefined {
  return madeFor === undefined ? undefined : { madeFor };
}

/** Values that the program marked as secrets cannot be compared. */
function isShown(value: unknown): boolean {
  return !JSON.stringify(value ?? null).includes(hidden);
}

/** True if another restore was started since: its intent is saved first, the wave's record last. */
function wasStartedAgain({ intentId }: StoredPlanStep, intent: IntentResource | undefined): boolean {
  return intentId !== undefined && intent?.id !== undefined && intent.id !== intentId;
}

/** The restore's own record where it has an end, as a refresh sees it, and its wave's has none yet. */
function endSeenSince(
  restore: StoredRestore | undefined,
  { step, intentId }: StoredPlanStep,
  name: string,
): Step | undefined {
  if (restore === undefined || intentId === undefined || restore.intent.id !== intentId) return undefined;
  const isOpen = step.result === "unfinished" && step.status !== "overwritten";
  return isOpen && restore.step.result !== "unfinished" ? { ...step, ...restore.step, name } : undefined;
}

/** True if the restore's own record is of a later try than the wave's. */
function isLaterTry(restore: StoredRestore | undefined, recorded: Step): boolean {
  const [now, before] = [restore?.step.requestedAt, recorded.requestedAt];
  return now !== undefined && before !== undefined && Date.parse(now) > Date.parse(before);
}

function earlierFailedWave(waves: readonly PlannedWave[], index: number, found: RunInState): string | undefined {
  const failed = found.waves.find((one) => one.index < index && hasFailed(one));
  return failed === undefined ? undefined : waves[failed.index]?.name;
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

/** The outcome in the form that the verdict is judged by. */
export function toAssess({ planned, goals, outcome }: PlannedOutcome, wave: string): AssessedRestore {
  const about = { wave, name: planned.name, goals };
  if ("missing" in outcome) {
    const isBegun = outcome.missing.what === "outcome not stored";
    const isEarlier = outcome.missing.why === `It ${sentEarlierText}.`;
    return {
      ...about,
      ...(isBegun && { missing: "was started, but its outcome is not in the state" }),
      ...(isEarlier && { missing: sentEarlierText }),
    };
  }
  return { ...about, step: outcome.step };
}

export function stepsOfOutcomes(outcomes: readonly PlannedOutcome[]): readonly Step[] {
  return outcomes.flatMap(({ outcome }) => ("step" in outcome ? [outcome.step] : []));
}
