import type { Check, NotCarriedOut, Step } from "./model/model";
import type { PlannedRestore, PlannedWave, StoredPlanRun, StepGoals } from "./state/plan-run";
import type { StoredPlanStep, StoredPlanWave } from "./state/plan-wave";
import type { Pending } from "./state/read";
import { known } from "./state/values";
import type { IntentResource, StoredRestore } from "./state/restores";

/** What the state holds of one run of a plan, beside the run itself. */
export interface Found {
  readonly run: StoredPlanRun;
  readonly waves: readonly StoredPlanWave[];
  readonly restores: readonly StoredRestore[];
  readonly intents: readonly IntentResource[];
  readonly pending: readonly Pending[];
}

/** A planned restore and what became of it. */
export interface Fate {
  readonly planned: PlannedRestore;
  readonly goals: StepGoals;
  readonly outcome: { readonly step: Step; readonly retried: boolean } | { readonly missing: NotCarriedOut };
  /** When an earlier try of this run was first requested. */
  readonly firstRequestedAt?: string;
}

/** What became of each planned restore of a wave: the wave's own record, or else what the restore has stored itself. */
export function fatesOf(
  wave: PlannedWave,
  index: number,
  waves: readonly PlannedWave[],
  found: Found,
): readonly Fate[] {
  const stored = found.waves.find((one) => one.index === index && one.name === wave.name);
  return wave.restores.map((planned): Fate => {
    const kept = stored?.steps.find(({ step }) => step.name === planned.name && isOfTarget(step, planned));
    const restore = found.restores.find((one) => isRestoreOf(one, planned));
    const goals = kept?.goals ?? planned.goals;
    const earlier = known({ firstRequestedAt: kept?.firstRequestedAt ?? kept?.step.requestedAt });
    if (kept !== undefined && !isMadeAnew(kept, planned, found) && !isLater(restore, kept.step)) {
      const checks = [...kept.step.checks, ...planned.checks.filter((check) => !isAmong(check, kept.step.checks))];
      const log = kept.step.log ?? restore?.step.log;
      const step = { ...pointTime(kept.step, planned), checks, ...(log !== undefined && { log }) };
      return { planned, goals, ...earlier, outcome: { step: asRecovered(step), retried: kept.retried !== "no" } };
    }
    if (restore !== undefined) {
      const step = { ...pointTime(restore.step, planned), name: planned.name, checks: planned.checks };
      return { planned, goals, ...earlier, outcome: { step: asRecovered(step), retried: kept !== undefined } };
    }
    return {
      planned,
      goals,
      ...earlier,
      outcome: { missing: missing(planned, wave.name, found, failedBefore(waves, index, found)) },
    };
  });
}

function pointTime(step: Step, { recoveryPointTakenAt }: PlannedRestore): Step {
  return step.recoveryPointTakenAt === undefined && recoveryPointTakenAt !== undefined
    ? { ...step, recoveryPointTakenAt }
    : step;
}

/** A machine with a check that did not pass, or was not run, was not shown to be recovered. */
function asRecovered(step: Step): Step {
  if (step.checks.every(({ result }) => result === "passed")) return step;
  const shown = { ...step };
  delete (shown as { recoveredSeconds?: number }).recoveredSeconds;
  return shown;
}

/** A check that was planned and is not in the record was not run, whatever else was. */
function isAmong({ kind, target }: Check, checks: readonly Check[]): boolean {
  return checks.some((check) => check.kind === kind && check.target === target);
}

function isOfTarget(step: Step, planned: PlannedRestore): boolean {
  return (
    step.kind === planned.kind &&
    step.virtualMachineId === planned.virtualMachineId &&
    step.recoveryPointId === planned.recoveryPointId
  );
}

function isRestoreOf({ step, rawName }: StoredRestore, planned: PlannedRestore): boolean {
  return rawName === planned.rawName && isOfTarget(step, planned);
}

/** Whether another restore was begun since: the engine saves its intent first, and the wave's record comes last. */
function isMadeAnew({ intentId }: StoredPlanStep, planned: PlannedRestore, { intents }: Found): boolean {
  const intent = intents.find((one) => isIntentOf(one, planned));
  return intentId !== undefined && intent?.id !== undefined && intent.id !== intentId;
}

function isIntentOf({ rawName, kind }: IntentResource, planned: PlannedRestore): boolean {
  return rawName === planned.rawName && kind === planned.kind;
}

/** A try made after the wave had stored the one before it. */
function isLater(restore: StoredRestore | undefined, kept: Step): boolean {
  const [now, before] = [restore?.step.requestedAt, kept.requestedAt];
  return now !== undefined && before !== undefined && Date.parse(now) > Date.parse(before);
}

function failedBefore(waves: readonly PlannedWave[], index: number, found: Found): string | undefined {
  const failed = found.waves.find((one) => one.index < index && hasFailed(one));
  return failed === undefined ? undefined : waves[failed.index]?.name;
}

function hasFailed({ steps, problems }: StoredPlanWave): boolean {
  return problems.length > 0 || steps.some(({ step }) => step.result === "failed" || step.result === "cancelled");
}

function missing(
  planned: PlannedRestore,
  wave: string,
  { intents, pending }: Found,
  failed: string | undefined,
): NotCarriedOut {
  const intent = intents.find((one) => isIntentOf(one, planned));
  const begun = intent !== undefined || pending.some(({ rawName }) => rawName === planned.rawName);
  const at = intent?.madeAt === undefined ? "" : ` at ${intent.madeAt}`;
  return {
    wave,
    restore: planned.name,
    virtualMachineId: planned.virtualMachineId,
    recoveryPointId: planned.recoveryPointId,
    what: begun ? "outcome not stored" : "not begun",
    why: begun
      ? `It was begun${at}, and its outcome is not in the state: the run ended before, or the panel refused the request.`
      : failed === undefined
        ? "The run ended before it came to this restore."
        : `The plan stops after a failure, and wave ${failed} failed.`,
  };
}

export function stepsOf(fates: readonly Fate[]): readonly Step[] {
  return fates.flatMap(({ outcome }) => ("step" in outcome ? [outcome.step] : []));
}
