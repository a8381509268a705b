import { earliestStamp, latestStamp } from "../../provider/plain/clock";
import { asList } from "../../provider/plain/plain";
import type { EarlierTry, Step } from "../model/model";
import { safeText, safeLog, maxLengths } from "../model/safe-text";
import {
  checksFrom,
  definitionFrom,
  goalsFrom,
  type ReadDefinition,
  type StepGoals,
  resourcesOf,
  type StoredPlanRun,
} from "./plan-run";
import { kindOf, type State } from "./read-state";
import { stepFrom } from "./restores";
import { amountOf, fieldsOf, idOf, definedOnly, nameOf, plainTextOf, utcOf, type Fields } from "./values";

/** A restore as its wave stored it. */
export interface StoredPlanStep {
  readonly step: Step;
  readonly goals: StepGoals;
  /** The id of its intent. */
  readonly intentId?: string;
  /** The hash of the inputs that its intent was made for. */
  readonly madeFor?: string;
  readonly definition?: ReadDefinition;
  /** The start of the run in which it was sent. */
  readonly runStartedAt?: string;
}

export interface PlanWaveResource {
  readonly index: number;
  readonly name: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly steps: readonly StoredPlanStep[];
  /** The last records of restores that the plan has no longer in this wave. */
  readonly takenOut: readonly StoredPlanStep[];
  /** True if its record was made anew after its restores were sent. */
  readonly isMadeAnew: boolean;
  readonly checkOutput?: string;
  readonly problems: readonly string[];
}

/** The waves of this very run. A wave that restores one machine more than once is several resources of one index. */
export function wavesOf(
  run: StoredPlanRun,
  state: State,
  logs: "with logs" | "without logs",
): readonly PlanWaveResource[] {
  const batches = resourcesOf(run, "planWave", state).map(({ outputs, initErrors }) => {
    const output = logs === "with logs" ? plainTextOf(outputs["checkOutput"]) : undefined;
    const logOf = logs === "with logs" ? logsIn(outputs["logOutput"]) : () => undefined;
    const stepsOf = (stored: unknown): readonly StoredPlanStep[] =>
      Object.entries(fieldsOf(stored)).map(([name, value]) =>
        planStepFrom(safeText(name, maxLengths.name), fieldsOf(value), logOf(name)),
      );
    return definedOnly({
      index: amountOf(outputs["index"]) ?? 0,
      name: nameOf(outputs["name"]) ?? "unnamed",
      startedAt: utcOf(outputs["startedAt"]),
      endedAt: utcOf(outputs["endedAt"]),
      steps: stepsOf(outputs["restores"]),
      takenOut: stepsOf(outputs["takenOut"]),
      isMadeAnew: outputs["isMadeAnew"] === true,
      checkOutput: output === undefined || output === "" ? undefined : safeLog(output),
      problems: initErrors,
    });
  });
  return [...new Set(batches.map(({ index }) => index))].map((index) =>
    mergeBatches(batches.filter((batch) => batch.index === index)),
  );
}

/** The last proof of each restore of a plan, by its name, from waves of any run. */
export function lastProofsOf(
  { plan, parent }: Pick<StoredPlanRun, "plan" | "parent">,
  state: State,
): ReadonlyMap<string, StoredProof> {
  const waves = state.resources.filter(
    (one) => kindOf(one.type) === "planWave" && one.parent === parent && nameOf(one.outputs["plan"]) === plan,
  );
  return new Map(
    waves.flatMap(({ outputs }) =>
      Object.entries(fieldsOf(outputs["lastProofs"])).flatMap(([name, value]) => {
        const { run, at, recoveredSeconds, definition } = fieldsOf(value);
        const provenAt = utcOf(at);
        if (provenAt === undefined) return [];
        const proof = definedOnly({
          at: provenAt,
          run: nameOf(run),
          recoveredSeconds: amountOf(recoveredSeconds),
          definition: definitionFrom(definition),
        });
        return [[safeText(name, maxLengths.name), proof] as const];
      }),
    ),
  );
}

/** That a run has completed a restore, and its checks passed. */
export interface Proof {
  /** When its last check passed, or else when it ended. */
  readonly at: string;
  readonly run?: string;
  readonly recoveredSeconds?: number;
}

/** The proof as a wave keeps it. */
export interface StoredProof extends Proof {
  readonly definition?: ReadDefinition;
}

function mergeBatches(batches: readonly PlanWaveResource[]): PlanWaveResource {
  return definedOnly({
    index: batches[0]?.index ?? 0,
    name: batches[0]?.name ?? "unnamed",
    startedAt: earliestStamp(batches.map(({ startedAt }) => startedAt)),
    endedAt: latestStamp(batches.map(({ endedAt }) => endedAt)),
    steps: batches.flatMap(({ steps }) => steps),
    takenOut: batches.flatMap(({ takenOut }) => takenOut),
    isMadeAnew: batches.some(({ isMadeAnew }) => isMadeAnew),
    checkOutput: batches.flatMap(({ checkOutput }) => checkOutput ?? []).join("\n") || undefined,
    problems: batches.flatMap(({ problems }) => problems),
  });
}

/** Reads a wave's logs, which are one secret, by the names of its restores. */
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
    return typeof log === "string" && log !== "" ? safeLog(log) : undefined;
  };
}

const maxTries = 20;

function earlierTryFrom(fields: Fields): EarlierTry {
  const { result, status, transactionIds, requestedAt, finishedAt } = stepFrom(fields, { name: "", kind: "VmRestore" });
  const failedChecks = checksFrom(fields["failedChecks"]);
  return definedOnly({
    result,
    status,
    transactionIds,
    requestedAt,
    finishedAt,
    failedChecks: failedChecks.length === 0 ? undefined : failedChecks,
  });
}

function planStepFrom(name: string, fields: Fields, log: string | undefined): StoredPlanStep {
  const kind = fields["kind"] === "FileRestore" ? "FileRestore" : "VmRestore";
  const step = stepFrom(fields, { name, kind });
  const checks = checksFrom(fields["checks"]);
  const intentId = idOf(typeof fields["posting"] === "string" ? fields["posting"].split("/")[0] : undefined);
  const earlierTries = asList(fields["earlierTries"])
    .slice(0, maxTries)
    .map((one) => earlierTryFrom(fieldsOf(one)));
  const madeFor = idOf(fields["madeFor"]);
  const definition = definitionFrom(fields["definition"]);
  const runStartedAt = idOf(fields["runStartedAt"]);
  const droppedChecks = checksFrom(fields["droppedChecks"]);
  return {
    ...(intentId !== undefined && { intentId }),
    ...(madeFor !== undefined && { madeFor }),
    ...(definition !== undefined && { definition }),
    ...(runStartedAt !== undefined && { runStartedAt }),
    step: definedOnly({
      ...step,
      checks,
      log,
      checkedAt: utcOf(fields["checkedAt"]),
      noticedAfterSeconds: checks.length > 0 ? amountOf(fields["noticedAfterSeconds"]) : undefined,
      checkedSeconds: checks.length > 0 ? amountOf(fields["checkedSeconds"]) : undefined,
      earlierTries: earlierTries.length === 0 ? undefined : earlierTries,
      droppedChecks: droppedChecks.length === 0 ? undefined : droppedChecks,
    }),
    goals: goalsFrom(fields["goals"]),
  };
}
