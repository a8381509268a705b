import * as pulumi from "@pulumi/pulumi";
import type { ParsedPlan, ParsedRestore, ParsedWave } from "../inputs/read-plan";
import { canonicalValue } from "../inputs/restore-table";
import type { StoredGoal, StoredStep, StoredWave } from "../plan/stored";
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

/** How one restore of a plan came out. Times in seconds; what is not known is absent. */
export interface PlannedRestoreResult extends Omit<
  StoredStep,
  "goals" | "earlierTries" | "posting" | "postedAfter" | "madeFor"
> {
  /** Its wave. */
  readonly wave: string;
  /** Its goals, and whether they were met. */
  readonly goals: readonly StoredGoal[];
}

/** Where a plan stands, what it comes after, and which way it comes into the provider. */
export interface PlanContext {
  readonly parent: pulumi.Resource;
  readonly dependsOn: pulumi.ResourceOptions["dependsOn"];
  readonly backend: PlanBackend;
}

/** Registers what a plan is made of, and returns the plan's outputs. Takes plain data, so that a program in any language can be behind it. */
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
  { parent, dependsOn: after, backend }: PlanContext,
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
    // Everything else of the plan comes after the run, and so after what the plan is to come after.
    { parent, ...(after !== undefined && { dependsOn: after }) },
    backend,
  );
  // What the state does not have is unknown in every preview, and an unchanged plan would seem to be changed.
  const incidentInput = plan.incidentAt === undefined ? {} : { incidentAt: run.incidentAt };
  warnOfUnmeasurableGoals(plan, parent);

  const waves: PlanWave[] = [];
  for (const [index, wave] of plan.waves.entries()) {
    const batches = batchesOf(wave.restores);
    let earlierReasons: pulumi.Input<readonly string[]> = [];
    for (const [batch, restores] of batches.entries()) {
      const before: pulumi.Resource = waves.at(-1) ?? run;
      const constructed = restores.map(
        // A protected plan hands its protection down, and a protected restore stops every new run: it is replaced by one.
        (planned) =>
          [
            planned,
            constructPlannedRestore(name, plan, planned, { parent, dependsOn: [run, before], protect: false }, backend),
          ] as const,
      );
      const resourceName = `${name}-wave-${String(index + 1)}-${wave.name}${batch === 0 ? "" : `-round-${String(batch + 1)}`}`;
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
          earlierRequestedAt: waves[0]?.firstRequestedAt,
          runUrn: run.urn,
          row: resourceName,
          asked: waveInputsOf(plan, wave, constructed),
          probes: probesOf(restores),
          madeFor: intentsMadeFor(constructed, run.key),
        },
        { parent, dependsOn: constructed.map(([, restore]) => restore) },
        backend,
      );
      earlierReasons = waveResource.reasons;
      waves.push(waveResource);
    }
  }

  const wavesAsStored = wavesForVerdict(waves);
  const verdictSubject = { plan: name, run: run.run, asGiven: run.asGiven, hashes: run.hashes, ...incidentInput };
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
 * What the verdict is judged by: the waves as they are stored, without the rest. Each under the run that it was stored in: one that
 * `--target` leaves out still holds the run before.
 */
function wavesForVerdict(waves: readonly PlanWave[]): pulumi.Output<unknown> {
  return pulumi.all(waves.map(({ run, index, name, restores }) => pulumi.output({ run, index, name, restores })));
}

function resultsOf(
  waves: readonly StoredWave[],
  goals: readonly StoredGoal[],
): Readonly<Record<string, PlannedRestoreResult>> {
  const entries = waves.flatMap((wave) =>
    Object.entries(wave.restores).map(([name, step]) => {
      const known = Object.fromEntries(Object.entries(step).filter(([key]) => !waveOnlyFields.has(key))) as Omit<
        PlannedRestoreResult,
        "wave" | "goals"
      >;
      return [name, { ...known, wave: wave.name, goals: goals.filter(({ restore }) => restore === name) }] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** What a wave keeps for itself. */
const waveOnlyFields: ReadonlySet<string> = new Set(["goals", "earlierTries", "posting", "postedAfter", "madeFor"]);

/** Told before the run: hours later it would be too late to write down when a recovery point was taken. */
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
    `a goal for the age of the data applies to ${names.join(", ")}, but recoveryPointTakenAt is not given: it cannot be measured, and the ` +
      "verdict will not be better than incomplete",
    resource,
  );
}

/**
 * A machine is restored once at a time. Where it comes more than once in a wave, its later restores are put into a later round, which
 * begins when the round before has ended: posted in the same round they would hold a place of the engine each while
 * they wait, and keep the wave from noticing the ends of all the others. An id that is not known yet is taken for a machine of its own; the
 * provider process still restores it once at a time.
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

/** The plan as it is remembered: in one spelling, with the plan's own defaults, and without anything that may be secret. */
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
    // The one in force: a plan whose rule stands elsewhere in it is the same plan.
    ...(recoveryPoint !== undefined && { recoveryPoint: mapUnlessSecret(recoveryPoint, canonicalRule) }),
    ...(triggers !== undefined && { triggers: maskSecrets(withDatesAsText(triggers)) }),
    ...(restore.recoveryPointTakenAt !== undefined && {
      recoveryPointTakenAt: maskSecrets(restore.recoveryPointTakenAt),
    }),
    ...(restore.goals && { goals: restore.goals }),
    checks: checksWithoutSecrets(restore),
  };
}
