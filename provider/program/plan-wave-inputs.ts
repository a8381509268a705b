import * as pulumi from "@pulumi/pulumi";
import type * as target from "../checks/target";
import { effectiveGoals, type StoredGoals } from "../inputs/read-goals";
import type { ParsedPlan, ParsedRestore, ParsedWave } from "../inputs/read-plan";
import { isGiven } from "../inputs/problems";
import { recordNames } from "../inputs/record";
import { decidingInputs, isInputOf, plannedInputs } from "../inputs/restore-table";
import type { Restore } from "./restores";
import type { Properties } from "../plain/plain";
import { rememberedChoice } from "./restore-intent";
import { isOutputOrPromise, mapUnlessSecret, withDatesAsText } from "./program-values";
import type { Backend } from "./backend";

/** What a wave is handed of one restore: what identifies its posting, what it has stored, and what is to be checked. */
export function waveInputOf(planned: ParsedRestore, restore: Restore, goals: StoredGoals): pulumi.Inputs {
  // Every input and every part of the record is a field of the resource.
  const outputs = restore as unknown as pulumi.Inputs & { readonly intent: pulumi.Output<{ readonly id: string }> };
  const chosen = choosesPointByRule(planned) ? rememberedChoice(restore) : undefined;
  return {
    kind: planned.kind,
    urn: restore.urn,
    // The first of its triggers, and never a secret. One that `--target` leaves out was made in the run before.
    run: pulumi.unsecret(restore.triggers).apply((triggers) => triggers?.[0]),
    inputs: { ...pick(givenInputNames(planned), outputs), ...(chosen && { recoveryPointId: chosen.recoveryPointId }) },
    intentId: outputs.intent.apply(({ id }) => id),
    restoreId: restore.id,
    record: pick(waveRecordFields, outputs),
    ...(chosen ? { choice: chosen.choice } : { recoveryPointTakenAt: planned.recoveryPointTakenAt }),
    goals,
    checks: checksWithExpectations(planned),
  };
}

/** Whether the restore's recovery point is chosen by a rule: its own, its wave's or the plan's. */
export function choosesPointByRule({ inputs }: ParsedRestore): boolean {
  return inputs["recoveryPoint"] !== undefined;
}

/** A log lies in an output of its own, which is a secret. */
const waveRecordFields = recordNames.filter((name) => name !== "logOutput");

/**
 * Of the restore's inputs those that it was given: an output that the state does not have is unknown in every preview. Not the triggers,
 * which the intent has compared by then.
 */
function givenInputNames({ kind, inputs }: ParsedRestore): readonly string[] {
  return plannedInputs.filter((name) => isInputOf(kind, name) && name !== "triggers" && inputs[name] !== undefined);
}

function pick(names: readonly string[], outputs: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(names.map((name) => [name, outputs[name] as unknown]));
}

/** What a check asks and when, without its secrets. */
export function checksWithoutSecrets({ checks }: ParsedRestore): pulumi.Inputs[] {
  return checks.map(({ kind, times, given }) => ({
    kind,
    target: mapUnlessSecret((given as Properties)[kind], (asked) => loadCheckTarget().shownTarget(asked)),
    ...times,
  }));
}

/** The same with what is expected of the answer: it is stored beside what came of the check, and is no part of what makes a plan the same. */
function checksWithExpectations(planned: ParsedRestore): pulumi.Inputs[] {
  return checksWithoutSecrets(planned).map((check, index) => {
    const { status, contains } = planned.checks[index]?.given as Properties;
    if (!isGiven(status) && !isGiven(contains)) return check;
    return {
      ...check,
      expects: mapUnlessSecret({ status, contains }, (known) =>
        loadCheckTarget().shownExpectation(known as Properties),
      ),
    };
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
export function expectedRestores(
  name: string,
  plan: ParsedPlan,
  parent: pulumi.Resource,
  { types }: Backend,
): pulumi.Output<unknown> {
  const restores = plan.waves.flatMap((wave) => wave.restores);
  const entries = restores.map((planned) => [
    planned.name,
    {
      urn: plannedUrn(`${name}-${planned.name}`, types[planned.kind], parent),
      // What its intent is going to be made for.
      target: {
        kind: planned.kind,
        virtualMachineId: planned.inputs["virtualMachineId"],
        recoveryPointId: planned.inputs["recoveryPointId"],
        recoveryPoint: planned.inputs["recoveryPoint"],
        paths: planned.inputs["paths"],
        triggers: triggersWithRun(plan, planned),
      },
      checks: checksWithExpectations(planned),
      probes: planned.checks.map(({ given }) => given),
    },
  ]);
  return pulumi.secret(pulumi.output(Object.fromEntries(entries) as Record<string, unknown>));
}

/**
 * What the intents of a wave's restores were made for, as the restores themselves have stored it, and the key to hash it with. A secret as a
 * whole, because any part of it may be one.
 */
export function intentsMadeFor(
  constructed: readonly (readonly [ParsedRestore, Restore])[],
  key: pulumi.Output<string | undefined>,
): pulumi.Output<unknown> {
  const restores = constructed.map(([planned, restore]) => {
    const isOther = choosesPointByRule(planned) ? "recoveryPointId" : "recoveryPoint";
    const names = decidingInputs.filter((name) => name !== isOther && isInputOf(planned.kind, name));
    return [planned.name, pick(names, restore)];
  });
  return pulumi.secret(pulumi.output({ key, restores: Object.fromEntries(restores) as Record<string, unknown> }));
}

/** The run's name first, so that a new run is a new restore; its own ones follow. */
export function triggersWithRun({ run }: ParsedPlan, { inputs }: ParsedRestore): pulumi.Input<readonly unknown[]> {
  const own = withDatesAsText(inputs["triggers"]);
  return isOutputOrPromise(own) || isOutputOrPromise(run)
    ? pulumi.all([run, own]).apply(([known, others]) => [known, ...((others as readonly unknown[] | undefined) ?? [])])
    : [run, ...((own as readonly unknown[] | undefined) ?? [])];
}

/** A promise: an Output of the component's URN would depend on all its children, so the first would wait for itself. */
function plannedUrn(name: string, type: string, parent: pulumi.Resource): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}

export function goalsOf(plan: ParsedPlan, wave: ParsedWave, restore: ParsedRestore): StoredGoals {
  return effectiveGoals(restore.goals, wave.goals, plan.goals);
}

/** Loaded by the first plan that has checks, and not by every program: it brings the masks of the restores' logs with it. */
function loadCheckTarget(): typeof target {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import cannot wait
  return require("../checks/target") as typeof target;
}
