import { isObject, asList } from "../../provider/plain/plain";
import { isDeepStrictEqual } from "node:util";
import type { Check, Notes, Pipeline, Plan, Step, VerdictWord } from "../model/model";
import { safeText, safeData, maxLengths } from "../model/safe-text";
import { type Resource, type State, kindOf } from "./read-state";
import { ruleInWords, stepFrom } from "./restores";
import { amountOf, fieldsOf, idOf, definedOnly, nameOf, utcOf, textOf, textsOf, type Fields, isSecret } from "./values";

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
  /** Absent where a rule is to choose it. */
  readonly recoveryPointId?: string;
  readonly recoveryPointTakenAt?: string;
  /** In words. */
  readonly rule?: string;
  /** Whether the rule says no moment of its own, so that `incidentAt` stands for it. */
  readonly usesIncidentAt?: boolean;
  readonly paths?: readonly string[];
  /** Its own triggers as they are stored; compared, never shown. */
  readonly triggers?: unknown;
  /** The hash of what its intent is to be made for. */
  readonly madeFor?: string;
  readonly goals: StepGoals;
  readonly checks: readonly Check[];
}

/** The waves or verdicts that are of this very run: what an earlier run left says nothing about this one. */
export function resourcesOf(
  { plan, run, parent }: Pick<StoredPlanRun, "plan" | "run" | "parent">,
  kind: "planWave" | "planVerdict",
  state: State,
): readonly Resource[] {
  return state.resources.filter(
    (resource) =>
      kindOf(resource.type) === kind &&
      resource.parent === parent &&
      nameOf(resource.outputs["plan"]) === plan &&
      nameOf(resource.outputs["run"]) === run,
  );
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
  const about = definedOnly({
    digest: nameOf(outputs["digest"]),
    changed: typeof outputs["changed"] === "boolean" ? outputs["changed"] : undefined,
    changedPaths: outputs["changedPaths"] === undefined ? undefined : textsOf(outputs["changedPaths"], maxLengths.name),
    previous:
      outputs["previous"] === undefined
        ? undefined
        : definedOnly({
            run: nameOf(previous["run"]),
            digest: nameOf(previous["digest"]),
            startedAt: utcOf(previous["startedAt"]),
          }),
    onFailure: nameOf(asGiven["onFailure"]),
    onMissedGoal: nameOf(asGiven["onMissedGoal"]),
    asGiven: isObject(outputs["asGiven"]) ? safeData(asGiven) : undefined,
  }) as Plan;
  return definedOnly({
    plan: nameOf(outputs["plan"]) ?? name.replace(/-run$/, ""),
    run: nameOf(outputs["run"]) ?? "unnamed",
    urn,
    parent,
    kind: outputs["kind"] === "drill" || outputs["kind"] === "recovery" ? outputs["kind"] : "not stated",
    format,
    startedAt: utcOf(outputs["startedAt"]),
    incidentAt: utcOf(outputs["incidentAt"]),
    user: nameOf(by["user"]),
    host: nameOf(by["host"]),
    pipeline: pipelineFrom(outputs["pipeline"]),
    notes: notesFrom(outputs["notes"]),
    panel: nameOf(outputs["panel"]),
    versions: versionsFrom(outputs["versions"]),
    about,
    onMissedGoal: asGiven["onMissedGoal"] === "warn" ? "warn" : "fail",
    wholeGoalSeconds: amountOf(fieldsOf(asGiven["wholeGoals"])["recoveryTimeSeconds"]),
    amended: asList(outputs["amended"]).flatMap((change) => utcOf(fieldsOf(change)["at"]) ?? "a time not stored"),
    waves:
      format === "known" && Array.isArray(asGiven["waves"])
        ? wavesAsGiven(asGiven, typeof outputs["plan"] === "string" ? outputs["plan"] : "", fieldsOf(outputs["hashes"]))
        : undefined,
  });
}

function pipelineFrom(value: unknown): Pipeline | undefined {
  if (!isObject(value)) return undefined;
  const fields = fieldsOf(value);
  return definedOnly({
    name: nameOf(fields["name"]) ?? "not named",
    url: textOf(fields["url"]),
    run: nameOf(fields["run"]),
    commit: nameOf(fields["commit"]),
    ref: nameOf(fields["ref"]),
    actor: nameOf(fields["actor"]),
  });
}

function notesFrom(value: unknown): Notes | undefined {
  if (!isObject(value)) return undefined;
  const fields = fieldsOf(value);
  return definedOnly({
    scenario: textOf(fields["scenario"]),
    owner: textOf(fields["owner"]),
    approver: textOf(fields["approver"]),
    reference: textOf(fields["reference"]),
  });
}

function versionsFrom(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(fieldsOf(value)).slice(0, 20);
  return Object.fromEntries(entries.flatMap(([key, version]) => [[safeText(key, 60), nameOf(version) ?? "unknown"]]));
}

function wavesAsGiven(asGiven: Fields, plan: string, hashes: Fields): readonly PlannedWave[] {
  const planGoals = goalsFrom(asGiven["goals"]);
  return asList(asGiven["waves"]).map((value, index) => {
    const wave = fieldsOf(value);
    const waveGoals = { ...planGoals, ...goalsFrom(wave["goals"]) };
    return {
      name: nameOf(wave["name"]) ?? `wave ${String(index + 1)}`,
      restores: Object.entries(fieldsOf(wave["restores"])).map(([name, given]) => {
        const fields = fieldsOf(given);
        const { kind, virtualMachineId, recoveryPointId, recoveryPointTakenAt, paths } = stepFrom(fields, {
          name: safeText(name, maxLengths.name),
          kind: Array.isArray(fields["paths"]) ? "FileRestore" : "VmRestore",
        });
        const rule = ruleInWords(fields["recoveryPoint"]);
        return definedOnly({
          name: safeText(name, maxLengths.name),
          rawName: `${plan}-${name}`,
          kind,
          virtualMachineId,
          recoveryPointId: rule === undefined ? recoveryPointId : undefined,
          recoveryPointTakenAt,
          rule,
          takesIncident: isObject(fields["recoveryPoint"]) && fields["recoveryPoint"]["before"] === undefined,
          paths,
          triggers: fields["triggers"],
          madeFor: idOf(fieldsOf(hashes[name])["madeFor"]),
          goals: { ...waveGoals, ...goalsFrom(fields["goals"]) },
          checks: checksFrom(fields["checks"]),
        });
      }),
    };
  });
}

/** The newest form in which runs, waves and verdicts are stored that this release reads. */
export const knownFormat = 1;

export interface StepGoals {
  readonly recoveryTimeSeconds?: number;
  readonly dataAgeSeconds?: number;
}

export function goalsFrom(value: unknown): StepGoals {
  const fields = fieldsOf(value);
  return definedOnly({
    recoveryTimeSeconds: amountOf(fields["recoveryTimeSeconds"]),
    dataAgeSeconds: amountOf(fields["dataAgeSeconds"]),
  });
}

const maxChecks = 100;

export function checksFrom(value: unknown): readonly Check[] {
  return asList(value)
    .slice(0, maxChecks)
    .map((item) => {
      const fields = fieldsOf(item);
      const { result } = fields;
      return definedOnly({
        kind: nameOf(fields["kind"]) ?? "check",
        target: textOf(fields["target"], 500) ?? "not stored",
        expects: textOf(fields["expects"], 500),
        // What did not say that it passed did not pass.
        result: result === "passed" || result === "failed" ? result : "not run",
        tries: amountOf(fields["tries"]),
        seconds: amountOf(fields["seconds"]),
        withinSeconds: amountOf(fields["withinSeconds"]),
        reason: textOf(fields["reason"]),
        addedLater: fields["addedLater"] === true ? true : undefined,
      });
    });
}

export interface StoredPlanVerdict {
  readonly result: VerdictWord | undefined;
  readonly reasons: readonly string[];
  readonly planned?: number;
  readonly decidedAt?: string;
  /** What was judged: the plan as the run has it now, or as it was before somebody changed it in the same run. */
  readonly about: "the plan as it is" | "an earlier plan";
}

const verdictWords: readonly VerdictWord[] = ["passed", "passed with warnings", "failed", "incomplete"];

/** The verdict of this very run. */
export function storedVerdictOf(run: StoredPlanRun, state: State): StoredPlanVerdict | undefined {
  const [resource] = resourcesOf(run, "planVerdict", state);
  if (resource === undefined) return undefined;
  const { outputs } = resource;
  return definedOnly({
    result:
      outputs["formatVersion"] === knownFormat ? verdictWords.find((word) => word === outputs["verdict"]) : undefined,
    reasons: textsOf(outputs["reasons"]),
    planned: amountOf(fieldsOf(outputs["counts"])["planned"]),
    decidedAt: utcOf(outputs["decidedAt"]),
    about: judgedCurrentPlan(run, fieldsOf(outputs["of"]))
      ? ("the plan as it is" as const)
      : ("an earlier plan" as const),
  });
}

/** A verdict repeats what it has judged. The run is saved first of all, so it may be ahead of a verdict that was not given anew. */
function judgedCurrentPlan({ about, waves, incidentAt }: StoredPlanRun, judged: Fields): boolean {
  const plan = judged["asGiven"];
  if (waves === undefined || !isObject(plan) || isSecret(plan)) return true;
  return isDeepStrictEqual(safeData(plan), about.asGiven) && utcOf(judged["incidentAt"]) === incidentAt;
}
