import { type StoredCheck, withProgramsAlone } from "../../provider/inputs/read-check";
import { asList, isObject } from "../../provider/plain/plain";
import type { Read } from "../../provider/plain/stored-fields";
import { type PlanAsRead, readRun, readVerdict } from "../../provider/plan/read-stored";
import type { StoredChange, StoredPipeline, StoredRevision } from "../../provider/plan/stored";
import type { Check, Notes, Pipeline, Plan, Step, VerdictWord } from "../model/model";
import { safeText, safeData, maxLengths } from "../model/safe-text";
import { type Resource, type State, kindOf } from "./read-state";
import { ruleInWords, stepFrom } from "./restores";
import { amountOf, fieldsOf, idOf, definedOnly, nameOf, shown, utcOf, textOf, textsOf } from "./values";

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

/** A restore as it is planned: a step that has no outcome yet. */
export interface PlannedRestore extends Pick<
  Step,
  "name" | "kind" | "virtualMachineId" | "recoveryPointTakenAt" | "paths" | "checks" | "revision"
> {
  /** The name of its resource, as in URNs. */
  readonly rawName: string;
  /** Absent if a rule chooses it. */
  readonly recoveryPointId?: string;
  /** The rule in words. */
  readonly rule?: string;
  /** True if the rule has no moment of its own, so `incidentAt` counts. */
  readonly usesIncidentAt?: boolean;
  /** Its own triggers as stored; compared, never shown. */
  readonly triggers?: unknown;
  readonly goals: StepGoals;
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
  const known = shown(outputs);
  const stored = readRun(known);
  const { by = {}, previous, asGiven = {}, history = [], notes } = stored;
  const version = outputs["formatVersion"];
  const format = version === knownFormat ? "known" : { unknown: textOf(version, 40) ?? "none" };
  const about = definedOnly({
    changed: stored.changed,
    changedPaths: stored.changedPaths && textsOf(stored.changedPaths, maxLengths.name),
    previous: previous && definedOnly({ run: nameOf(previous.run), startedAt: utcOf(previous.startedAt) }),
    onFailure: asGiven.onFailure,
    onMissedGoal: asGiven.onMissedGoal,
    asGiven: isObject(outputs["asGiven"]) ? safeData(fieldsOf(withProgramsAlone(known["asGiven"]))) : undefined,
  }) as Plan;
  return definedOnly({
    plan: nameOf(stored.plan) ?? name.replace(/-run$/, ""),
    run: nameOf(stored.run) ?? "unnamed",
    urn,
    parent,
    kind: stored.kind ?? ("not stated" as const),
    format,
    startedAt: utcOf(stored.startedAt),
    incidentAt: utcOf(stored.incidentAt),
    user: nameOf(by.user),
    host: nameOf(by.host),
    pipeline: stored.pipeline && pipelineFrom(stored.pipeline),
    notes: notes && textsFrom(notes),
    panel: nameOf(stored.panel),
    versions: versionsFrom(stored.versions ?? {}),
    about,
    onMissedGoal: asGiven.onMissedGoal ?? "fail",
    wholeGoalSeconds: amountOf(asGiven.wholeGoals?.recoveryTimeSeconds),
    identity: idOf(stored.startedAt),
    history: history.map(changeFrom),
    waves: format === "known" && asGiven.waves ? wavesAsGiven(asGiven, stored.plan ?? "", stored.revisions) : undefined,
  });
}

function changeFrom({ at, by = {}, pipeline, changes = [] }: Read<StoredChange>): StoredChange {
  return definedOnly({
    at: utcOf(at) ?? "a time not stored",
    by: definedOnly({ user: nameOf(by.user), host: nameOf(by.host) }),
    pipeline: pipeline && pipelineFrom(pipeline),
    changes: changes.map(({ path, before, after }) =>
      definedOnly({ path: textOf(path) ?? "something", before: textOf(before), after: textOf(after) }),
    ),
  });
}

function pipelineFrom({ name, url, run, commit, ref, actor }: Read<StoredPipeline>): Pipeline {
  return definedOnly({
    name: nameOf(name) ?? "not named",
    url: textOf(url),
    run: nameOf(run),
    commit: nameOf(commit),
    ref: nameOf(ref),
    actor: nameOf(actor),
  });
}

function textsFrom({ scenario, owner, approver, reference }: Notes): Notes {
  return definedOnly({
    scenario: textOf(scenario),
    owner: textOf(owner),
    approver: textOf(approver),
    reference: textOf(reference),
  });
}

function versionsFrom(versions: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(versions).slice(0, 20);
  return Object.fromEntries(entries.map(([key, version]) => [safeText(key, 60), nameOf(version) ?? "unknown"]));
}

function wavesAsGiven(
  { goals, waves = [] }: PlanAsRead,
  plan: string,
  revisions: Readonly<Record<string, Read<StoredRevision>>> = {},
): readonly PlannedWave[] {
  const planGoals = goalsFrom(goals);
  return waves.map((wave, index) => {
    const waveGoals = { ...planGoals, ...goalsFrom(wave.goals) };
    return {
      name: nameOf(wave.name) ?? `wave ${String(index + 1)}`,
      restores: Object.entries(wave.restores ?? {}).map(([name, restore]) => {
        const about = {
          name: safeText(name, maxLengths.name),
          kind: restore.paths === undefined ? ("VmRestore" as const) : ("FileRestore" as const),
        };
        const { virtualMachineId, recoveryPointId, recoveryPointTakenAt, paths } = stepFrom(restore, about);
        const { recoveryPoint } = restore;
        const rule = ruleInWords(recoveryPoint);
        return definedOnly({
          ...about,
          rawName: `${plan}-${name}`,
          virtualMachineId,
          recoveryPointId: rule === undefined ? recoveryPointId : undefined,
          recoveryPointTakenAt,
          rule,
          usesIncidentAt: isObject(recoveryPoint) && recoveryPoint["before"] === undefined,
          paths,
          triggers: restore.triggers,
          goals: { ...waveGoals, ...goalsFrom(restore.goals) },
          checks: checksFrom(restore.checks),
          revision: idOf(revisions[name]?.at),
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

function goalsFrom({ recoveryTimeSeconds, dataAgeSeconds }: StepGoals = {}): StepGoals {
  return definedOnly({
    recoveryTimeSeconds: amountOf(recoveryTimeSeconds),
    dataAgeSeconds: amountOf(dataAgeSeconds),
  });
}

const maxChecks = 100;

export function checksFrom(stored: readonly Read<StoredCheck>[] = []): readonly Check[] {
  return stored.slice(0, maxChecks).map(({ kind, name, target, expects, result, addedLater, ...amounts }) =>
    definedOnly({
      kind: kind ?? "check",
      name: nameOf(name),
      target: textOf(target, 500) ?? "not stored",
      expects: textOf(expects, 500),
      // An unknown result does not pass.
      result: result ?? "not run",
      tries: amountOf(amounts.tries),
      seconds: amountOf(amounts.seconds),
      withinSeconds: amountOf(amounts.withinSeconds),
      reason: textOf(amounts.reason),
      addedLater,
    }),
  );
}

export interface StoredPlanVerdict {
  readonly result: VerdictWord | undefined;
  readonly reasons: readonly string[];
  readonly planned?: number;
  readonly decidedAt?: string;
  /** The judged plan: the run's current one, or an earlier form that was changed in the same run. */
  readonly about: "the plan as it is" | "an earlier plan";
}

/** The verdict of this very run. */
export function storedVerdictOf(run: StoredPlanRun, state: State): StoredPlanVerdict | undefined {
  const [resource] = resourcesOf(run, "planVerdict", state);
  if (resource === undefined) return undefined;
  const { outputs } = resource;
  const { verdict, reasons, counts, lastChangeAt, decidedAt } = readVerdict(shown(outputs));
  return definedOnly({
    result: outputs["formatVersion"] === knownFormat ? verdict : undefined,
    reasons: textsOf(reasons),
    planned: amountOf(counts?.planned),
    decidedAt: utcOf(decidedAt),
    about: lastChangeAt === lastChangeOf(run, state) ? ("the plan as it is" as const) : ("an earlier plan" as const),
  });
}

/** The run is saved first, so a stored verdict may be older than its last change. Earlier releases stored none of either. */
function lastChangeOf({ urn }: StoredPlanRun, state: State): unknown {
  const { history } = state.resources.find((one) => one.urn === urn)?.outputs ?? {};
  return fieldsOf(asList(history).at(-1))["at"];
}
