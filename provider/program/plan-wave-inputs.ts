import * as pulumi from "@pulumi/pulumi";
import type * as target from "../checks/target";
import { effectiveGoals, type StoredGoals } from "../inputs/read-goals";
import type { ParsedPlan, ParsedRestore, ParsedWave } from "../inputs/read-plan";
import { isGiven } from "../inputs/problems";
import { recordNames } from "../inputs/record";
import { decidingInputs, isInputOf, plannedInputs } from "../inputs/restore-table";
import type { Restore } from "./restores";
import type { Properties } from "../plain/plain";
import { choiceOf } from "./restore-intent";
import { isOpen, shownAs, withDatesAsText } from "./shown";
import type { WayIn } from "./way-in";

/** What a wave is handed of one restore: what identifies its posting, what it has stored, and what is to be checked. */
export function askedOf(read: ParsedRestore, restore: Restore, goals: StoredGoals): pulumi.Inputs {
  // Every input and every part of the record is a field of the resource.
  const outputs = restore as unknown as pulumi.Inputs & { readonly intent: pulumi.Output<{ readonly id: string }> };
  const chosen = isByRule(read) ? choiceOf(restore) : undefined;
  return {
    kind: read.kind,
    urn: restore.urn,
    // The first of its triggers, and never a secret. One that `--target` leaves out was made in the run before.
    run: pulumi.unsecret(restore.triggers).apply((triggers) => triggers?.[0]),
    inputs: { ...only(inputsFor(read), outputs), ...(chosen && { recoveryPointId: chosen.recoveryPointId }) },
    intentId: outputs.intent.apply(({ id }) => id),
    restoreId: restore.id,
    record: only(recordForTheWave, outputs),
    ...(chosen ? { choice: chosen.choice } : { recoveryPointTakenAt: read.recoveryPointTakenAt }),
    goals,
    checks: checksAsked(read),
  };
}

/** Whether the restore's recovery point is chosen by a rule: its own, its wave's or the plan's. */
export function isByRule({ inputs }: ParsedRestore): boolean {
  return inputs["recoveryPoint"] !== undefined;
}

/** A log lies in an output of its own, which is a secret. */
const recordForTheWave = recordNames.filter((name) => name !== "logOutput");

/**
 * Of the restore's inputs those that it was given: an output that the state does not have is unknown in every preview. Not the triggers,
 * which the intent has compared by then.
 */
function inputsFor({ kind, inputs }: ParsedRestore): readonly string[] {
  return plannedInputs.filter((name) => isInputOf(kind, name) && name !== "triggers" && inputs[name] !== undefined);
}

function only(names: readonly string[], outputs: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(names.map((name) => [name, outputs[name] as unknown]));
}

/** What a check asks and when, without its secrets. */
export function checksShown({ checks }: ParsedRestore): pulumi.Inputs[] {
  return checks.map(({ kind, times, given }) => ({
    kind,
    target: shownAs((given as Properties)[kind], (asked) => loadTarget().targetOf(asked)),
    ...times,
  }));
}

/** The same with what is expected of the answer: it is stored beside what came of the check, and is no part of what makes a plan the same. */
function checksAsked(read: ParsedRestore): pulumi.Inputs[] {
  return checksShown(read).map((shown, index) => {
    const { status, contains } = read.checks[index]?.given as Properties;
    if (!isGiven(status) && !isGiven(contains)) return shown;
    return { ...shown, expects: shownAs({ status, contains }, (known) => loadTarget().expectsOf(known as Properties)) };
  });
}

/** All that the checks of a wave send and expect. A secret as a whole, because any part of it may be one. */
export function probesOf(restores: readonly ParsedRestore[]): pulumi.Output<unknown> {
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
  plan: ParsedPlan,
  parent: pulumi.Resource,
  { types }: WayIn,
): pulumi.Output<unknown> {
  const restores = plan.waves.flatMap((wave) => wave.restores);
  const entries = restores.map((read) => [
    read.name,
    {
      urn: urnOf(`${name}-${read.name}`, types[read.kind], parent),
      // What its intent is going to be made for.
      target: {
        kind: read.kind,
        virtualMachineId: read.inputs["virtualMachineId"],
        recoveryPointId: read.inputs["recoveryPointId"],
        recoveryPoint: read.inputs["recoveryPoint"],
        paths: read.inputs["paths"],
        triggers: triggersOf(plan, read),
      },
      checks: checksAsked(read),
      probes: read.checks.map(({ given }) => given),
    },
  ]);
  return pulumi.secret(pulumi.output(Object.fromEntries(entries) as Record<string, unknown>));
}

/**
 * What the intents of a wave's restores were made for, as the restores themselves have stored it, and the key to hash it with. A secret as a
 * whole, because any part of it may be one.
 */
export function madeForOf(
  made: readonly (readonly [ParsedRestore, Restore])[],
  key: pulumi.Output<string | undefined>,
): pulumi.Output<unknown> {
  const restores = made.map(([read, restore]) => {
    const isOther = isByRule(read) ? "recoveryPointId" : "recoveryPoint";
    const names = decidingInputs.filter((name) => name !== isOther && isInputOf(read.kind, name));
    return [read.name, only(names, restore)];
  });
  return pulumi.secret(pulumi.output({ key, restores: Object.fromEntries(restores) as Record<string, unknown> }));
}

/** The run's name first, so that a new run is a new restore; its own ones follow. */
export function triggersOf({ run }: ParsedPlan, { inputs }: ParsedRestore): pulumi.Input<readonly unknown[]> {
  const own = withDatesAsText(inputs["triggers"]);
  return isOpen(own) || isOpen(run)
    ? pulumi.all([run, own]).apply(([known, others]) => [known, ...((others as readonly unknown[] | undefined) ?? [])])
    : [run, ...((own as readonly unknown[] | undefined) ?? [])];
}

/** A promise: an Output of the component's URN would depend on all its children, so the first would wait for itself. */
function urnOf(name: string, type: string, parent: pulumi.Resource): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}

export function goalsOf(plan: ParsedPlan, wave: ParsedWave, restore: ParsedRestore): StoredGoals {
  return effectiveGoals(restore.goals, wave.goals, plan.goals);
}

/** Loaded by the first plan that has checks, and not by every program: it brings the masks of the restores' logs with it. */
function loadTarget(): typeof target {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import cannot wait
  return require("../checks/target") as typeof target;
}
