import { earliestStamp, latestStamp } from "../../provider/plain/clock";
import type { Read } from "../../provider/plain/stored-fields";
import { readLastProofs, readWave, type ReadStep } from "../../provider/plan/read-stored";
import type { StoredStep, StoredTry } from "../../provider/plan/stored";
import type { EarlierTry, Step } from "../model/model";
import { safeText, safeLog, maxLengths } from "../model/safe-text";
import { checksFrom, resourcesOf, type StoredPlanRun } from "./plan-run";
import { kindOf, type State } from "./read-state";
import { stepFrom } from "./restores";
import { amountOf, fieldsOf, idOf, definedOnly, nameOf, plainTextOf, shown, utcOf } from "./values";

/** A restore as its wave stored it: its step, and what tells if that counts. */
export interface RecordedStep extends Partial<
  Pick<StoredStep, "posting" | "revision" | "runStartedAt" | "isRecordedLate">
> {
  readonly step: Step;
}

export interface PlanWaveResource {
  readonly index: number;
  readonly name: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly steps: readonly RecordedStep[];
  /** Every earlier try of the run by the name of its restore, oldest first. */
  readonly earlierTries: Readonly<Record<string, readonly EarlierTry[]>>;
  readonly checkOutput?: string;
  readonly problems: readonly string[];
}

/** The waves of this very run. A wave that restores one machine more than once is several resources of one name. */
export function wavesOf(
  run: StoredPlanRun,
  state: State,
  logs: "with logs" | "without logs",
): readonly PlanWaveResource[] {
  const batches = resourcesOf(run, "planWave", state).map(({ outputs, initErrors }) => {
    const output = logs === "with logs" ? plainTextOf(outputs["checkOutput"]) : undefined;
    const logOf = logs === "with logs" ? logsIn(outputs["logOutput"]) : () => undefined;
    const { index, name, startedAt, endedAt, restores = {}, earlierTries = {} } = readWave(shown(outputs));
    return definedOnly({
      index: amountOf(index) ?? 0,
      name: nameOf(name) ?? "unnamed",
      startedAt: utcOf(startedAt),
      endedAt: utcOf(endedAt),
      steps: Object.entries(restores).map(([restore, step]) =>
        planStepFrom(safeText(restore, maxLengths.name), step, logOf(restore)),
      ),
      earlierTries: earlierTriesFrom(earlierTries),
      checkOutput: output === undefined || output === "" ? undefined : safeLog(output),
      problems: initErrors,
    });
  });
  // A run that was cut off, or left waves out, may have moved some of its waves alone: two of them then have one index.
  return [...new Set(batches.map(({ name }) => name))].map((name) =>
    mergeBatches(batches.filter((batch) => batch.name === name)),
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
    Object.entries(readLastProofs(shown({ lastProofs: outputs["lastProofs"] }))).flatMap(([name, stored]) => {
      const { run, at, recoveredSeconds, revision } = stored;
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

function earlierTriesFrom(
  stored: Readonly<Record<string, readonly Read<StoredTry>[]>>,
): PlanWaveResource["earlierTries"] {
  return Object.fromEntries(
    Object.entries(stored).flatMap(([name, tries]) =>
      tries.length === 0 ? [] : [[safeText(name, maxLengths.name), tries.slice(0, maxTries).map(earlierTryFrom)]],
    ),
  );
}

function earlierTryFrom(stored: Read<StoredTry>): EarlierTry {
  const { result, status, transactionIds, requestedAt, finishedAt } = stepFrom(stored, { name: "", kind: "VmRestore" });
  return definedOnly({
    virtualMachineId: idOf(stored.virtualMachineId),
    recoveryPointId: idOf(stored.recoveryPointId),
    result,
    status,
    transactionIds,
    requestedAt,
    finishedAt,
    checks: checksFrom(stored.checks),
  });
}

function planStepFrom(name: string, stored: ReadStep, log: string | undefined): RecordedStep {
  const checks = checksFrom(stored.checks);
  return definedOnly({
    posting: idOf(stored.posting),
    revision: idOf(stored.revision),
    runStartedAt: idOf(stored.runStartedAt),
    isRecordedLate: stored.isRecordedLate,
    step: definedOnly({
      ...stepFrom(stored, { name, kind: stored.kind ?? "VmRestore" }),
      checks,
      log,
      checkedAt: utcOf(stored.checkedAt),
      noticedAfterSeconds: checks.length > 0 ? amountOf(stored.noticedAfterSeconds) : undefined,
      checkedSeconds: checks.length > 0 ? amountOf(stored.checkedSeconds) : undefined,
    }),
  });
}
