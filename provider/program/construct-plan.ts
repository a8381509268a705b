import * as pulumi from "@pulumi/pulumi";
import type { ParsedPlan, ParsedRestore, ParsedWave } from "../inputs/read-plan";
import { canonicalValue } from "../inputs/restore-table";
import type { StoredGoal, StoredStep, StoredWave } from "../plan/stored";
import type { BetweenWaves } from "./between-waves";
import { PlanRun, PlanVerdict, PlanWave } from "./plan-children";
import {
  waveInputOf,
  checksWithoutSecrets,
  expectedRestores,
  goalsOf,
  choosesPointByRule,
  intentsMadeFor,
  probesOf,
  triggersWithRun,
} from "./plan-wave-inputs";
import type { PlanBackend } from "./plan-backend";
import type { Restore } from "./restores";
import { type GivenInputs, incidentAtKey, inPlanKey } from "./restore-intent";
import { maskSecrets, mapUnlessSecret, withDatesAsText } from "./program-values";
import { shortenStackTraces } from "./stack-traces";

/** The result of one restore of a plan. Times are in seconds; a field that is not known is absent. */
export interface PlannedRestoreResult extends Omit<
  StoredStep,
  "goals" | "earlierTries" | "posting" | "postedAfter" | "madeFor" | "definition" | "droppedChecks" | "runStartedAt"
> {
  /** The name of its wave. */
  readonly wave: string;
  /** Its goals, with their verdicts. */
  readonly goals: readonly StoredGoal[];
}

/** The plan's parent, its dependencies, and the backend that its resources are registered with. */
export interface PlanContext {
  readonly parent: pulumi.Resource;
  readonly dependsOn: pulumi.ResourceOptions["dependsOn"];
  readonly backend: PlanBackend;
  /** @default nothing between the waves */
  readonly between?: BetweenWaves;
}

/** Registers the resources of a plan, and returns the plan's outputs. It takes plain data, so that it serves programs in any language. */
export function constructPlan(name: string, plan: ParsedPlan, context: PlanContext): pulumi.Inputs {
  // All frames between a part and the program are this package's own.
  const undoShortening = shortenStackTraces(1);
  try {
    return constructParts(name, plan, context);
  } finally {
    undoShortening();
  }
}

function constructParts(
  name: string,
  plan: ParsedPlan,
  { parent, dependsOn, backend, between }: PlanContext,
): pulumi.Inputs {
  const run = new PlanRun(
    `${name}-run`,
    {
      plan: name,
      run: maskSecrets(plan.run),
      kind: plan.kind,
      asGiven: planAsGiven(plan),
      incidentAt: maskSecrets(plan.incidentAt),
      notes: plan.notes && maskSecrets(plan.notes),
      expected: expectedRestores(name, plan, parent, backend),
    },
    // Everything else of the plan depends on the run, and so on what the plan depends on.
    { parent, ...(dependsOn !== undefined && { dependsOn }) },
    backend,
  );
  // An output that the state does not have is unknown in every preview: an unchanged plan would seem to be changed.
  const incidentInput = plan.incidentAt === undefined ? {} : { incidentAt: run.incidentAt };
  warnOfUnmeasurableGoals(plan, parent);

  const waves: PlanWave[] = [];
  const lastBatches: PlanWave[] = [];
  for (const [index, wave] of plan.waves.entries()) {
    const batches = wave.restores.length === 0 ? [[]] : batchesOf(wave.restores);
    let earlierReasons: pulumi.Input<readonly string[]> = [];
    for (const [batch, restores] of batches.entries()) {
      const before = [waves.at(-1) ?? run, ...(between?.dependencies[index] ?? [])];
      const constructed = restores.map(
        // A protected plan hands its protection down, and a new run has to replace its restores.
        (planned) =>
          [
            planned,
            constructPlannedRestore(
              name,
              plan,
              planned,
              { parent, dependsOn: [run, ...before], protect: false },
              backend,
            ),
          ] as const,
      );
      const round = batch === 0 ? "" : `round-${String(batch + 1)}`;
      // No name of a wave has a colon, so none is that of another wave's later batch.
      const resourceName = `${name}-wave-${wave.name}${round && `:${round}`}`;
      const numberedName = `${name}-wave-${String(index + 1)}-${wave.name}${round && `-${round}`}`;
      const waveResource: PlanWave = new PlanWave(
        resourceName,
        {
          plan: name,
          run: run.run,
          index,
          name: wave.name,
          round: batch,
          onFailure: plan.onFailure,
          isLastRound: batch === batches.length - 1,
          later: plan.onFailure === "stop" ? plan.waves.slice(index + 1).map((later) => later.name) : [],
          earlierReasons,
          ...incidentInput,
          runStartedAt: run.startedAt,
          runUrn: run.urn,
          row: resourceName,
          asked: waveInputsOf(plan, wave, constructed),
          probes: probesOf(restores),
          madeFor: intentsMadeFor(constructed, run.key),
        },
        { parent, dependsOn: constructed.length === 0 ? before : constructed.map(([, restore]) => restore) },
        backend,
        numberedName,
      );
      earlierReasons = waveResource.reasons;
      waves.push(waveResource);
    }
    lastBatches.push(...waves.slice(-1));
  }
  between?.recordConstructed(lastBatches);

  const wavesAsStored = wavesForVerdict(waves);
  const verdictSubject = {
    plan: name,
    run: run.run,
    asGiven: run.asGiven,
    hashes: run.hashes,
    history: run.history,
    startedAt: run.startedAt,
    ...incidentInput,
  };
  const verdict = new PlanVerdict(
    `${name}-verdict`,
    { of: verdictSubject, waves: wavesAsStored },
    { parent, dependsOn: waves },
    backend,
  );
  return {
    verdict: verdict.verdict,
    reasons: verdict.reasons,
    recoveryTimeSeconds: verdict.recoveryTimeSeconds,
    slowest: verdict.slowest,
    counts: verdict.counts,
    goals: verdict.goals,
    digest: run.digest,
    restores: pulumi
      .all([wavesAsStored, verdict.goals])
      .apply(([all, goals]) => resultsOf(all as unknown as readonly StoredWave[], goals)),
  };
}

function waveInputsOf(
  plan: ParsedPlan,
  wave: ParsedWave,
  constructed: readonly (readonly [ParsedRestore, Restore])[],
): pulumi.Inputs {
  return Object.fromEntries(
    constructed.map(([planned, restore]) => [
      planned.name,
      waveInputOf(planned, restore, goalsOf(plan, wave, planned)),
    ]),
  );
}

function constructPlannedRestore(
  plan: string,
  given: ParsedPlan,
  planned: ParsedRestore,
  opts: pulumi.CustomResourceOptions,
  backend: PlanBackend,
): Restore {
  const triggers = triggersWithRun(given, planned);
  const inputs: GivenInputs = {
    ...planned.inputs,
    triggers,
    wait: false,
    [incidentAtKey]: given.incidentAt,
    [inPlanKey]: true,
  };
  return backend.constructRestore(planned.kind, `${plan}-${planned.name}`, inputs, opts);
}

/**
 * The parts of the waves that the verdict is made from. Each names the run that stored it, because a wave that `--target` leaves out
 * still holds the run before.
 */
function wavesForVerdict(waves: readonly PlanWave[]): pulumi.Output<unknown> {
  return pulumi.all(
    waves.map(({ run, index, name, restores, takenOut, isMadeAnew }) =>
      pulumi.output({ run, index, name, restores, takenOut, isMadeAnew }),
    ),
  );
}

/** Under mocks of a program's test, which only hand inputs back, no wave has a result and the verdict no goals. */
function resultsOf(
  waves: readonly (Pick<StoredWave, "name"> & Partial<Pick<StoredWave, "restores">>)[],
  goals: readonly StoredGoal[] = [],
): Readonly<Record<string, PlannedRestoreResult>> {
  const entries = waves.flatMap((wave) =>
    Object.entries(wave.restores ?? {}).map(([name, step]) => {
      const known = Object.fromEntries(Object.entries(step).filter(([key]) => !waveOnlyFields.has(key))) as Omit<
        PlannedRestoreResult,
        "wave" | "goals"
      >;
      return [name, { ...known, wave: wave.name, goals: goals.filter(({ restore }) => restore === name) }] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Fields of a stored restore that are not outputs of the plan. */
const waveOnlyFields: ReadonlySet<string> = new Set([
  "goals",
  "earlierTries",
  "posting",
  "postedAfter",
  "madeFor",
  "definition",
  "droppedChecks",
  "runStartedAt",
]);

/** Warns before the run: afterwards it would be too late to give the time of a recovery point. */
function warnOfUnmeasurableGoals(plan: ParsedPlan, resource: pulumi.Resource): void {
  const names = plan.waves.flatMap((wave) =>
    wave.restores.flatMap((restore) =>
      goalsOf(plan, wave, restore).dataAgeSeconds !== undefined &&
      restore.recoveryPointTakenAt === undefined &&
      !choosesPointByRule(restore)
        ? [restore.name]
        : [],
    ),
  );
  if (names.length === 0) return;
  void pulumi.log.warn(
    `a goal for the age of the data applies to ${names.join(", ")}, but recoveryPointTakenAt is not given: the age cannot be measured, and ` +
      "the verdict will be incomplete at best",
    resource,
  );
}

/**
 * Splits a wave into batches in which each machine comes once; each batch begins when the one before has ended. In one batch, two restores of a
 * machine would each hold one of the engine's places while they wait for each other, and keep the wave from noticing the other ends. An id that is not
 * known yet counts as a machine of its own; the provider process still restores a machine once at a time.
 */
function batchesOf(restores: readonly ParsedRestore[]): readonly (readonly ParsedRestore[])[] {
  const timesSeen = new Map<string, number>();
  const batches: ParsedRestore[][] = [];
  for (const restore of restores) {
    const { virtualMachineId } = restore.inputs;
    const isKnown = typeof virtualMachineId === "string" || typeof virtualMachineId === "number";
    const batch = isKnown ? (timesSeen.get(String(virtualMachineId)) ?? 0) : 0;
    if (isKnown) timesSeen.set(String(virtualMachineId), batch + 1);
    (batches[batch] ??= []).push(restore);
  }
  return batches;
}

/** The plan as it is stored: in one spelling, with its defaults, and without anything that may be secret. */
function planAsGiven({ goals, wholeGoals, onFailure, onMissedGoal, waves }: ParsedPlan): pulumi.Inputs {
  return {
    ...(goals && { goals }),
    ...(wholeGoals && { wholeGoals }),
    onFailure,
    onMissedGoal,
    waves: waves.map((wave) => ({
      name: wave.name,
      ...(wave.goals && { goals: wave.goals }),
      restores: Object.fromEntries(wave.restores.map((restore) => [restore.name, restoreAsGiven(restore)])),
    })),
  };
}

const canonicalRule = (rule: unknown): unknown => canonicalValue("recoveryPoint", rule);

function restoreAsGiven(restore: ParsedRestore): pulumi.Inputs {
  const { virtualMachineId, recoveryPointId, recoveryPoint, triggers, ...others } = restore.inputs;
  return {
    ...(maskSecrets(others) as pulumi.Inputs),
    // 42 and "42" are one machine.
    virtualMachineId: mapUnlessSecret(virtualMachineId, String),
    ...(recoveryPointId !== undefined && { recoveryPointId: mapUnlessSecret(recoveryPointId, String) }),
    // The rule in force, wherever the plan states it: moving it from a wave to the plan is no change.
    ...(recoveryPoint !== undefined && { recoveryPoint: mapUnlessSecret(recoveryPoint, canonicalRule) }),
    ...(triggers !== undefined && { triggers: maskSecrets(withDatesAsText(triggers)) }),
    ...(restore.recoveryPointTakenAt !== undefined && {
      recoveryPointTakenAt: maskSecrets(restore.recoveryPointTakenAt),
    }),
    ...(restore.goals && { goals: restore.goals }),
    checks: checksWithoutSecrets(restore),
  };
}
