import type { ChosenFrom } from "../inputs/intent";
import { checkKinds, type StoredCheck, type StoredCheckPlan, withProgramAlone } from "../inputs/read-check";
import type { StoredGoals } from "../inputs/read-goals";
import { recordTable } from "../inputs/record";
import { asList, entriesOf, isObject, omit, type Properties } from "../plain/plain";
import {
  type FieldReader,
  isWhole,
  type Read,
  type ReaderTable,
  readAsIs,
  readBoolean,
  readByName,
  readList,
  readNumber,
  readOneOf,
  readRecord,
  readStored,
  readText,
  readTexts,
  readTrue,
} from "../plain/stored-fields";
import type {
  StoredChange,
  StoredChangedValue,
  StoredCounts,
  StoredPipeline,
  StoredPlan,
  StoredPlanRestore,
  StoredPlanWave,
  StoredProof,
  StoredRevision,
  StoredRun,
  StoredStep,
  StoredTry,
  StoredVerdict,
  StoredWave,
} from "./stored";

/*
 * Everything that a plan leaves in a state is read here, for the engine, the report and the command: a table of readers for each type of stored.ts.
 * Forms of earlier releases become those of this one.
 */

const checkPlanTable: ReaderTable<StoredCheckPlan & Pick<StoredCheck, "expects">> = {
  kind: readOneOf(...checkKinds),
  name: readText,
  target: readText,
  expects: readText,
  everySeconds: readNumber,
  withinSeconds: readNumber,
  afterSeconds: readNumber,
};

const checkTable: ReaderTable<StoredCheck> = {
  ...checkPlanTable,
  id: readText,
  result: readOneOf("passed", "failed", "not run"),
  tries: readNumber,
  startedAt: readText,
  endedAt: readText,
  seconds: readNumber,
  reason: readText,
  addedLater: readTrue,
};

/** Earlier releases stored all words of a command. */
function readChecks<Check extends object>(table: ReaderTable<Check>): FieldReader<readonly Read<Check>[]> {
  return readList((check) => (isObject(check) ? readStored(table, withProgramAlone(check)) : undefined));
}

const chosenFromTable: ReaderTable<ChosenFrom> = { listed: readNumber, fitted: readNumber, incidentAt: readText };

/** A rule is read by its own reader, which says what it cannot read. */
type WithRuleAsIs<Record> = Omit<Record, "recoveryPoint"> & { readonly recoveryPoint: unknown };

const stepTable: ReaderTable<WithRuleAsIs<StoredStep>> = {
  ...omit(recordTable, "logOutput", "tryMark", "machineTransactionIds"),
  kind: readOneOf("VmRestore", "FileRestore"),
  virtualMachineId: readText,
  recoveryPointId: readText,
  recoveryPointTakenAt: readText,
  recoveryPoint: readAsIs,
  chosenFrom: readRecord(chosenFromTable),
  paths: readTexts,
  pathCount: readNumber,
  noticedAt: readText,
  noticedAfterSeconds: readNumber,
  checkedAt: readText,
  checkedSeconds: readNumber,
  recoveredSeconds: readNumber,
  checks: readChecks(checkTable),
  isRecordedLate: readTrue,
  runStartedAt: readText,
  reason: readText,
  posting: readText,
  revision: readText,
};

export type ReadStep = Read<WithRuleAsIs<StoredStep>>;

/** The step of a wave; of a restore's own outputs the fields that both have. */
export function readStep(stored: unknown): ReadStep {
  return readStored(stepTable, stored);
}

const tryTable: ReaderTable<StoredTry> = {
  revision: readText,
  virtualMachineId: readText,
  recoveryPointId: readText,
  status: recordTable.status,
  transactionIds: recordTable.transactionIds,
  requestedAt: readText,
  finishedAt: readText,
  checks: readChecks(checkTable),
};

/** Earlier releases named the checks of a try otherwise. */
function readTry(stored: unknown): Read<StoredTry> | undefined {
  if (!isObject(stored)) return undefined;
  return readStored(tryTable, { ...stored, checks: stored["checks"] ?? stored["failedChecks"] });
}

const proofTable: ReaderTable<StoredProof> = {
  run: readText,
  at: readText,
  recoveredSeconds: readNumber,
  revision: readText,
};

const waveTable: ReaderTable<Omit<StoredWave, "formatVersion" | "restores">> & {
  readonly restores: FieldReader<Readonly<Record<string, ReadStep>>>;
} = {
  plan: readText,
  run: readText,
  runStartedAt: readText,
  index: readNumber,
  name: readText,
  round: readNumber,
  restores: readByName(readRecord(stepTable)),
  earlierTries: readByName(readList(readTry)),
  lastProofs: readByName(readRecord(proofTable)),
  startedAt: readText,
  endedAt: readText,
  reasons: readTexts,
};

type ReadWave = Read<Omit<StoredWave, "formatVersion" | "restores">> & {
  readonly restores?: Readonly<Record<string, ReadStep>>;
};

export function readWave(outputs: Properties): ReadWave {
  return readStored(waveTable, { ...outputs, earlierTries: outputs["earlierTries"] ?? triesOfEarlierRelease(outputs) });
}

/** The last proofs alone, without the rest of the wave. */
export function readLastProofs({ lastProofs }: Properties): Readonly<Record<string, Read<StoredProof>>> {
  return waveTable.lastProofs(lastProofs) ?? {};
}

/** A wave's records as the engine goes on with them: a part that is not whole is left out. */
export function readWholeWave(outputs: Properties): Pick<StoredWave, "restores"> &
  Required<Pick<StoredWave, "earlierTries" | "lastProofs">> & {
    readonly run: string | undefined;
    readonly runStartedAt: string | undefined;
  } {
  const { run, runStartedAt, restores = {}, earlierTries = {}, lastProofs = {} } = readWave(outputs);
  const steps = Object.entries(restores).filter((entry): entry is [string, StoredStep] => isWholeStep(entry[1]));
  const tries = Object.entries(earlierTries).map(([name, all]) => [name, all.filter(isWholeTry)] as const);
  const proofs = Object.entries(lastProofs).filter((entry): entry is [string, StoredProof] =>
    isWhole<StoredProof>(entry[1], "run", "at"),
  );
  return {
    run,
    runStartedAt,
    restores: Object.fromEntries(steps),
    earlierTries: Object.fromEntries(tries),
    lastProofs: Object.fromEntries(proofs),
  };
}

function isWholeStep(step: ReadStep): step is StoredStep {
  return isWhole<WithRuleAsIs<StoredStep>>(step, "posting", "kind", "virtualMachineId", "recoveryPointId", "checks");
}

function isWholeTry(one: Read<StoredTry>): one is StoredTry {
  return isWhole<StoredTry>(one, "checks");
}

/** An earlier release kept the tries with each restore, and apart from them what was taken out. */
function triesOfEarlierRelease({ restores, takenOut }: Properties): Properties {
  const triesIn = (step: unknown): readonly unknown[] => {
    const { earlierTries, droppedChecks } = isObject(step) ? step : {};
    const before = Array.isArray(droppedChecks) && isObject(step) ? [{ ...step, checks: droppedChecks }] : [];
    return [...asList(earlierTries), ...before];
  };
  const gone = entriesOf(takenOut).map(([name, step]) => [name, [...triesIn(step), step]] as const);
  const others = entriesOf(restores).map(([name, step]) => [name, triesIn(step)] as const);
  return Object.fromEntries([...gone, ...others].filter(([, tries]) => tries.length > 0));
}

const goalsTable: ReaderTable<StoredGoals> = { recoveryTimeSeconds: readNumber, dataAgeSeconds: readNumber };

type ReadPlanRestore = WithRuleAsIs<
  Pick<
    StoredPlanRestore,
    "virtualMachineId" | "recoveryPointId" | "recoveryPointTakenAt" | "paths" | "goals" | "checks"
  >
> & { readonly triggers: unknown };

const planRestoreTable: ReaderTable<ReadPlanRestore> = {
  virtualMachineId: readText,
  recoveryPointId: readText,
  recoveryPointTakenAt: readText,
  recoveryPoint: readAsIs,
  paths: readTexts,
  goals: readRecord(goalsTable),
  triggers: readAsIs,
  checks: readChecks(checkPlanTable),
};

const planWaveTable: ReaderTable<StoredPlanWave<ReadPlanRestore>> = {
  name: readText,
  goals: readRecord(goalsTable),
  restores: readByName(readRecord(planRestoreTable)),
};

type PlanToRead = Omit<StoredPlan, "waves"> & { readonly waves: readonly StoredPlanWave<ReadPlanRestore>[] };
export type PlanAsRead = Read<PlanToRead>;

const planTable: ReaderTable<PlanToRead> = {
  goals: readRecord(goalsTable),
  wholeGoals: readRecord(goalsTable),
  onFailure: readOneOf("stop", "continue"),
  onMissedGoal: readOneOf("fail", "warn"),
  waves: readList(readRecord(planWaveTable)),
};

const byTable: ReaderTable<StoredRun["by"]> = { user: readText, host: readText };

const pipelineTable: ReaderTable<StoredPipeline> = {
  name: readText,
  url: readText,
  run: readText,
  commit: readText,
  ref: readText,
  actor: readText,
};

const changeTable: ReaderTable<StoredChange> = {
  at: readText,
  by: readRecord(byTable),
  pipeline: readRecord(pipelineTable),
  changes: readList(readRecord<StoredChangedValue>({ path: readText, before: readText, after: readText })),
};

const readRevisionsByName = readByName(readRecord<StoredRevision>({ at: readText, checks: readTexts }));

type RunAsRead = Omit<StoredRun, "formatVersion" | "asGiven" | "definition" | "records" | "process" | "begunWith"> & {
  readonly asGiven: PlanToRead;
};
type ReadRun = Read<RunAsRead>;

const runTable: ReaderTable<RunAsRead> = {
  plan: readText,
  run: readText,
  kind: readOneOf("drill", "recovery"),
  asGiven: readRecord(planTable),
  revisions: readRevisionsByName,
  previous: readRecord<NonNullable<StoredRun["previous"]>>({ run: readText, startedAt: readText }),
  changed: readBoolean,
  changedPaths: readTexts,
  history: readList(readRecord(changeTable)),
  startedAt: readText,
  incidentAt: readText,
  by: readRecord(byTable),
  pipeline: readRecord(pipelineTable),
  versions: readByName(readText),
  panel: readText,
  notes: readRecord<NonNullable<StoredRun["notes"]>>({
    scenario: readText,
    owner: readText,
    approver: readText,
    reference: readText,
  }),
};

export function readRun(outputs: Properties): ReadRun {
  return readStored(runTable, { ...outputs, history: outputs["history"] ?? historyOfEarlierRelease(outputs) });
}

/** A restore whose revision is not whole gets a new one. */
export function readRevisions({ revisions }: Properties): NonNullable<StoredRun["revisions"]> {
  const whole = Object.entries(readRevisionsByName(revisions) ?? {}).filter(
    (entry): entry is [string, StoredRevision] => isWhole<StoredRevision>(entry[1], "at", "checks"),
  );
  return Object.fromEntries(whole);
}

/** Earlier releases stored the paths of a change alone. */
function historyOfEarlierRelease({ amended }: Properties): readonly unknown[] {
  return asList(amended).flatMap((change) =>
    isObject(change) ? [{ at: change["at"], by: {}, changes: asList(change["paths"]).map((path) => ({ path })) }] : [],
  );
}

/** The part of a stored verdict that is read: nothing else rests on the copy. */
type VerdictAsRead = Pick<StoredVerdict, "verdict" | "reasons" | "lastChangeAt" | "decidedAt"> & {
  readonly counts: Pick<StoredCounts, "planned">;
};

const verdictTable: ReaderTable<VerdictAsRead> = {
  verdict: readOneOf("passed", "passed with warnings", "failed", "incomplete"),
  reasons: readTexts,
  counts: readRecord<VerdictAsRead["counts"]>({ planned: readNumber }),
  lastChangeAt: readText,
  decidedAt: readText,
};

export function readVerdict(outputs: Properties): Read<VerdictAsRead> {
  return readStored(verdictTable, outputs);
}
