import { earliestStamp, latestStamp } from "../../provider/plain/clock";
import { asList } from "../../provider/plain/plain";
import type { EarlierTry, Step } from "../model/model";
import { safeText, safeLog, maxLengths } from "../model/safe-text";
import { checkHashesFrom, checksFrom, goalsFrom, type StepGoals, resourcesOf, type StoredPlanRun } from "./plan-run";
import type { State } from "./read-state";
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
  /** The hashes of its checks. */
  readonly checksMadeFor?: readonly (string | undefined)[];
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
  const checksMadeFor = checkHashesFrom(fields["checksMadeFor"]);
  const runStartedAt = idOf(fields["runStartedAt"]);
  const droppedChecks = checksFrom(fields["droppedChecks"]);
  return {
    ...(intentId !== undefined && { intentId }),
    ...(madeFor !== undefined && { madeFor }),
    ...(checksMadeFor !== undefined && { checksMadeFor }),
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
