import * as pulumi from "@pulumi/pulumi";
import type * as target from "../checks/target";
import type { ParsedPlan, ParsedRestore } from "../inputs/read-plan";
import { isGiven } from "../inputs/problems";
import type { StoredCheckPlan } from "../inputs/read-check";
import { isOverwritten, recordNames, type RestoreRecord } from "../inputs/record";
import { readMachineBefore } from "../inputs/restore-inputs";
import { canonicalValue, isInputOf, plannedInputs } from "../inputs/restore-table";
import { asList, type Properties } from "../plain/plain";
import { postingId, type DefinedRestore, type StoredDefinition, type StoredPlan } from "../plan/stored";
import { handedTo } from "./prepare-restore";
import { isOutputOrPromise, mapKnown, mapUnlessSecret, maskSecrets, withDatesAsText } from "./program-values";
import { rememberedChoice } from "./restore-intent";
import type { Restore } from "./restores";

/** The plan in one spelling, with its defaults: as it is shown, with `[secret]` in place of each secret, and whole, as one secret. */
export function definitionOf(plan: ParsedPlan): {
  readonly shown: pulumi.Input<StoredPlan>;
  readonly definition: pulumi.Output<StoredDefinition>;
} {
  const shown = planIn(plan, { value: maskSecrets, map: mapUnlessSecret, checksOf: shownChecks });
  const whole = planIn(plan, { value: (given) => given, map: mapKnown, checksOf: wholeChecks });
  return {
    shown: shown as pulumi.Input<StoredPlan>,
    definition: pulumi.secret(pulumi.output(whole)) as pulumi.Output<StoredDefinition>,
  };
}

/** A form of a plan, which shows its secrets or not. */
interface Form {
  readonly value: (given: unknown) => unknown;
  readonly map: (given: unknown, make: (known: unknown) => unknown) => unknown;
  readonly checksOf: (restore: ParsedRestore) => readonly unknown[];
}

function planIn({ goals, wholeGoals, onFailure, onMissedGoal, waves }: ParsedPlan, form: Form): pulumi.Inputs {
  return {
    ...(goals && { goals }),
    ...(wholeGoals && { wholeGoals }),
    onFailure,
    onMissedGoal,
    waves: waves.map((wave) => ({
      name: wave.name,
      ...(wave.goals && { goals: wave.goals }),
      restores: Object.fromEntries(wave.restores.map((restore) => [restore.name, restoreIn(restore, form)])),
    })),
  };
}

function restoreIn(restore: ParsedRestore, { value, map, checksOf }: Form): pulumi.Inputs {
  const { virtualMachineId, recoveryPointId, recoveryPoint, triggers, ...others } = restore.inputs;
  return {
    ...(value(others) as pulumi.Inputs),
    // 42 and "42" are one machine.
    virtualMachineId: map(virtualMachineId, String),
    ...(recoveryPointId !== undefined && { recoveryPointId: map(recoveryPointId, String) }),
    // The rule in force, wherever the plan states it: moving it from a wave to the plan is no change.
    ...(recoveryPoint !== undefined && { recoveryPoint: map(recoveryPoint, canonicalRule) }),
    ...(triggers !== undefined && { triggers: value(withDatesAsText(triggers)) }),
    ...(restore.recoveryPointTakenAt !== undefined && { recoveryPointTakenAt: value(restore.recoveryPointTakenAt) }),
    ...(restore.goals && { goals: restore.goals }),
    checks: checksOf(restore),
  };
}

const canonicalRule = (rule: unknown): unknown => canonicalValue("recoveryPoint", rule);

/** The name, target, times and expected answer of each check, without its secrets. */
function shownChecks({ checks }: ParsedRestore): readonly pulumi.Inputs[] {
  return checks.map(({ kind, name, times, given }) => {
    const { status, contains } = given as Properties;
    const expects =
      isGiven(status) || isGiven(contains)
        ? mapUnlessSecret({ status, contains }, (known) => loadCheckTarget().shownExpectation(known as Properties))
        : undefined;
    return {
      kind,
      ...(name !== undefined && { name }),
      target: mapUnlessSecret(targetIn(kind, (given as Properties)[kind]), (asked) =>
        loadCheckTarget().shownTarget(kind, asked),
      ),
      ...(expects !== undefined && { expects }),
      ...times,
    };
  });
}

function wholeChecks(restore: ParsedRestore): readonly pulumi.Inputs[] {
  return shownChecks(restore).map((check, index) => ({ ...check, given: restore.checks[index]?.given }));
}

/** Of a command the program: other words may be secrets. */
function targetIn(kind: StoredCheckPlan["kind"], asked: unknown): unknown {
  if (kind !== "command") return asked;
  const programIn = (words: unknown): unknown => asList(words)[0];
  return isOutputOrPromise(asked) ? pulumi.output(asked as pulumi.Output<string>).apply(programIn) : programIn(asked);
}

/** A restore in a definition that the state may have, and so of any form of the plan. */
export function definedIn(
  definition: StoredDefinition | undefined,
  wave: string,
  restore: string,
): DefinedRestore | undefined {
  return definition?.waves.find(({ name }) => name === wave)?.restores[restore];
}

/** A restore as its wave receives it: how its own resource stands. */
export function plannedInput(planned: ParsedRestore, restore: Restore): pulumi.Inputs {
  // Every input and every field of the record is a field of the resource.
  const outputs = restore as unknown as RestoreOutputs;
  const chosen = choosesPointByRule(planned) ? rememberedChoice(restore) : undefined;
  return {
    kind: planned.kind,
    inputs: { ...pick(givenInputNames(planned), outputs), ...(chosen && { recoveryPointId: chosen.recoveryPointId }) },
    posting: postingOf(planned, restore),
    record: pick(waveRecordFields, outputs),
    behind: handedTo(restore),
    ...(chosen && { choice: chosen.choice }),
  };
}

type RestoreOutputs = pulumi.Inputs & { readonly intent: pulumi.Output<{ readonly id: string }> };

export function postingOf({ inputs }: ParsedRestore, restore: Restore): pulumi.Output<string> {
  const { intent } = restore as unknown as RestoreOutputs;
  const adopt = inputs["adopt"];
  return pulumi
    .all([pulumi.unsecret(intent), restore.id, pulumi.output(adopt)])
    .apply(([made, id, named]) => postingId(made.id, id, named));
}

/** True if its machine was restored again since, by the VmRestore before it. Its wave may be left out, and knows nothing of that. */
export function wasOverwritten(restore: Restore): pulumi.Output<boolean> | undefined {
  const behind = handedTo(restore);
  if (behind === undefined) return undefined;
  const { transactionIds, machineTransactionIds } = restore as unknown as Readonly<Record<string, unknown>>;
  return pulumi.output({ transactionIds, machineTransactionIds, behind }).apply((known) => {
    const { behind: before, ...record } = known as unknown as WithBefore;
    return isOverwritten(record, readMachineBefore(before));
  });
}

interface WithBefore extends Pick<RestoreRecord, "transactionIds" | "machineTransactionIds"> {
  readonly behind: Properties;
}

/** True if a rule chooses the restore's recovery point: its own, its wave's or the plan's. */
export function choosesPointByRule({ inputs }: ParsedRestore): boolean {
  return inputs["recoveryPoint"] !== undefined;
}

/** The record without the log, which has a secret output of its own. */
const waveRecordFields = recordNames.filter((name) => name !== "logOutput");

/** The inputs that the restore was given, and its triggers; the others are no outputs in the state, and so would be unknown in every preview. */
function givenInputNames({ kind, inputs }: ParsedRestore): readonly string[] {
  return plannedInputs.filter((name) => isInputOf(kind, name) && (name === "triggers" || inputs[name] !== undefined));
}

function pick(names: readonly string[], outputs: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(names.map((name) => [name, outputs[name] as unknown]));
}

/** The run's name, so that a new run is a new restore, followed by the restore's own triggers. */
export function triggersWithRun({ run }: ParsedPlan, { inputs }: ParsedRestore): pulumi.Input<readonly unknown[]> {
  const own = withDatesAsText(inputs["triggers"]);
  return isOutputOrPromise(own) || isOutputOrPromise(run)
    ? pulumi.all([run, own]).apply(([known, others]) => [known, ...((others as readonly unknown[] | undefined) ?? [])])
    : [run, ...((own as readonly unknown[] | undefined) ?? [])];
}

/** Loads the code with the first plan that has checks: it brings the masks of the restores' logs with it. */
function loadCheckTarget(): typeof target {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import cannot wait
  return require("../checks/target") as typeof target;
}
