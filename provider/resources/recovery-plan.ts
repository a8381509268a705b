import * as pulumi from "@pulumi/pulumi";
import { Problems } from "../plan/read/problems";
import { readPlan, type ReadPlan, type ReadRestore, type ReadWave } from "../plan/read/read-plan";
import type { StoredGoal, StoredStep, StoredVerdict, StoredWave } from "../plan/terms/stored";
import { nameProblem } from "../plan/read/name";
import { programError } from "../program/program-error";
import { shortenStacks } from "../program/short-stacks";
import { FileRestore, type FileRestoreArgs } from "./file-restore";
import { asGiven } from "./plan-as-given";
import type { RecoveryPlanArgs } from "./plan-args";
import { PlanRun, PlanVerdict, PlanWave } from "./plan-children";
import { roundsOf } from "./plan-rounds";
import { askedOf, expectedOf, goalsOf, probesOf, type Restore } from "./plan-wave-inputs";
import { isOpen, shown } from "./shown";
import { VmRestore, type VmRestoreArgs } from "./vm-restore";

/** How one restore of a plan came out. Times in seconds; what is not known is absent. */
export type PlannedRestoreResult = Omit<StoredStep, "goals" | "posting" | "postedAfter"> & {
  readonly wave: string;
  readonly goals: readonly StoredGoal[];
};

/**
 * Many machines in order, and one verdict. The restores of a wave are requested at once and waited for together; each machine is checked
 * when its restore has ended; the next wave begins when all is well. At the end stands whether the goals were met.
 *
 * Every restore is posted once per `run`: a run that was cut off is picked up by the next `pulumi up`, a new name in `run` restores
 * everything again, and an unchanged plan does nothing. Deleting a plan forgets it and sends nothing.
 *
 * ```ts
 * const plan = new recovery.RecoveryPlan("shop", {
 *   run: "2026-Q4",
 *   goals: { recoveryTime: "1h" },
 *   waves: [
 *     { name: "data", restores: { db: { virtualMachineId: 43, recoveryPointId: 1008, checks: [{ tcp: "10.0.0.43:5432" }] } } },
 *     { name: "front", restores: { web: { virtualMachineId: 42, recoveryPointId: 1007 } } },
 *   ],
 * });
 * export const verdict = plan.verdict;
 * ```
 */
export class RecoveryPlan extends pulumi.ComponentResource {
  /** What the run comes to. */
  declare readonly verdict: pulumi.Output<StoredVerdict["verdict"]>;
  /** Why, when it has not simply passed. */
  declare readonly reasons: pulumi.Output<readonly string[]>;
  /** From the first request to the last end or check. Undefined unless every restore is back and checked. */
  declare readonly recoveryTimeSeconds: pulumi.Output<number | undefined>;
  /** The restore that took longest. */
  declare readonly slowest: pulumi.Output<StoredVerdict["slowest"]>;
  /** How many restores were planned, and how they ended. */
  declare readonly counts: pulumi.Output<StoredVerdict["counts"]>;
  /** Every goal, and whether it was met. */
  declare readonly goals: pulumi.Output<readonly StoredGoal[]>;
  /** Every restore by its name. */
  declare readonly restores: pulumi.Output<Readonly<Record<string, PlannedRestoreResult>>>;
  /** Tells this plan from another one, triggers aside. */
  declare readonly digest: pulumi.Output<string>;

  /**
   * @param name The plan's name; the names of everything in it begin with it.
   * @param args What to restore in which order, and what is expected of it.
   * @param opts Options as for any component; `provider` restores on another panel.
   */
  constructor(name: string, args: RecoveryPlanArgs, opts?: pulumi.ComponentResourceOptions) {
    const plan = readOrThrow(name, args);
    super("recovery:index:RecoveryPlan", name, {}, opts);
    const outputs = constructPlan(name, plan, this, opts?.dependsOn);
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

/** Everything that is wrong, at once and with the path of each property; nothing is registered then. */
function readOrThrow(name: unknown, args: unknown): ReadPlan {
  const problems = new Problems();
  const wrongName = nameProblem(name);
  if (wrongName !== undefined) throw programError(`the name of a RecoveryPlan${wrongName}`);
  const plan = readPlan(args, { isOpen, problems });
  if (plan !== undefined && problems.all.length === 0) return plan;
  const list = problems.all.map(({ reason }) => `  ${reason.trim()}`).join("\n");
  throw programError(`RecoveryPlan "${String(name)}" cannot be carried out, and nothing was sent:\n${list}`);
}

/** Registers what a plan is made of, and returns the plan's outputs. Takes plain data, so that a program in any language can be behind it. */
export function constructPlan(...plan: Parameters<typeof constructParts>): pulumi.Inputs {
  // All frames between a part and the program are this package's own.
  const lengthen = shortenStacks(1);
  try {
    return constructParts(...plan);
  } finally {
    lengthen();
  }
}

function constructParts(
  name: string,
  plan: ReadPlan,
  parent: pulumi.Resource,
  after?: pulumi.ResourceOptions["dependsOn"],
): pulumi.Inputs {
  const run = new PlanRun(
    `${name}-run`,
    {
      plan: name,
      run: shown(plan.run),
      kind: plan.kind,
      asGiven: asGiven(plan),
      incidentAt: shown(plan.incidentAt),
      notes: plan.notes && shown(plan.notes),
      expected: expectedOf(name, plan, parent),
    },
    // Everything else of the plan comes after the run, and so after what the plan is to come after.
    { parent, ...(after !== undefined && { dependsOn: after }) },
  );
  warnOfUnmeasured(plan, parent);

  const waves: PlanWave[] = [];
  for (const [index, wave] of plan.waves.entries()) {
    const rounds = roundsOf(wave.restores);
    let earlierReasons: pulumi.Input<readonly string[]> = [];
    for (const [round, restores] of rounds.entries()) {
      const before: pulumi.Resource = waves.at(-1) ?? run;
      const made = restores.map(
        // A protected plan hands its protection down, and a protected restore stops every new run: it is replaced by one.
        (read) => [read, restoreOf(name, plan, read, { parent, dependsOn: [run, before], protect: false })] as const,
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
          incidentAt: run.incidentAt,
          earlierRequestedAt: waves[0]?.firstRequestedAt,
          runUrn: run.urn,
          row,
          asked: askedIn(plan, wave, made),
          probes: probesOf(restores),
        },
        { parent, dependsOn: made.map(([, restore]) => restore) },
      );
      earlierReasons = waited.reasons;
      waves.push(waited);
    }
  }

  const stored = storedWaves(run, waves);
  const of = { plan: name, run: run.run, asGiven: run.asGiven, incidentAt: run.incidentAt };
  const verdict = new PlanVerdict(`${name}-verdict`, { of, waves: stored }, { parent, dependsOn: waves });
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

function askedIn(plan: ReadPlan, wave: ReadWave, made: readonly (readonly [ReadRestore, Restore])[]): pulumi.Inputs {
  return Object.fromEntries(
    made.map(([read, restore]) => [read.name, askedOf(read, restore, goalsOf(plan, wave, read))]),
  );
}

function restoreOf(plan: string, { run }: ReadPlan, read: ReadRestore, opts: pulumi.CustomResourceOptions): Restore {
  const own = read.inputs["triggers"];
  const triggers =
    isOpen(own) || isOpen(run)
      ? pulumi
          .all([run, own])
          .apply(([known, others]) => [known, ...((others as readonly unknown[] | undefined) ?? [])])
      : [run, ...((own as readonly unknown[] | undefined) ?? [])];
  const inputs = { ...read.inputs, triggers, wait: false };
  const name = `${plan}-${read.name}`;
  return read.kind === "VmRestore"
    ? new VmRestore(name, inputs as unknown as VmRestoreArgs, opts)
    : new FileRestore(name, inputs as unknown as FileRestoreArgs, opts);
}

/** What the verdict is judged by: the waves as they are stored, without the rest. */
function storedWaves(run: PlanRun, waves: readonly PlanWave[]): pulumi.Output<unknown> {
  return pulumi.all(waves.map(({ index, name, restores }) => pulumi.output({ run: run.run, index, name, restores })));
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
const ownOfTheWave: ReadonlySet<string> = new Set(["goals", "posting", "postedAfter"]);

/** Told before the run: hours later it would be too late to write down when a recovery point was taken. */
function warnOfUnmeasured(plan: ReadPlan, resource: pulumi.Resource): void {
  const names = plan.waves.flatMap((wave) =>
    wave.restores.flatMap((restore) =>
      goalsOf(plan, wave, restore).dataAgeSeconds !== undefined && restore.recoveryPointTakenAt === undefined
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
