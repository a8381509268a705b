import { isObject, asList } from "../../provider/plain/plain";
import { isDeepStrictEqual } from "node:util";
import { withProgramAlone, withProgramsAlone } from "../../provider/inputs/read-check";
import type { StoredChange } from "../../provider/plan/stored";
import type { Check, Notes, Pipeline, Plan, Step, VerdictWord } from "../model/model";
import { safeText, safeData, maxLengths } from "../model/safe-text";
import { type Resource, type State, kindOf } from "./read-state";
import { ruleInWords, stepFrom } from "./restores";
import { amountOf, fieldsOf, idOf, definedOnly, nameOf, utcOf, textOf, textsOf, type Fields } from "./values";

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
  /** Undefined if the plan is a secret, or in a form that this release does not know. */
  readonly waves?: readonly PlannedWave[];
  /** The changes of the plan since the run began. */
  readonly history: readonly StoredChange[];
  /** The start as stored, to compare with that of a record's run. */
  readonly identity?: string;
}

export interface PlannedWave {
  readonly name: string;
  readonly restores: readonly PlannedRestore[];
}

export interface PlannedRestore {
  readonly name: string;
  /** The name of its resource, as in URNs. */
  readonly rawName: string;
  readonly kind: Step["kind"];
  readonly virtualMachineId: string;
  /** Absent if a rule chooses it. */
  readonly recoveryPointId?: string;
  readonly recoveryPointTakenAt?: string;
  /** The rule in words. */
  readonly rule?: string;
  /** True if the rule has no moment of its own, so `incidentAt` counts. */
  readonly usesIncidentAt?: boolean;
  readonly paths?: readonly string[];
  /** Its own triggers as stored; compared, never shown. */
  readonly triggers?: unknown;
  readonly goals: StepGoals;
  readonly checks: readonly Check[];
  /** The form that the plan has now. Absent in a state of an earlier release. */
  readonly revision?: string;
}

/** The waves or verdicts of this very run; those of an earlier run do not count. */
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
  const asGiven = fieldsOf(withProgramsAlone(outputs["asGiven"]));
  const by = fieldsOf(outputs["by"]);
  const previous = fieldsOf(outputs["previous"]);
  const about = definedOnly({
    changed: typeof outputs["changed"] === "boolean" ? outputs["changed"] : undefined,
    changedPaths: outputs["changedPaths"] === undefined ? undefined : textsOf(outputs["changedPaths"], maxLengths.name),
    previous:
      outputs["previous"] === undefined
        ? undefined
        : definedOnly({
            run: nameOf(previous["run"]),
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
    identity: idOf(outputs["startedAt"]),
    history: asList(outputs["history"] ?? outputs["amended"]).map((change) => changeFrom(fieldsOf(change))),
    waves:
      format === "known" && Array.isArray(asGiven["waves"])
        ? wavesAsGiven(
            asGiven,
            typeof outputs["plan"] === "string" ? outputs["plan"] : "",
            fieldsOf(outputs["revisions"]),
          )
        : undefined,
  });
}

/** Earlier releases stored the paths alone. */
function changeFrom({ at, by, pipeline, changes, paths }: Fields): StoredChange {
  const values: readonly Fields[] = Array.isArray(changes)
    ? changes.map(fieldsOf)
    : asList(paths).map((path) => ({ path }));
  return definedOnly({
    at: utcOf(at) ?? "a time not stored",
    by: definedOnly({ user: nameOf(fieldsOf(by)["user"]), host: nameOf(fieldsOf(by)["host"]) }),
    pipeline: pipelineFrom(pipeline),
    changes: values.map(({ path, before, after }) =>
      definedOnly({ path: textOf(path) ?? "something", before: textOf(before), after: textOf(after) }),
    ),
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

function wavesAsGiven(asGiven: Fields, plan: string, revisions: Fields): readonly PlannedWave[] {
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
          usesIncidentAt: isObject(fields["recoveryPoint"]) && fields["recoveryPoint"]["before"] === undefined,
          paths,
          triggers: fields["triggers"],
          goals: { ...waveGoals, ...goalsFrom(fields["goals"]) },
          checks: checksFrom(fields["checks"]),
          revision: idOf(fieldsOf(revisions[name])["at"]),
        });
      }),
    };
  });
}

/** The newest stored format of runs, waves and verdicts that this release reads. */
export const knownFormat = 1;

export interface StepGoals {
  readonly recoveryTimeSeconds?: number;
  readonly dataAgeSeconds?: number;
}

function goalsFrom(value: unknown): StepGoals {
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
      const fields = withProgramAlone(fieldsOf(item));
      const { result } = fields;
      return definedOnly({
        kind: nameOf(fields["kind"]) ?? "check",
        name: nameOf(fields["name"]),
        target: textOf(fields["target"], 500) ?? "not stored",
        expects: textOf(fields["expects"], 500),
        // An unknown result does not pass.
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
  /** The judged plan: the run's current one, or an earlier form that was changed in the same run. */
  readonly about: "the plan as it is" | "an earlier plan";
}

const verdictWords: readonly VerdictWord[] = ["passed", "passed with warnings", "failed", "incomplete"];

/** The verdict of this very run. */
export function storedVerdictOf(run: StoredPlanRun, state: State): StoredPlanVerdict | undefined {
  const [resource] = resourcesOf(run, "planVerdict", state);
  if (resource === undefined) return undefined;
  const { inputs, outputs } = resource;
  return definedOnly({
    result:
      outputs["formatVersion"] === knownFormat ? verdictWords.find((word) => word === outputs["verdict"]) : undefined,
    reasons: textsOf(outputs["reasons"]),
    planned: amountOf(fieldsOf(outputs["counts"])["planned"]),
    decidedAt: utcOf(outputs["decidedAt"]),
    about: judgedCurrentPlan(run, state, fieldsOf(inputs["of"] ?? outputs["of"]))
      ? ("the plan as it is" as const)
      : ("an earlier plan" as const),
  });
}

/** True if the verdict judged the current plan. The run is saved first, so a stored verdict may be older: every change is in the run's history. */
function judgedCurrentPlan({ urn }: StoredPlanRun, state: State, judged: Fields): boolean {
  const history = state.resources.find((one) => one.urn === urn)?.outputs["history"];
  return !Array.isArray(judged["history"]) || isDeepStrictEqual(judged["history"], history);
}
