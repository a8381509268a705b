import * as pulumi from "@pulumi/pulumi";
import { StoredFailure } from "../provider/engine/outputs";
import type { ResourceName } from "../provider/inputs/resource-names";
import { type MockedCreate, type MockedResource, type MockedRun, mockResources } from "../provider/mocked-run";
import { formatUtc } from "../provider/plain/clock";
import type { Properties } from "../provider/plain/plain";
import { errorMessage } from "../provider/plain/text";
import { choosePointOfInputs } from "../provider/points/choose-point-of-inputs";
import { type CheckTimes } from "./checks/run-check";
import { planEntries, type PlannedEntry } from "./engine/entries";
import { addResult, Ledger, reporterFor } from "./engine/one-restore";
import { verdictOperations } from "./engine/verdict";
import { nextStep, openChecks } from "./judge/history";
import { readEarlier, readForm, readIntentText, readOptions, readPlanText } from "./judge/read";
import type { AskedCheck, ChosenPoint, Entry, IntentText, RestoreEvent, WaveRecord } from "./judge/stored";

/** A plan under mocks: the engine of its run. */
interface MockedPlan {
  readonly name: string;
  /** The time at which the restores of the next wave are sent. */
  nextAt: number;
  /** Why the engine does not reach the rest. */
  ended?: string;
}

const plans = new WeakMap<MockedRun, Map<string, MockedPlan>>();
const process = "mocks";

/** The outputs of a plan's resources after a run with the given outcomes, made by the same parts as a provider's operations. */
const planMocks: Partial<Record<ResourceName, MockedResource>> = {
  PlanRun: (given, run) => Promise.resolve(mockedPlanRun(given, run)),
  WaveIntent: mockedIntent,
  Wave: (given, run) => Promise.resolve(mockedWave(given, run)),
  Verdict: ({ inputs }) => mockedVerdict(inputs),
};
mockResources(planMocks);

export { mocks, type MockLists, type MockOptions, type MockRow } from "../provider/testing";

/** A machine that is not allowed ends the run before anything is sent, as the preview does. */
function mockedPlanRun({ name, inputs, provider }: MockedCreate, run: MockedRun): Properties {
  const plan: MockedPlan = { name: name.replace(/-run$/, ""), nextAt: run.now };
  const ofRun = plans.get(run) ?? new Map<string, MockedPlan>();
  plans.set(run, ofRun);
  const waves = readPlanText(inputs["plan"])?.waves ?? [];
  for (const { name: wave, restores } of waves) {
    ofRun.set(`${plan.name}-wave-${wave}`, plan);
    for (const [restore, { machine }] of Object.entries(restores)) {
      // Whatever the outcome of the run, there is a restore of this name.
      isFailing(plan, restore, run);
      const why = run.whyNotAllowed(machine, provider);
      if (why !== undefined) endPlan(plan, `waves.${wave}.restores.${restore}: ${why} Nothing was sent.`);
    }
  }
  return { ...inputs, startedAt: formatUtc(run.now), up: process, by: {}, changes: [], earlierRuns: [] };
}

function endPlan(plan: MockedPlan, why: string): void {
  plan.ended = why;
  void pulumi.log.error(`RecoveryPlan "${plan.name}": ${why}`);
}

function isFailing({ name: plan }: MockedPlan, restore: string, run: MockedRun): boolean {
  return [run.isFailing(restore), run.isFailing(`${plan}-${restore}`)].includes(true);
}

async function mockedIntent({ name, inputs }: MockedCreate, run: MockedRun): Promise<Properties> {
  const plan = plans.get(run)?.get(name.replace(/-intent$/, ""));
  const nothing: IntentText = { entries: {}, marks: {} };
  if (plan === undefined || plan.ended !== undefined) return { ...inputs, restores: JSON.stringify(nothing) };
  const declared = Object.entries(JSON.parse(String(inputs["declared"])) as Properties);
  const forms = Object.fromEntries(declared.flatMap(([restore, stored]) => [[restore, readForm(stored)]]));
  const asked = { run: String(inputs["run"]), forms, behind: JSON.parse(String(inputs["behind"])) as object };
  const { entries } = planEntries(asked as Parameters<typeof planEntries>[0], { run: undefined, ...nothing });
  try {
    const made: [string, Entry][] = [];
    for (const entry of entries) made.push([entry.name, await mockedEntry(entry, inputs, run)]);
    const marks = { mocks: { panel: run.panel.address, pageIds: [], takenAt: formatUtc(run.now), process } };
    return { ...inputs, restores: JSON.stringify({ entries: Object.fromEntries(made), marks } satisfies IntentText) };
  } catch (error) {
    endPlan(plan, errorMessage(error));
    return { ...inputs, restores: JSON.stringify(nothing) };
  }
}

async function mockedEntry({ id, form }: PlannedEntry, inputs: Properties, run: MockedRun): Promise<Entry> {
  const entry = { id, mark: process, ...form };
  // The test may not care which point is used.
  if (typeof form.point === "string" || !run.listsPointsOf(form.machine)) return entry;
  const wanted = { virtualMachineId: form.machine, recoveryPoint: form.point, incidentAt: inputs["incidentAt"] };
  const chosen = await choosePointOfInputs(wanted, { points: run.points, pointStates: [] });
  if (chosen === undefined || !("recoveryPointId" in chosen)) return entry;
  const { recoveryPointTakenAt: takenAt, listed, fitted, incidentAt } = chosen.choice;
  const point: ChosenPoint = { id: chosen.recoveryPointId, takenAt, listed, fitted };
  return { ...entry, chosen: incidentAt === undefined ? point : { ...point, incidentAt } };
}

function mockedWave({ name, inputs }: MockedCreate, run: MockedRun): Properties {
  const plan = plans.get(run)?.get(name);
  const entries: IntentText["entries"] = readIntentText(inputs["restores"])?.entries ?? {};
  const restores: Record<string, readonly RestoreEvent[]> = {};
  if (plan !== undefined && plan.ended === undefined) {
    const began = plan.nextAt;
    const freeAt = new Map<string, number>();
    const unfinished: string[] = [];
    const earlier = readEarlier(inputs["earlier"]);
    const options = readOptions(inputs["options"]) ?? {};
    const behind = new Map(
      Object.entries(earlier).flatMap(([machine, one]) => (one.isComplete ? [] : [[machine, one.name]])),
    );
    for (const [restore, entry] of Object.entries(entries)) {
      const done = mockedRestore(
        { plan, name: restore, entry, at: freeAt.get(entry.machine) ?? began, behind: behind.get(entry.machine) },
        options[restore] ?? {},
        run,
      );
      restores[restore] = done.ledger.events;
      freeAt.set(entry.machine, done.endedAt);
      plan.nextAt = Math.max(plan.nextAt, done.checkedAt);
      if (done.ledger.happened.state !== "complete") behind.set(entry.machine, restore);
      if (done.isUnfinished) unfinished.push(restore);
    }
    if (unfinished.length > 0 && inputs["onFailure"] !== "continue") plan.ended = `${unfinished.join(", ")} failed`;
  }
  return { ...inputs, record: JSON.stringify({ restores, proofs: {} } satisfies WaveRecord) };
}

interface MockedRestore {
  readonly plan: MockedPlan;
  readonly name: string;
  readonly entry: Entry;
  readonly at: number;
  /** The previous restore of the machine, if it is not complete. */
  readonly behind: string | undefined;
}

/** Sends a restore, or takes a transaction, at a moment. Every check passes with its first attempt. */
function mockedRestore(
  { plan, name, entry, at, behind }: MockedRestore,
  options: { readonly checks?: readonly unknown[]; readonly adopt?: string },
  run: MockedRun,
) {
  let now = at;
  const ledger = new Ledger(name, entry, [], () => new Date(now));
  const checks = (options.checks ?? []) as readonly (AskedCheck & CheckTimes)[];
  const { adopt } = options;
  const step = nextStep([], entry, { checks, adopt });
  if (behind !== undefined && step?.does === "send") {
    ledger.stop(`not sent: ${behind}, the previous restore of machine ${entry.machine}, is not complete`);
    return { ledger, endedAt: at, checkedAt: at, isUnfinished: true };
  }
  const kind = entry.paths === undefined ? "VmRestore" : "FileRestore";
  const record = run.sentRecord(kind, isFailing(plan, name, run), at, adopt);
  const quiet = { progress: () => undefined, warn: () => undefined };
  const reporter = reporterFor(
    ledger,
    process,
    quiet,
    () => undefined,
    () => undefined,
  );
  const mark = { panel: run.panel.address, pageIds: [] };
  // The mocked panel's rows name the recovery point that was asked for.
  const point = typeof entry.point === "string" ? entry.point : entry.chosen?.id;
  const points = point === undefined ? [] : [point];
  reporter.event?.(
    adopt === undefined
      ? { did: "posted", answer: "accepted", mark }
      : { did: "adopted", why: "named", ids: record.transactionIds, points },
  );
  now = Date.parse(record.finishedAt ?? "");
  addResult(ledger, { kind: record.status === "complete" ? "good" : "stored", record, reasons: [] }, reporter);
  const endedAt = now;
  let checkedAt = now;
  for (const { name: check, asks, afterSeconds } of ledger.happened.state === "complete" ? checks : []) {
    now = endedAt + afterSeconds * 1_000;
    checkedAt = Math.max(checkedAt, now);
    ledger.add({ did: "checked", check, asks, passed: true, attempts: 1, seconds: 0 });
  }
  const { state, counts } = ledger.happened;
  return { ledger, endedAt, checkedAt, isUnfinished: state !== "complete" || openChecks(counts, checks).length > 0 };
}

/** Judged by the operation itself, which fails an `up` whose run has not passed. */
async function mockedVerdict(inputs: Properties): Promise<Properties> {
  const engineLog = { progress: () => undefined, warn: () => undefined, flushed: () => Promise.resolve() };
  try {
    return {
      ...inputs,
      ...(await verdictOperations({ engineLog: engineLog }).create(inputs)).outs,
    };
  } catch (error) {
    if (error instanceof StoredFailure) return { ...inputs, ...error.properties };
    void pulumi.log.error(errorMessage(error));
    return inputs;
  }
}
