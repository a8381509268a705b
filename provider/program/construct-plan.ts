import * as pulumi from "@pulumi/pulumi";
import type { ParsedPlan, ParsedRestore, ParsedWave } from "../inputs/read-plan";
import { canonicalValue } from "../inputs/restore-table";
import type { StoredGoal, StoredStep, StoredWave } from "../plan/stored";
import { PlanRun, PlanVerdict, PlanWave } from "./plan-children";
import {
  askedOf,
  checksShown,
  expectedOf,
  goalsOf,
  isByRule,
  madeForOf,
  probesOf,
  triggersOf,
} from "./plan-wave-inputs";
import type { PlanWay } from "./plan-way";
import type { Restore } from "./restores";
import { type GivenInputs, incident } from "./restore-intent";
import { shown, shownAs, withDatesAsText } from "./shown";
import { shortenStacks } from "./stacks";

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
export interface PlanPlace {
  readonly parent: pulumi.Resource;
  readonly after: pulumi.ResourceOptions["dependsOn"];
  readonly way: PlanWay;
}

/** Registers what a plan is made of, and returns the plan's outputs. Takes plain data, so that a program in any language can be behind it. */
export function constructPlan(name: string, plan: ParsedPlan, place: PlanPlace): pulumi.Inputs {
  // All frames between a part and the program are this package's own.
  const lengthen = shortenStacks(1);
  try {
    return constructParts(name, plan, place);
  } finally {
    lengthen();
  }
}

function constructParts(name: string, plan: ParsedPlan, { parent, after, way }: PlanPlace): pulumi.Inputs {
  const run = new PlanRun(
    `${name}-run`,
    {
      plan: name,
      run: shown(plan.run),
      kind: plan.kind,
      asGiven: asGiven(plan),
      incidentAt: shown(plan.incidentAt),
      notes: plan.notes && shown(plan.notes),
      expected: expectedOf(name, plan, parent, way),
    },
    // Everything else of the plan comes after the run, and so after what the plan is to come after.
    { parent, ...(after !== undefined && { dependsOn: after }) },
    way,
  );
  // What the state does not have is unknown in every preview, and an unchanged plan would seem to be changed.
  const ofIncident = plan.incidentAt === undefined ? {} : { incidentAt: run.incidentAt };
  warnOfUnmeasured(plan, parent);

  const waves: PlanWave[] = [];
  for (const [index, wave] of plan.waves.entries()) {
    const rounds = roundsOf(wave.restores);
    let earlierReasons: pulumi.Input<readonly string[]> = [];
    for (const [round, restores] of rounds.entries()) {
      const before: pulumi.Resource = waves.at(-1) ?? run;
      const made = restores.map(
        // A protected plan hands its protection down, and a protected restore stops every new run: it is replaced by one.
        (read) =>
          [read, restoreOf(name, plan, read, { parent, dependsOn: [run, before], protect: false }, way)] as const,
      );
      const row = `${name}-wave-${String(index + 1)}-${wave.name}${round === 0 ? "" : `-round-${String(round + 1)}`}`;
      const waited: PlanWave = new PlanWave(
        row,
        {
          plan: name,
          run: run.run,
          index,
          name: wave.name,
          round,
          onFailure: plan.onFailure,
          isLastRound: round === rounds.length - 1,
          later: plan.onFailure === "stop" ? plan.waves.slice(index + 1).map((later) => later.name) : [],
          earlierReasons,
          ...ofIncident,
          earlierRequestedAt: waves[0]?.firstRequestedAt,
          runUrn: run.urn,
          row,
          asked: askedIn(plan, wave, made),
          probes: probesOf(restores),
          madeFor: madeForOf(made, run.key),
        },
        { parent, dependsOn: made.map(([, restore]) => restore) },
        way,
      );
      earlierReasons = waited.reasons;
      waves.push(waited);
    }
  }

  const stored = storedWaves(waves);
  const of = { plan: name, run: run.run, asGiven: run.asGiven, hashes: run.hashes, ...ofIncident };
  const verdict = new PlanVerdict(`${name}-verdict`, { of, waves: stored }, { parent, dependsOn: waves }, way);
  return {
    verdict: verdict.verdict,
    reasons: verdict.reasons,
    recoveryTimeSeconds: verdict.recoveryTimeSeconds,
    slowest: verdict.slowest,
    counts: verdict.counts,
    goals: verdict.goals,
    digest: run.digest,
    restores: pulumi
      .all([stored, verdict.goals])
      .apply(([all, goals]) => resultsOf(all as unknown as readonly StoredWave[], goals)),
  };
}

function askedIn(
  plan: ParsedPlan,
  wave: ParsedWave,
  made: readonly (readonly [ParsedRestore, Restore])[],
): pulumi.Inputs {
  return Object.fromEntries(
    made.map(([read, restore]) => [read.name, askedOf(read, restore, goalsOf(plan, wave, read))]),
  );
}

function restoreOf(
  plan: string,
  given: ParsedPlan,
  read: ParsedRestore,
  opts: pulumi.CustomResourceOptions,
  way: PlanWay,
): Restore {
  const triggers = triggersOf(given, read);
  const inputs: GivenInputs = { ...read.inputs, triggers, wait: false, [incident]: given.incidentAt };
  return way.restore(read.kind, `${plan}-${read.name}`, inputs, opts);
}

/**
 * What the verdict is judged by: the waves as they are stored, without the rest. Each under the run that it was stored in: one that
 * `--target` leaves out still holds the run before.
 */
function storedWaves(waves: readonly PlanWave[]): pulumi.Output<unknown> {
  return pulumi.all(waves.map(({ run, index, name, restores }) => pulumi.output({ run, index, name, restores })));
}

function resultsOf(
  waves: readonly StoredWave[],
  goals: readonly StoredGoal[],
): Readonly<Record<string, PlannedRestoreResult>> {
  const entries = waves.flatMap((wave) =>
    Object.entries(wave.restores).map(([name, step]) => {
      const known = Object.fromEntries(Object.entries(step).filter(([key]) => !ownOfTheWave.has(key))) as Omit<
        PlannedRestoreResult,
        "wave" | "goals"
      >;
      return [name, { ...known, wave: wave.name, goals: goals.filter(({ restore }) => restore === name) }] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** What a wave keeps for itself. */
const ownOfTheWave: ReadonlySet<string> = new Set(["goals", "earlierTries", "posting", "postedAfter", "madeFor"]);

/** Told before the run: hours later it would be too late to write down when a recovery point was taken. */
function warnOfUnmeasured(plan: ParsedPlan, resource: pulumi.Resource): void {
  const names = plan.waves.flatMap((wave) =>
    wave.restores.flatMap((restore) =>
      goalsOf(plan, wave, restore).dataAgeSeconds !== undefined &&
      restore.recoveryPointTakenAt === undefined &&
      !isByRule(restore)
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
function roundsOf(restores: readonly ParsedRestore[]): readonly (readonly ParsedRestore[])[] {
  const seen = new Map<string, number>();
  const rounds: ParsedRestore[][] = [];
  for (const restore of restores) {
    const { virtualMachineId } = restore.inputs;
    const isKnown = typeof virtualMachineId === "string" || typeof virtualMachineId === "number";
    const round = isKnown ? (seen.get(String(virtualMachineId)) ?? 0) : 0;
    if (isKnown) seen.set(String(virtualMachineId), round + 1);
    (rounds[round] ??= []).push(restore);
  }
  return rounds;
}

/** The plan as it is remembered: in one spelling, with the plan's own defaults, and without anything that may be secret. */
function asGiven({ goals, wholeGoals, onFailure, onMissedGoal, waves }: ParsedPlan): pulumi.Inputs {
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

const inOneForm = (rule: unknown): unknown => canonicalValue("recoveryPoint", rule);

function restoreAsGiven(restore: ParsedRestore): pulumi.Inputs {
  const { virtualMachineId, recoveryPointId, recoveryPoint, triggers, ...others } = restore.inputs;
  return {
    ...(shown(others) as pulumi.Inputs),
    // 42 and "42" are one machine.
    virtualMachineId: shownAs(virtualMachineId, String),
    ...(recoveryPointId !== undefined && { recoveryPointId: shownAs(recoveryPointId, String) }),
    // The one in force: a plan whose rule stands elsewhere in it is the same plan.
    ...(recoveryPoint !== undefined && { recoveryPoint: shownAs(recoveryPoint, inOneForm) }),
    ...(triggers !== undefined && { triggers: shown(withDatesAsText(triggers)) }),
    ...(restore.recoveryPointTakenAt !== undefined && { recoveryPointTakenAt: shown(restore.recoveryPointTakenAt) }),
    ...(restore.goals && { goals: restore.goals }),
    checks: checksShown(restore),
  };
}
