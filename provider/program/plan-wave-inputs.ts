import * as pulumi from "@pulumi/pulumi";
import type * as target from "../checks/target";
import { effectiveGoals, type StoredGoals } from "../inputs/read-goals";
import type { ParsedPlan, ParsedRestore, ParsedWave } from "../inputs/read-plan";
import { isGiven } from "../inputs/problems";
import type { StoredCheckPlan } from "../inputs/read-check";
import { recordNames } from "../inputs/record";
import { decidingInputs, isInputOf, plannedInputs } from "../inputs/restore-table";
import type { Restore } from "./restores";
import { asList, type Properties } from "../plain/plain";
import { handedTo } from "./prepare-restore";
import { rememberedChoice } from "./restore-intent";
import { isOutputOrPromise, mapUnlessSecret, withDatesAsText } from "./program-values";
import type { Backend } from "./backend";

/** A wave's input for one restore: the identity of its posting, its record, and its checks. */
export function waveInputOf(planned: ParsedRestore, restore: Restore, goals: StoredGoals): pulumi.Inputs {
  // Every input and every field of the record is a field of the resource.
  const outputs = restore as unknown as pulumi.Inputs & { readonly intent: pulumi.Output<{ readonly id: string }> };
  const chosen = choosesPointByRule(planned) ? rememberedChoice(restore) : undefined;
  return {
    kind: planned.kind,
    urn: restore.urn,
    // The run's name is the first trigger, and no secret. A restore that `--target` leaves out still has the name of the run before.
    run: pulumi.unsecret(restore.triggers).apply((triggers) => triggers?.[0]),
    inputs: { ...pick(givenInputNames(planned), outputs), ...(chosen && { recoveryPointId: chosen.recoveryPointId }) },
    intentId: outputs.intent.apply(({ id }) => id),
    restoreId: restore.id,
    record: pick(waveRecordFields, outputs),
    behind: handedTo(restore),
    ...(chosen ? { choice: chosen.choice } : { recoveryPointTakenAt: planned.recoveryPointTakenAt }),
    goals,
    checks: checksWithExpectations(planned),
  };
}

/** True if a rule chooses the restore's recovery point: its own, its wave's or the plan's. */
export function choosesPointByRule({ inputs }: ParsedRestore): boolean {
  return inputs["recoveryPoint"] !== undefined;
}

/** The record without the log, which has a secret output of its own. */
const waveRecordFields = recordNames.filter((name) => name !== "logOutput");

/**
 * The inputs that the restore was given; the others are no outputs in the state, and so would be unknown in every preview. The triggers are
 * left out, because the intent has compared them by then.
 */
function givenInputNames({ kind, inputs }: ParsedRestore): readonly string[] {
  return plannedInputs.filter((name) => isInputOf(kind, name) && name !== "triggers" && inputs[name] !== undefined);
}

function pick(names: readonly string[], outputs: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(names.map((name) => [name, outputs[name] as unknown]));
}

/** The name, target and times of each check, without its secrets. */
export function checksWithoutSecrets({ checks }: ParsedRestore): pulumi.Inputs[] {
  return checks.map(({ kind, name, times, given }) => ({
    kind,
    ...(name !== undefined && { name }),
    target: mapUnlessSecret(targetIn(kind, (given as Properties)[kind]), (asked) =>
      loadCheckTarget().shownTarget(kind, asked),
    ),
    ...times,
  }));
}

/** Of a command the program: other words may be secrets. */
function targetIn(kind: StoredCheckPlan["kind"], asked: unknown): unknown {
  if (kind !== "command") return asked;
  const programIn = (words: unknown): unknown => asList(words)[0];
  return isOutputOrPromise(asked) ? pulumi.output(asked as pulumi.Output<string>).apply(programIn) : programIn(asked);
}

/** The same with the expected answer, which is stored beside the result of the check but is no part of the plan's digest. */
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

/** Everything that the checks of a wave send and expect. All of it is a secret, because any part may be one. */
export function probesOf(restores: readonly ParsedRestore[]): pulumi.Output<unknown> {
  const probes = restores.flatMap(({ name, checks }) =>
    checks.length === 0 ? [] : [[name, checks.map(({ given }) => given)] as const],
  );
  return pulumi.secret(pulumi.output(Object.fromEntries(probes)));
}

/**
 * The restores of a plan and their checks, by the URNs that they are going to have. The process that posts them receives all of it before anything is
 * posted, and it is a secret.
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
      // The intent is going to be made for this.
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
 * The inputs for which the intents of a wave's restores were made, as the restores have stored them, and the key to hash them with. All of it is
 * a secret, because any part may be one.
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

/** The run's name, so that a new run is a new restore, followed by the restore's own triggers. */
export function triggersWithRun({ run }: ParsedPlan, { inputs }: ParsedRestore): pulumi.Input<readonly unknown[]> {
  const own = withDatesAsText(inputs["triggers"]);
  return isOutputOrPromise(own) || isOutputOrPromise(run)
    ? pulumi.all([run, own]).apply(([known, others]) => [known, ...((others as readonly unknown[] | undefined) ?? [])])
    : [run, ...((own as readonly unknown[] | undefined) ?? [])];
}

/** The URN that a child is going to have. It is a promise: an Output of the component's URN depends on all children, so the first would wait for itself. */
function plannedUrn(name: string, type: string, parent: pulumi.Resource): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}

export function goalsOf(plan: ParsedPlan, wave: ParsedWave, restore: ParsedRestore): StoredGoals {
  return effectiveGoals(restore.goals, wave.goals, plan.goals);
}

/** Loads the code with the first plan that has checks: it brings the masks of the restores' logs with it. */
function loadCheckTarget(): typeof target {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import cannot wait
  return require("../checks/target") as typeof target;
}
