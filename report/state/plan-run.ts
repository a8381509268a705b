import type { Check, Notes, Pipeline, Plan, Step } from "../model/model";
import { inert, inertData, longest } from "../model/inert";
import { checksFrom, goalsFrom, knownFormat, type StepGoals } from "./plan-parts";
import type { Resource, State } from "./read";
import { stepFrom } from "./restores";
import { kindOf } from "./types";
import { amountOf, fieldsOf, isFields, known, listOf, nameOf, stampOf, textOf, textsOf, type Fields } from "./values";

export interface StoredPlanRun {
  readonly plan: string;
  readonly run: string;
  readonly urn: string;
  readonly parent?: string;
  readonly kind: "drill" | "recovery" | "not stated";
  readonly format: "known" | { readonly unknown: string };
  readonly startedAt?: string;
  readonly incidentAt?: string;
  readonly user?: string;
  readonly host?: string;
  readonly pipeline?: Pipeline;
  readonly notes?: Notes;
  readonly panel?: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly about: Plan;
  readonly onMissedGoal: "fail" | "warn";
  readonly wholeGoalSeconds?: number;
  /** Undefined where the state keeps the plan as a secret, or in a form this release does not know. */
  readonly waves?: readonly PlannedWave[];
  /** Changes of the plan after the run had begun. */
  readonly amended: readonly string[];
}

export interface PlannedWave {
  readonly name: string;
  readonly restores: readonly PlannedRestore[];
}

export interface PlannedRestore {
  readonly name: string;
  /** The name of its resource, as it is in URNs. */
  readonly rawName: string;
  readonly kind: Step["kind"];
  readonly virtualMachineId: string;
  readonly recoveryPointId: string;
  readonly recoveryPointTakenAt?: string;
  readonly paths?: readonly string[];
  readonly goals: StepGoals;
  readonly checks: readonly Check[];
}

export function planRunsIn(state: State): readonly StoredPlanRun[] {
  return state.resources.flatMap((resource) => (kindOf(resource.type) === "planRun" ? [runFrom(resource)] : []));
}

function runFrom({ outputs, urn, parent, name }: Resource): StoredPlanRun {
  const version = outputs["formatVersion"];
  const format = version === knownFormat ? "known" : { unknown: textOf(version, 40) ?? "none" };
  const asGiven = fieldsOf(outputs["asGiven"]);
  const by = fieldsOf(outputs["by"]);
  const previous = fieldsOf(outputs["previous"]);
  const about = known({
    digest: nameOf(outputs["digest"]),
    changed: typeof outputs["changed"] === "boolean" ? outputs["changed"] : undefined,
    changedPaths: outputs["changedPaths"] === undefined ? undefined : textsOf(outputs["changedPaths"], longest.name),
    previous:
      outputs["previous"] === undefined
        ? undefined
        : known({
            run: nameOf(previous["run"]),
            digest: nameOf(previous["digest"]),
            startedAt: stampOf(previous["startedAt"]),
          }),
    onFailure: nameOf(asGiven["onFailure"]),
    onMissedGoal: nameOf(asGiven["onMissedGoal"]),
    asGiven: isFields(outputs["asGiven"]) ? inertData(asGiven) : undefined,
  }) as Plan;
  return known({
    plan: nameOf(outputs["plan"]) ?? name.replace(/-run$/, ""),
    run: nameOf(outputs["run"]) ?? "unnamed",
    urn,
    parent,
    kind: outputs["kind"] === "drill" || outputs["kind"] === "recovery" ? outputs["kind"] : "not stated",
    format,
    startedAt: stampOf(outputs["startedAt"]),
    incidentAt: stampOf(outputs["incidentAt"]),
    user: nameOf(by["user"]),
    host: nameOf(by["host"]),
    pipeline: pipelineFrom(outputs["pipeline"]),
    notes: notesFrom(outputs["notes"]),
    panel: nameOf(outputs["panel"]),
    versions: versionsFrom(outputs["versions"]),
    about,
    onMissedGoal: asGiven["onMissedGoal"] === "warn" ? "warn" : "fail",
    wholeGoalSeconds: amountOf(fieldsOf(asGiven["wholeGoals"])["recoveryTimeSeconds"]),
    amended: listOf(outputs["amended"]).flatMap((change) => stampOf(fieldsOf(change)["at"]) ?? "a time not stored"),
    waves:
      format === "known" && Array.isArray(asGiven["waves"])
        ? wavesAsGiven(asGiven, typeof outputs["plan"] === "string" ? outputs["plan"] : "")
        : undefined,
  });
}

function pipelineFrom(value: unknown): Pipeline | undefined {
  if (!isFields(value)) return undefined;
  const fields = fieldsOf(value);
  return known({
    name: nameOf(fields["name"]) ?? "not named",
    url: textOf(fields["url"]),
    run: nameOf(fields["run"]),
    commit: nameOf(fields["commit"]),
    ref: nameOf(fields["ref"]),
    actor: nameOf(fields["actor"]),
  });
}

function notesFrom(value: unknown): Notes | undefined {
  if (!isFields(value)) return undefined;
  const fields = fieldsOf(value);
  return known({
    scenario: textOf(fields["scenario"]),
    owner: textOf(fields["owner"]),
    approver: textOf(fields["approver"]),
    reference: textOf(fields["reference"]),
  });
}

function versionsFrom(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(fieldsOf(value)).slice(0, 20);
  return Object.fromEntries(entries.flatMap(([key, version]) => [[inert(key, 60), nameOf(version) ?? "unknown"]]));
}

function wavesAsGiven(asGiven: Fields, plan: string): readonly PlannedWave[] {
  const planGoals = goalsFrom(asGiven["goals"]);
  return listOf(asGiven["waves"]).map((value, index) => {
    const wave = fieldsOf(value);
    const waveGoals = { ...planGoals, ...goalsFrom(wave["goals"]) };
    return {
      name: nameOf(wave["name"]) ?? `wave ${String(index + 1)}`,
      restores: Object.entries(fieldsOf(wave["restores"])).map(([name, given]) => {
        const fields = fieldsOf(given);
        const { kind, virtualMachineId, recoveryPointId, recoveryPointTakenAt, paths } = stepFrom(fields, {
          name: inert(name, longest.name),
          kind: Array.isArray(fields["paths"]) ? "FileRestore" : "VmRestore",
        });
        return known({
          name: inert(name, longest.name),
          rawName: `${plan}-${name}`,
          kind,
          virtualMachineId,
          recoveryPointId,
          recoveryPointTakenAt,
          paths,
          goals: { ...waveGoals, ...goalsFrom(fields["goals"]) },
          checks: checksFrom(fields["checks"]),
        });
      }),
    };
  });
}
