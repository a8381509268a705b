import { checkLabel } from "../../provider/inputs/read-check";
import { isUnconfirmed } from "../../provider/inputs/record";
import { readPointRule, type PointRule } from "../../provider/inputs/read-point-rule";
import { isValidId } from "../../provider/panel/types";
import { asList } from "../../provider/plain/plain";
import { type EarlierReport, shownDefinition } from "../../report/history/earlier-report";
import { outcomesOfRun } from "../../report/of-plan";
import type { PlannedOutcome } from "../../report/planned-outcomes";
import type { Step } from "../../report/model/model";
import { planRunsIn, type PlannedRestore, type StoredPlanRun } from "../../report/state/plan-run";
import { lastProofsOf, type StoredProof } from "../../report/state/plan-wave";
import {
  kindOf,
  readState,
  restoreKindOf,
  type PendingOperation,
  type Resource,
  type State,
} from "../../report/state/read-state";
import { intentsIn, pairWithIntents, restoresIn, type StoredRestore } from "../../report/state/restores";
import { fieldsOf, isSecret, definedOnly, plainDataOf, type Fields } from "../../report/state/values";
import { type KnownProof, ownProof, proofsInReports } from "./proofs";

/** A restore that the stack declares, read from its stored state. */
export interface DeclaredRestore {
  readonly plan?: string;
  readonly wave?: string;
  readonly name: string;
  readonly kind: Step["kind"];
  /** Absent if the state keeps it as a secret. */
  readonly machine?: string;
  readonly from: RestoreSource;
  /** The highest allowed age of its data. */
  readonly goalSeconds?: number;
  /** The panel that its intent's mark names. */
  readonly panel?: string;
  /** The explicit provider that it belongs to. */
  readonly provider?: string;
  readonly outcome: LastRun;
  /** The highest allowed recovery time. */
  readonly recoveryGoalSeconds?: number;
  /** All that is known, in no order. */
  readonly proofs: readonly KnownProof[];
  readonly stored: StoredParts;
}

/** Parts of the state about a restore, as they are stored. */
interface StoredParts {
  /** The run of its plan. */
  readonly run?: StoredPlanRun;
  readonly planned?: PlannedRestore;
  readonly urn?: string;
  readonly intentUrn?: string;
  /** Its last run at its present definition. */
  readonly step?: Step;
  readonly paths: unknown;
}

/** A plan's own goal. */
export interface DeclaredPlan {
  readonly plan: string;
  readonly run: StoredPlanRun;
  readonly recoveryGoalSeconds?: number;
}

/** The recovery point, or the rule that chooses it. */
export type RestoreSource =
  | { readonly kind: "point"; readonly id: string }
  | { readonly kind: "rule"; readonly rule: PointRule }
  | { readonly kind: "not known" };

/** The outcome of its last run, as the state has it. */
export type LastRun =
  | { readonly kind: "complete"; readonly failedChecks: readonly string[] }
  | {
      readonly kind: "failed" | "cancelled" | "unfinished" | "unconfirmed" | "not begun" | "overwritten";
      readonly says: string;
    };

export interface Declaration {
  readonly stack?: string;
  readonly project?: string;
  /** In the order of plans and waves; restores without a plan come last. */
  readonly restores: readonly DeclaredRestore[];
  readonly plans: readonly DeclaredPlan[];
  /** Parts of the state that cannot be read, and may declare further restores. */
  readonly unreadable: readonly string[];
}

/** Stands for the restores that have no explicit provider. */
export const defaultProvider = "default";

export interface Selection {
  readonly plan?: string;
  /** An explicit provider's name, or `defaultProvider`. */
  readonly provider?: string;
  readonly goalAgeSeconds?: number;
  /** Kept reports of earlier runs, in which a proof may stand. */
  readonly earlier?: readonly EarlierReport[];
}

/** Reads the output of `pulumi stack export`. Throws a ReportError if it is no state. */
export function readDeclaration(
  exported: unknown,
  { plan, provider, goalAgeSeconds, earlier = [] }: Selection,
): Declaration {
  const state = readState(exported);
  const runs = planRunsIn(state);
  const names = uniqueNames(runs);
  const parts = [
    ...runs
      .filter((run) => plan === undefined || run.plan === plan)
      .map((run) => restoresOfPlan(state, run, names.get(run) ?? run.plan, earlier)),
    ...(plan === undefined ? [restoresWithoutPlan(state, runs, earlier)] : []),
  ];
  const restores = parts
    .flatMap((part) => part.restores)
    .filter((one) => provider === undefined || (one.provider ?? defaultProvider) === provider)
    .map((one) =>
      one.goalSeconds === undefined && goalAgeSeconds !== undefined ? { ...one, goalSeconds: goalAgeSeconds } : one,
    );
  return definedOnly({
    stack: state.stack,
    project: state.project,
    restores,
    plans: parts.flatMap((part) => part.plan ?? []),
    unreadable: parts.flatMap((part) => part.unreadable),
  });
}

/** Two plans of a stack may share a name, in components of their own. The second one gets a number, as in the metrics of `report`. */
function uniqueNames(runs: readonly StoredPlanRun[]): ReadonlyMap<StoredPlanRun, string> {
  const seen = new Map<string, number>();
  return new Map(
    runs.map((run) => {
      const nth = (seen.get(run.plan) ?? 0) + 1;
      seen.set(run.plan, nth);
      return [run, nth === 1 ? run.plan : `${run.plan} ${String(nth)}`];
    }),
  );
}

export function planNamesIn(exported: unknown): readonly string[] {
  return planRunsIn(readState(exported)).map(({ plan }) => plan);
}

type DeclaredPart = Pick<Declaration, "restores" | "unreadable"> & { readonly plan?: DeclaredPlan };

function restoresOfPlan(
  state: State,
  run: StoredPlanRun,
  plan: string,
  earlier: readonly EarlierReport[],
): DeclaredPart {
  const scope = definedOnly({ kind: "plan", name: run.plan, project: state.project, stack: state.stack });
  const lastProofs = lastProofsOf(run, state);
  const { found, waves } = outcomesOfRun(state, run, "without logs");
  const given = givenReader(state, run);
  const provider = providerOf(state, run.urn);
  const restores = waves.flatMap(({ wave, index, outcomes: fates }) =>
    fates.map((fate): DeclaredRestore => {
      const { planned, step } = fate;
      const isOf = (one: { readonly rawName: string; readonly kind?: string }): boolean =>
        one.rawName === planned.rawName && (one.kind ?? planned.kind) === planned.kind;
      const stored = state.resources.find(
        (one) => isOf(one) && one.parent === run.parent && restoreKindOf(one.type) === planned.kind,
      );
      const intent = found.intents.find(isOf);
      return definedOnly({
        plan,
        wave: wave.name,
        name: planned.name,
        kind: planned.kind,
        machine: firstId(planned.virtualMachineId, step?.virtualMachineId, intent?.virtualMachineId),
        from: sourceOfPlanned(planned, stored, given(index, planned.name), step ?? intent),
        goalSeconds: planned.goals.dataAgeSeconds,
        recoveryGoalSeconds: planned.goals.recoveryTimeSeconds,
        // What the state does not count of this run, no earlier record of it does.
        proofs: [
          ...ownProof(step, run.run),
          ...provenBefore(lastProofs.get(planned.name), planned),
          ...proofsInReports(earlier, {
            scope,
            name: planned.name,
            kind: planned.kind,
            definition: planned.revision,
          }),
        ].filter((proof) => step?.status !== "not counted" || proof.run !== run.run),
        panel: intent?.panel ?? run.panel,
        provider,
        outcome: lastRunOfPlanned(
          fate,
          found.pending.find((one) => isOf(one)),
        ),
        stored: definedOnly({
          run,
          planned,
          urn: stored?.urn,
          intentUrn: intent?.urn,
          step,
          paths: given(index, planned.name)["paths"],
        }),
      });
    }),
  );
  const isWhole = run.format === "known" && run.waves !== undefined;
  return {
    restores,
    plan: definedOnly({ plan, run, recoveryGoalSeconds: run.wholeGoalSeconds }),
    unreadable: isWhole ? [] : [`Plan ${run.plan} cannot be read in full from this state.`],
  };
}

/** A wave keeps its last proofs over runs, each with the form of the restore that was proven. */
function provenBefore(proof: StoredProof | undefined, { revision }: PlannedRestore): readonly KnownProof[] {
  if (proof === undefined) return [];
  const { revision: proven, ...known } = proof;
  const isOfToday = proven !== undefined && proven === revision;
  return [{ ...known, of: isOfToday ? "what is declared now" : "an earlier definition" }];
}

/** Restores outside of plans. */
function restoresWithoutPlan(
  state: State,
  runs: readonly StoredPlanRun[],
  earlier: readonly EarlierReport[],
): DeclaredPart {
  const scope = definedOnly({
    kind: "restores",
    name: state.stack ?? "restores",
    project: state.project,
    stack: state.stack,
  });
  const ofPlans = new Set(runs.map(({ parent }) => parent));
  const alone = ({ parent }: { readonly parent?: string }): boolean => !ofPlans.has(parent);
  const resources = state.resources.filter(alone);
  const pending = state.pending.filter(alone);
  const intents = intentsIn(resources);
  const { current, orphans } = pairWithIntents(restoresIn(state.resources, "without logs").filter(alone), intents);
  const pendingOf = (rawName: string, kind: Step["kind"]): PendingOperation | undefined =>
    pending.find((one) => one.rawName === rawName && restoreKindOf(one.type) === kind);
  const common = (name: string, kind: Step["kind"], urn: string | undefined, outputs: Fields) => ({
    name,
    kind,
    from: sourceOfStored(outputs),
    machine: firstId(textIn(outputs["virtualMachineId"])),
    provider: urn === undefined ? undefined : providerOf(state, urn),
  });
  const outputsOf = (urn: string | undefined): Fields => resources.find((one) => one.urn === urn)?.outputs ?? {};
  const stored = current.map(({ step, urn, rawName, parent, intent }: StoredRestore): DeclaredRestore => {
    const made = intents.find((one) => one.rawName === rawName && one.kind === step.kind && one.parent === parent);
    return definedOnly({
      ...common(step.name, step.kind, urn, outputsOf(urn)),
      panel: intent.panel ?? made?.panel,
      outcome: lastRunOfStep(step, pendingOf(rawName, step.kind)),
      proofs: [
        ...ownProof(step, undefined),
        ...proofsInReports(earlier, {
          scope,
          name: step.name,
          kind: step.kind,
          definition: shownDefinition({ ...step, panel: intent.panel ?? made?.panel }),
        }),
      ],
      stored: definedOnly({ urn, intentUrn: made?.urn, step, paths: outputsOf(urn)["paths"] }),
    });
  });
  const begun = orphans.map(({ intent }): DeclaredRestore =>
    definedOnly({
      ...common(intent.name, intent.kind, intent.urn, outputsOf(intent.urn)),
      panel: intent.panel,
      outcome: { kind: "unconfirmed" as const, says: outcomeNotStored },
      proofs: proofsInReports(earlier, {
        scope,
        name: intent.name,
        kind: intent.kind,
        definition: shownDefinition({ ...intent, panel: intent.panel }),
      }),
      stored: definedOnly({ intentUrn: intent.urn, paths: outputsOf(intent.urn)["paths"] }),
    }),
  );
  const unknown = pending.filter(
    ({ type, rawName }) => kindOf(type) === "intent" && !resources.some((one) => one.rawName === rawName),
  );
  return {
    restores: [...stored, ...begun],
    unreadable: unknown.map(
      ({ name }) =>
        `The run broke off while it created the intent of ${name}: this state does not say what it restores.`,
    ),
  };
}

const outcomeNotStored = "It was begun, but its outcome is not in the state.";

function lastRunOfPlanned({ step, notCarriedOut }: PlannedOutcome, pending: PendingOperation | undefined): LastRun {
  if (step !== undefined) return lastRunOfStep(step, pending);
  const { what, why = "" } = notCarriedOut ?? {};
  return what === "outcome not stored" ? { kind: "unconfirmed", says: why } : { kind: "not begun", says: why };
}

function lastRunOfStep(step: Step, pending: PendingOperation | undefined): LastRun {
  const { result, status, transactionIds, reason } = step;
  if (pending !== undefined)
    return { kind: "unfinished", says: `The run broke off while the engine was ${pending.operation} it.` };
  const says = reason ?? `Its last known status is ${status}.`;
  if (status === "overwritten") return { kind: status, says };
  if (status === "not counted") return { kind: "failed", says };
  if (status === "not sent") return { kind: "not begun", says };
  if (result === "unfinished") {
    const isUnconfirmedRestore = isUnconfirmed({ status: status as never, transactionIds });
    return { kind: isUnconfirmedRestore ? "unconfirmed" : "unfinished", says };
  }
  if (result !== "complete") return { kind: result, says };
  const failed = step.checks.filter((check) => check.result === "failed");
  return { kind: "complete", failedChecks: failed.map(checkLabel) };
}

/** The plan as given holds each restore's rule in force. If it hides the rule as a secret, the stored restore may show it. */
function sourceOfPlanned(
  planned: PlannedRestore,
  stored: Resource | undefined,
  given: Fields,
  known: { readonly recoveryPointId: string } | undefined,
): RestoreSource {
  if (isGiven(given["recoveryPoint"])) {
    const from = sourceByRule(given["recoveryPoint"]);
    return from.kind === "rule" ? from : sourceByRule(stored?.outputs["recoveryPoint"]);
  }
  const id = firstId(planned.recoveryPointId, known?.recoveryPointId);
  return id === undefined ? { kind: "not known" } : { kind: "point", id };
}

function sourceOfStored(outputs: Fields): RestoreSource {
  const { recoveryPoint, recoveryPointId } = outputs;
  if (isGiven(recoveryPoint)) return sourceByRule(recoveryPoint);
  const id = firstId(textIn(recoveryPointId));
  return id === undefined ? { kind: "not known" } : { kind: "point", id };
}

function sourceByRule(value: unknown): RestoreSource {
  const reading = readPointRule(plainDataOf(value));
  return "value" in reading ? { kind: "rule", rule: reading.value } : { kind: "not known" };
}

/** Reads a restore's entry in the plan as given. */
function givenReader(state: State, { urn }: StoredPlanRun): (wave: number, name: string) => Fields {
  const plan = fieldsOf(state.resources.find((one) => one.urn === urn)?.outputs["asGiven"]);
  return (index, name) => fieldsOf(fieldsOf(fieldsOf(asList(plan["waves"])[index])["restores"])[name]);
}

/** An explicit provider's name; undefined for a default provider. */
function providerOf(state: State, urn: string): string | undefined {
  const reference = state.resources.find((one) => one.urn === urn)?.provider;
  // urn:pulumi:<stack>::<project>::<type>::<name>::<id>
  const name = reference?.split("::").slice(3, -1).join("::") ?? "";
  return name === "" || /^default(?:_|$)/.test(name) ? undefined : name;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function textIn(value: unknown): string | undefined {
  if (isSecret(value)) return textIn(plainDataOf(value) === value ? undefined : plainDataOf(value));
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The first text that can be an id. The report shows "secret" in place of one. */
function firstId(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text !== "secret" && isValidId(text));
}
