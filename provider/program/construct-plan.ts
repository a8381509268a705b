import * as pulumi from "@pulumi/pulumi";
import { effectiveGoals } from "../inputs/read-goals";
import type { ParsedPlan, ParsedRestore, ParsedWave } from "../inputs/read-plan";
import { judgedWave, judgedPlan } from "../plan/judged";
import type { StoredGoal, StoredStep, StoredWave } from "../plan/stored";
import type { BetweenWaves } from "./between-waves";
import { PlanRun, PlanVerdict, PlanWave } from "./plan-children";
import {
  definitionOf,
  definedIn,
  plannedInput,
  postingOf,
  choosesPointByRule,
  triggersWithRun,
  wasOverwritten,
} from "./plan-inputs";
import type { PlanBackend } from "./plan-backend";
import type { Restore } from "./restores";
import { type GivenInputs, incidentAtKey, inPlanKey } from "./restore-intent";
import { omit } from "../plain/plain";
import { maskSecrets } from "./program-values";
import { shortenStackTraces } from "./stack-traces";

/** The result of one restore of a plan. Times are in seconds; a field that is not known is absent. */
export interface PlannedRestoreResult extends Omit<
  StoredStep,
  "posting" | "postedAfter" | "revision" | "runStartedAt" | "isRecordedLate"
> {
  /** The name of its wave. */
  readonly wave: string;
  /** Its goals, with their verdicts. */
  readonly goals: readonly StoredGoal[];
  /** From the recovery point to the incident, or to the restore's own first request. */
  readonly dataAgeSeconds?: number;
}

/** Fields of a stored restore that are not outputs of the plan. */
const waveOnlyFields = [
  "posting",
  "postedAfter",
  "revision",
  "runStartedAt",
  "isRecordedLate",
  "recoveredSeconds",
] as const;

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
  // Nobody reads them: all frames between a part and the program are this package's own.
  const undoShortening = shortenStackTraces(0);
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
  const { shown, definition } = definitionOf(plan);
  const wavesInBatches = plan.waves.map((wave) => ({
    wave,
    batches: wave.restores.length === 0 ? [[]] : batchesOf(wave.restores),
  }));
  const run = new PlanRun(
    `${name}-run`,
    {
      plan: name,
      run: maskSecrets(plan.run),
      kind: plan.kind,
      asGiven: shown,
      definition,
      incidentAt: maskSecrets(plan.incidentAt),
      notes: plan.notes && maskSecrets(plan.notes),
      records: wavesInBatches.flatMap(({ wave, batches }) => batches.map((_, batch) => recordName(wave, batch))),
    },
    // Everything else of the plan depends on the run, and so on what the plan depends on.
    { parent, ...(dependsOn !== undefined && { dependsOn }) },
    backend,
  );
  warnOfUnmeasurableGoals(plan, parent);

  const waves: PlanWave[] = [];
  const lastBatches: PlanWave[] = [];
  const restores: (readonly [ParsedRestore, Restore])[] = [];
  for (const [index, { wave, batches }] of wavesInBatches.entries()) {
    let earlierReasons: pulumi.Input<readonly string[]> = [];
    const settings = waveSettings(run, wave);
    between?.takePlaces(index);
    for (const [batch, ofBatch] of batches.entries()) {
      const before = [waves.at(-1) ?? run, ...(between?.dependencies[index] ?? [])];
      const constructed = ofBatch.map(
        // A protected plan hands its protection down, and a new run has to replace its restores.
        (planned) =>
          [
            planned,
            constructPlannedRestore(
              name,
              plan,
              { planned, wave: wave.name, run },
              { parent, dependsOn: [run, ...before], protect: false },
              backend,
            ),
          ] as const,
      );
      const resourceName = `${name}-wave-${recordName(wave, batch)}`;
      const numberedName = `${name}-wave-${String(index + 1)}-${recordName(wave, batch).replace(":", "-")}`;
      const waveResource: PlanWave = new PlanWave(
        resourceName,
        {
          plan: name,
          run: run.run,
          index,
          name: wave.name,
          round: batch,
          ...settings,
          isLastRound: batch === batches.length - 1,
          earlierReasons,
          runStartedAt: run.startedAt,
          runProcess: run.process,
          runUrn: run.urn,
          row: resourceName,
          planned: Object.fromEntries(
            constructed.map(([planned, restore]) => [planned.name, plannedInput(planned, restore)]),
          ),
          ...fromRun(run, wave.name, ofBatch),
        },
        { parent, dependsOn: constructed.length === 0 ? before : constructed.map(([, restore]) => restore) },
        backend,
        numberedName,
      );
      earlierReasons = waveResource.reasons;
      waves.push(waveResource);
      restores.push(...constructed);
    }
    lastBatches.push(...waves.slice(-1));
  }
  between?.recordConstructed(lastBatches);

  const verdictSubject = {
    plan: name,
    run: run.run,
    asked: run.asGiven.apply((asGiven) => judgedPlan(asGiven)),
    revisions: run.revisions.apply((revisions) =>
      Object.fromEntries(Object.entries(revisions ?? {}).map(([restore, { at }]) => [restore, at])),
    ),
    postings: Object.fromEntries(restores.map(([planned, restore]) => [planned.name, postingOf(planned, restore)])),
    overwritten: Object.fromEntries(restores.map(([planned, restore]) => [planned.name, wasOverwritten(restore)])),
    history: run.history,
    startedAt: run.startedAt,
    incidentAt: run.incidentAt,
  };
  const verdict = new PlanVerdict(
    `${name}-verdict`,
    { of: verdictSubject, waves: waves.map((wave) => storedWave(wave).apply((stored) => judgedWave(stored))) },
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
    restores: pulumi
      .all([pulumi.all(waves.map(storedWave)), verdict.goals])
      .apply(([all, goals]) => resultsOf(all as unknown as readonly StoredWave[], goals)),
  };
}

/** No name of a wave has a colon, so none is that of another wave's later batch. */
function recordName({ name }: ParsedWave, batch: number): string {
  return batch === 0 ? name : `${name}:round-${String(batch + 1)}`;
}

/** What the run's definition says of a wave. Where the run is left out, that is what the state has, and another one than the program's. */
function waveSettings(run: PlanRun, { name, restores }: ParsedWave): pulumi.Inputs {
  const own = restores.map((restore) => restore.name).sort();
  return {
    onFailure: run.asGiven.apply((plan) => plan.onFailure),
    later: run.asGiven.apply(({ onFailure, waves }) => {
      const after = waves.slice(waves.findIndex((one) => one.name === name) + 1);
      return onFailure === "stop" ? after.map((later) => later.name) : [];
    }),
    isRunLeftOut: run.asGiven.apply(({ waves }) => {
      const defined = waves.find((one) => one.name === name);
      return defined === undefined || Object.keys(defined.restores).sort().join("\n") !== own.join("\n");
    }),
  };
}

/** What the run has of these restores: their definitions, one secret for all, and their revisions. */
function fromRun(run: PlanRun, wave: string, restores: readonly ParsedRestore[]): pulumi.Inputs {
  const eachOf = (of: (restore: string) => unknown): pulumi.Inputs =>
    Object.fromEntries(restores.map(({ name }) => [name, of(name)]));
  return {
    definition: pulumi.secret(run.definition.apply((plan) => eachOf((restore) => definedIn(plan, wave, restore)))),
    revisions: run.revisions.apply((revisions) => eachOf((restore) => revisions?.[restore])),
  };
}

function constructPlannedRestore(
  plan: string,
  given: ParsedPlan,
  { planned, wave, run }: { readonly planned: ParsedRestore; readonly wave: string; readonly run: PlanRun },
  opts: pulumi.CustomResourceOptions,
  backend: PlanBackend,
): Restore {
  const inputs: GivenInputs = {
    ...planned.inputs,
    triggers: triggersWithRun(given, planned),
    wait: false,
    ofPlan: pulumi.secret(
      run.definition.apply((definition) => ({
        name: planned.name,
        checks: definedIn(definition, wave, planned.name)?.checks ?? [],
      })),
    ),
    [incidentAtKey]: given.incidentAt,
    [inPlanKey]: true,
  };
  return backend.constructRestore(planned.kind, `${plan}-${planned.name}`, inputs, opts);
}

/** The wave's outputs. They name the run that stored them, because a wave that `--target` leaves out still holds the run before. */
function storedWave({ run, index, name, restores, earlierTries }: PlanWave): pulumi.Output<StoredWave> {
  return pulumi.output({
    run,
    index,
    name,
    restores,
    earlierTries,
  }) as unknown as pulumi.Output<StoredWave>;
}

/** Under mocks of a program's test, which only hand inputs back, no wave has a result and the verdict no goals. */
function resultsOf(
  waves: readonly (Pick<StoredWave, "name"> & Partial<Pick<StoredWave, "restores">>)[],
  goals: readonly StoredGoal[] = [],
): Readonly<Record<string, PlannedRestoreResult>> {
  const entries = waves.flatMap((wave) =>
    Object.entries(wave.restores ?? {}).map(([name, step]) => {
      const own = goals.filter(({ restore }) => restore === name);
      // The wave alone does not know of tries in another one, nor the restore of what the run is measured by.
      const measured = (goal: StoredGoal["goal"]): number | undefined =>
        own.find((one) => one.goal === goal)?.measuredSeconds;
      const [recoveredSeconds, dataAgeSeconds] = [measured("recoveryTime"), measured("dataAge")];
      return [
        name,
        {
          ...omit(step, ...waveOnlyFields),
          wave: wave.name,
          goals: own,
          ...(recoveredSeconds !== undefined && { recoveredSeconds }),
          ...(dataAgeSeconds !== undefined && { dataAgeSeconds }),
        },
      ] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Warns before the run: afterwards it would be too late to give the time of a recovery point. */
function warnOfUnmeasurableGoals(plan: ParsedPlan, resource: pulumi.Resource): void {
  const names = plan.waves.flatMap((wave) =>
    wave.restores.flatMap((restore) =>
      effectiveGoals(restore.goals, wave.goals, plan.goals).dataAgeSeconds !== undefined &&
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
