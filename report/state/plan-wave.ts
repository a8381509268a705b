import { earliestStamp, latestStamp } from "../../provider/plain/clock";
import { asList } from "../../provider/plain/plain";
import type { EarlierTry, Step } from "../model/model";
import { safeText, safeLog, maxLengths } from "../model/safe-text";
import { checksFrom, resourcesOf, type StoredPlanRun } from "./plan-run";
import { kindOf, type State } from "./read-state";
import { stepFrom } from "./restores";
import { amountOf, fieldsOf, idOf, definedOnly, nameOf, plainTextOf, utcOf, type Fields } from "./values";

/** A restore as its wave stored it. */
export interface StoredPlanStep {
  readonly step: Step;
  readonly posting?: string;
  /** The form of the restore that was carried out. Earlier releases stored none. */
  readonly revision?: string;
  /** The start of the run in which it was sent. */
  readonly runStartedAt?: string;
  /** True if an earlier process sent it, and no record says what had come of it before. */
  readonly isRecordedLate?: boolean;
}

export interface PlanWaveResource {
  readonly index: number;
  readonly name: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly steps: readonly StoredPlanStep[];
  /** Every earlier try of the run by the name of its restore, oldest first. */
  readonly earlierTries: Readonly<Record<string, readonly EarlierTry[]>>;
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
      earlierTries: earlierTriesIn(outputs),
      checkOutput: output === undefined || output === "" ? undefined : safeLog(output),
      problems: initErrors,
    });
  });
  return [...new Set(batches.map(({ index }) => index))].map((index) =>
    mergeBatches(batches.filter((batch) => batch.index === index)),
  );
}

/** The last proof of each restore of a plan, by its name, from waves of any run: the newest, for a restore may have moved to another wave. */
export function lastProofsOf(
  { plan, parent }: Pick<StoredPlanRun, "plan" | "parent">,
  state: State,
): ReadonlyMap<string, StoredProof> {
  const waves = state.resources.filter(
    (one) => kindOf(one.type) === "planWave" && one.parent === parent && nameOf(one.outputs["plan"]) === plan,
  );
  const proofs = waves.flatMap(({ outputs }) =>
    Object.entries(fieldsOf(outputs["lastProofs"])).flatMap(([name, value]) => {
      const { run, at, recoveredSeconds, revision } = fieldsOf(value);
      const provenAt = utcOf(at);
      if (provenAt === undefined) return [];
      const proof = definedOnly({
        at: provenAt,
        run: nameOf(run),
        recoveredSeconds: amountOf(recoveredSeconds),
        revision: idOf(revision),
      });
      return [[safeText(name, maxLengths.name), proof] as const];
    }),
  );
  return new Map(proofs.sort(([, a], [, b]) => Date.parse(a.at) - Date.parse(b.at)));
}

/** That a run has completed a restore, and its checks passed. */
export interface Proof {
  /** When it ended, or else when its last check passed. */
  readonly at: string;
  readonly run?: string;
  readonly recoveredSeconds?: number;
}

/** The proof as a wave keeps it. */
export interface StoredProof extends Proof {
  /** The form of the restore that was proven. */
  readonly revision?: string;
}

function mergeBatches(batches: readonly PlanWaveResource[]): PlanWaveResource {
  return definedOnly({
    index: batches[0]?.index ?? 0,
    name: batches[0]?.name ?? "unnamed",
    startedAt: earliestStamp(batches.map(({ startedAt }) => startedAt)),
    endedAt: latestStamp(batches.map(({ endedAt }) => endedAt)),
    steps: batches.flatMap(({ steps }) => steps),
    earlierTries: mergeTries(batches),
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

/** A restore may have moved from one batch to another. */
function mergeTries(batches: readonly PlanWaveResource[]): PlanWaveResource["earlierTries"] {
  const all: Record<string, readonly EarlierTry[]> = {};
  for (const { earlierTries } of batches)
    for (const [name, tries] of Object.entries(earlierTries)) all[name] = [...(all[name] ?? []), ...tries];
  return all;
}

const maxTries = 40;

/** The earlier tries as a wave stores them. An earlier release kept them with each restore, and apart from them what was taken out. */
function earlierTriesIn(outputs: Fields): PlanWaveResource["earlierTries"] {
  const stored =
    outputs["earlierTries"] === undefined ? earlierReleaseTries(outputs) : fieldsOf(outputs["earlierTries"]);
  return Object.fromEntries(
    Object.entries(stored).flatMap(([name, tries]) => {
      const read = asList(tries)
        .slice(0, maxTries)
        .map((one) => earlierTryFrom(fieldsOf(one)));
      return read.length === 0 ? [] : [[safeText(name, maxLengths.name), read] as const];
    }),
  );
}

function earlierReleaseTries(outputs: Fields): Fields {
  const triesIn = (step: Fields): readonly unknown[] => [
    ...asList(step["earlierTries"]),
    ...(Array.isArray(step["droppedChecks"]) ? [{ ...step, checks: step["droppedChecks"] }] : []),
  ];
  const takenOut = Object.entries(fieldsOf(outputs["takenOut"])).map(([name, step]) => [
    name,
    [...triesIn(fieldsOf(step)), step],
  ]);
  const others = Object.entries(fieldsOf(outputs["restores"])).map(([name, step]) => [name, triesIn(fieldsOf(step))]);
  return Object.fromEntries([...takenOut, ...others]) as Fields;
}

function earlierTryFrom(fields: Fields): EarlierTry {
  const { result, status, transactionIds, requestedAt, finishedAt } = stepFrom(fields, { name: "", kind: "VmRestore" });
  return definedOnly({
    virtualMachineId: idOf(fields["virtualMachineId"]),
    recoveryPointId: idOf(fields["recoveryPointId"]),
    result,
    status,
    transactionIds,
    requestedAt,
    finishedAt,
    checks: checksFrom(fields["checks"] ?? fields["failedChecks"]),
  });
}

function planStepFrom(name: string, fields: Fields, log: string | undefined): StoredPlanStep {
  const kind = fields["kind"] === "FileRestore" ? "FileRestore" : "VmRestore";
  const checks = checksFrom(fields["checks"]);
  return definedOnly({
    posting: idOf(fields["posting"]),
    revision: idOf(fields["revision"]),
    runStartedAt: idOf(fields["runStartedAt"]),
    isRecordedLate: fields["isRecordedLate"] === true ? true : undefined,
    step: definedOnly({
      ...stepFrom(fields, { name, kind }),
      checks,
      log,
      checkedAt: utcOf(fields["checkedAt"]),
      noticedAfterSeconds: checks.length > 0 ? amountOf(fields["noticedAfterSeconds"]) : undefined,
      checkedSeconds: checks.length > 0 ? amountOf(fields["checkedSeconds"]) : undefined,
    }),
  });
}
