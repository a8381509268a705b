import type { Check, Notes, Pipeline, Plan, Step, VerdictWord } from "../model/model";
import { inert, inertData, inertLog, longest } from "../model/inert";
import { earliest, latest } from "./stamps";
import type { Resource, State } from "./read";
import { stepFrom } from "./restores";
import { kindOf } from "./types";
import {
  amountOf,
  fieldsOf,
  isFields,
  known,
  listOf,
  nameOf,
  plainTextOf,
  stampOf,
  textOf,
  textsOf,
  type Fields,
} from "./values";

/** The newest form in which runs, waves and verdicts are stored that this release reads. */
export const knownFormat = 1;

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

export interface StepGoals {
  readonly recoveryTimeSeconds?: number;
  readonly dataAgeSeconds?: number;
}

export interface StoredPlanWave {
  readonly index: number;
  readonly name: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly steps: readonly { readonly step: Step; readonly goals: StepGoals }[];
  readonly checkOutput?: string;
  readonly problems: readonly string[];
}

export interface StoredPlanVerdict {
  readonly result: VerdictWord | undefined;
  readonly reasons: readonly string[];
  readonly recoveryTimeSeconds?: number;
  readonly planned?: number;
  readonly decidedAt?: string;
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

export function goalsFrom(value: unknown): StepGoals {
  const fields = fieldsOf(value);
  return known({
    recoveryTimeSeconds: amountOf(fields["recoveryTimeSeconds"]),
    dataAgeSeconds: amountOf(fields["dataAgeSeconds"]),
  });
}

const mostChecks = 100;

function checksFrom(value: unknown): readonly Check[] {
  return listOf(value)
    .slice(0, mostChecks)
    .map((item) => {
      const fields = fieldsOf(item);
      const { result } = fields;
      return known({
        kind: nameOf(fields["kind"]) ?? "check",
        target: textOf(fields["target"], 500) ?? "not stored",
        // What did not say that it passed did not pass.
        result: result === "passed" || result === "failed" ? result : "not run",
        tries: amountOf(fields["tries"]),
        seconds: amountOf(fields["seconds"]),
        withinSeconds: amountOf(fields["withinSeconds"]),
        reason: textOf(fields["reason"]),
      });
    });
}

/**
 * The waves of this very run: one that an earlier run left says nothing about this one. Where a machine is restored more
 * than once in a wave, the wave is several resources of one index.
 */
export function wavesOf(
  { plan, run, parent }: StoredPlanRun,
  state: State,
  logs: "with logs" | "without logs",
): readonly StoredPlanWave[] {
  const rounds = ofRun("planWave", { plan, run, parent }, state).map(({ outputs, initErrors }) => {
    const output = logs === "with logs" ? plainTextOf(outputs["checkOutput"]) : undefined;
    const logOf = logs === "with logs" ? logsIn(outputs["logOutput"]) : () => undefined;
    return known({
      index: amountOf(outputs["index"]) ?? 0,
      name: nameOf(outputs["name"]) ?? "unnamed",
      startedAt: stampOf(outputs["startedAt"]),
      endedAt: stampOf(outputs["endedAt"]),
      steps: Object.entries(fieldsOf(outputs["restores"])).map(([name, value]) =>
        stepOfWave(inert(name, longest.name), fieldsOf(value), logOf(name)),
      ),
      checkOutput: output === undefined || output === "" ? undefined : inertLog(output),
      problems: initErrors,
    });
  });
  return [...new Set(rounds.map(({ index }) => index))].map((index) =>
    whole(rounds.filter((round) => round.index === index)),
  );
}

function whole(rounds: readonly StoredPlanWave[]): StoredPlanWave {
  return known({
    index: rounds[0]?.index ?? 0,
    name: rounds[0]?.name ?? "unnamed",
    startedAt: earliest(rounds.map(({ startedAt }) => startedAt)),
    endedAt: latest(rounds.map(({ endedAt }) => endedAt)),
    steps: rounds.flatMap(({ steps }) => steps),
    checkOutput: rounds.flatMap(({ checkOutput }) => checkOutput ?? []).join("\n") || undefined,
    problems: rounds.flatMap(({ problems }) => problems),
  });
}

/** A wave keeps the logs of its restores in one secret, by their names. */
function logsIn(value: unknown): (name: string) => string | undefined {
  const text = plainTextOf(value);
  let logs: unknown;
  try {
    logs = text === undefined ? undefined : JSON.parse(text);
  } catch {
    logs = undefined;
  }
  return (name) => {
    const log = fieldsOf(logs)[name];
    return typeof log === "string" && log !== "" ? inertLog(log) : undefined;
  };
}

function stepOfWave(
  name: string,
  fields: Fields,
  log: string | undefined,
): { readonly step: Step; readonly goals: StepGoals } {
  const kind = fields["kind"] === "FileRestore" ? "FileRestore" : "VmRestore";
  const step = stepFrom(fields, { name, kind });
  const checks = checksFrom(fields["checks"]);
  const allPassed = checks.every(({ result }) => result === "passed");
  return {
    step: known({
      ...step,
      checks,
      log,
      checkedAt: stampOf(fields["checkedAt"]),
      noticedAfterSeconds: checks.length > 0 ? amountOf(fields["noticedAfterSeconds"]) : undefined,
      checkedSeconds: checks.length > 0 ? amountOf(fields["checkedSeconds"]) : undefined,
      // A machine whose checks did not pass is not recovered, whatever the record says.
      recoveredSeconds:
        step.result === "complete" && allPassed
          ? (amountOf(fields["recoveredSeconds"]) ?? (checks.length === 0 ? step.recoveredSeconds : undefined))
          : undefined,
      dataAgeSeconds: amountOf(fields["dataAgeSeconds"]),
    }),
    goals: goalsFrom(fields["goals"]),
  };
}

const words: readonly VerdictWord[] = ["passed", "passed with warnings", "failed", "incomplete"];

/** The verdict of this very run. */
export function verdictOf(run: StoredPlanRun, state: State): StoredPlanVerdict | undefined {
  const [resource] = ofRun("planVerdict", run, state);
  if (resource === undefined) return undefined;
  const { outputs } = resource;
  return known({
    result: outputs["formatVersion"] === knownFormat ? words.find((word) => word === outputs["verdict"]) : undefined,
    reasons: textsOf(outputs["reasons"]),
    recoveryTimeSeconds: amountOf(outputs["recoveryTimeSeconds"]),
    planned: amountOf(fieldsOf(outputs["counts"])["planned"]),
    decidedAt: stampOf(outputs["decidedAt"]),
  });
}

function ofRun(
  kind: "planWave" | "planVerdict",
  { plan, run, parent }: { readonly plan: string; readonly run: string; readonly parent?: string | undefined },
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
