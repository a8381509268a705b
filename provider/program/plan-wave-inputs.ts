import * as pulumi from "@pulumi/pulumi";
import type * as target from "../checks/target";
import { goalsInForce, type StoredGoals } from "../inputs/read-goals";
import type { ReadPlan, ReadRestore, ReadWave } from "../inputs/read-plan";
import type { FileRestore } from "./file-restore";
import type { Restore } from "./plan-way";
import { shownAs } from "./shown";
import type { WayIn } from "./way-in";

/** What a wave is handed of one restore: what identifies its posting, what it has stored, and what is to be checked. */
export function askedOf(read: ReadRestore, restore: Restore, goals: StoredGoals): pulumi.Inputs {
  const { intent, postedAfter } = restore as unknown as {
    readonly intent: pulumi.Output<{ readonly id: string }>;
    readonly postedAfter: pulumi.Output<unknown>;
  };
  const { status, transactionId, transactionIds, action, requestedAt, startedAt, finishedAt } = restore;
  const { queuedSeconds, durationSeconds, adopted, warnings } = restore;
  const { timeouts, adopt, retryFailed, captureLog } = restore;
  return {
    kind: read.kind,
    urn: restore.urn,
    // The first of its triggers, and never a secret. One that `--target` leaves out was made in the run before.
    run: pulumi.unsecret(restore.triggers).apply((triggers) => triggers?.[0]),
    inputs: {
      virtualMachineId: restore.virtualMachineId,
      recoveryPointId: restore.recoveryPointId,
      ...(read.kind === "FileRestore" && { paths: (restore as FileRestore).paths }),
      ...givenOf(read, { timeouts, adopt, retryFailed, captureLog }),
    },
    intentId: intent.apply(({ id }) => id),
    restoreId: restore.id,
    record: {
      status,
      transactionId,
      transactionIds,
      action,
      requestedAt,
      startedAt,
      finishedAt,
      queuedSeconds,
      durationSeconds,
      adopted,
      warnings,
      postedAfter,
    },
    recoveryPointTakenAt: read.recoveryPointTakenAt,
    goals,
    checks: checksShown(read),
  };
}

/** Of the restore's inputs those that it was given: an output that the state does not have is unknown in every preview. */
function givenOf({ inputs }: ReadRestore, outputs: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => inputs[name] !== undefined));
}

/** What a check asks and when, without its secrets. */
export function checksShown({ checks }: ReadRestore): pulumi.Inputs[] {
  return checks.map(({ kind, times, given }) => ({
    kind,
    target: shownAs((given as Readonly<Record<string, unknown>>)[kind], targetOf),
    ...times,
  }));
}

/** All that the checks of a wave send and expect. A secret as a whole, because any part of it may be one. */
export function probesOf(restores: readonly ReadRestore[]): pulumi.Output<unknown> {
  const probes = restores.flatMap(({ name, checks }) =>
    checks.length === 0 ? [] : [[name, checks.map(({ given }) => given)] as const],
  );
  return pulumi.secret(pulumi.output(Object.fromEntries(probes)));
}

/**
 * What is to be done about each restore as soon as it was posted, by the URN that it is going to have. Handed to the process that posts
 * before anything is posted, and kept as a secret.
 */
export function expectedOf(
  name: string,
  plan: ReadPlan,
  parent: pulumi.Resource,
  { types }: WayIn,
): pulumi.Output<unknown> {
  const restores = plan.waves.flatMap((wave) => wave.restores);
  const entries = restores.map((read) => [
    read.name,
    {
      urn: urnOf(`${name}-${read.name}`, types[read.kind], parent),
      checks: checksShown(read),
      probes: read.checks.map(({ given }) => given),
    },
  ]);
  return pulumi.secret(pulumi.output(Object.fromEntries(entries) as Record<string, unknown>));
}

/**
 * A promise and no output: an output of the component's URN depends on the component, which stands for all its children, and the first
 * child would wait for itself.
 */
function urnOf(name: string, type: string, parent: pulumi.Resource): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}

export function goalsOf(plan: ReadPlan, wave: ReadWave, restore: ReadRestore): StoredGoals {
  return goalsInForce(restore.goals, wave.goals, plan.goals);
}

/** Loaded by the first plan that has checks, and not by every program: it brings the masks of the restores' logs with it. */
function targetOf(asked: unknown): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import cannot wait
  return (require("../checks/target") as typeof target).targetOf(asked);
}
