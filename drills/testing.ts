import * as pulumi from "@pulumi/pulumi";
import { StoredFailure } from "../provider/engine/outputs";
import type { ResourceName } from "../provider/inputs/resource-names";
import { type MockedCreate, type MockedResource, type MockedRun, mockResources } from "../provider/mocked-run";
import { type Clock, formatUtc, pause } from "../provider/plain/clock";
import type { Properties } from "../provider/plain/plain";
import { readText } from "../provider/plain/stored-fields";
import { errorMessage } from "../provider/plain/text";
import type { ResultSoFar } from "../provider/restore/result";
import { Claims, type Run, type Session } from "../provider/restore/session";
import { planEntries } from "./engine/entries";
import type { Core } from "./engine/one-restore";
import { type PlanProcess, SeenParts } from "./engine/parts";
import { verdictOperations } from "./engine/verdict";
import { waveOperations } from "./engine/wave";
import { askedIn, chosenPointOf } from "./engine/wave-intent";
import { readPlanText, type Entry, type IntentText, type WaveRecord } from "./judge/stored";

/** The state of a plan's run under mocks, where there is no engine to keep it. */
interface MockedPlan {
  readonly name: string;
  /** The time at which the restores of the next wave are sent. */
  nextAt: number;
  /** Why the rest of the plan is not carried out. */
  ended?: string;
  readonly seen: SeenParts;
}

const plans = new WeakMap<MockedRun, Map<string, MockedPlan>>();
const process = "mocks";

/** The outputs of a plan's resources after a run with the given outcomes, produced by the same code as in the provider. */
const planMocks: Partial<Record<ResourceName, MockedResource>> = {
  PlanRun: (given, run) => Promise.resolve(mockedPlanRun(given, run)),
  WaveIntent: mockedIntent,
  Wave: mockedWave,
  Verdict: ({ inputs }) => mockedVerdict(inputs),
};
mockResources(planMocks);

export { mocks, type MockLists, type MockOptions, type MockRow } from "../provider/testing";

/** If a machine is not allowed, the run ends before anything is sent, as it would in a preview. */
function mockedPlanRun({ name, inputs, provider }: MockedCreate, run: MockedRun): Properties {
  const plan: MockedPlan = { name: name.replace(/-run$/, ""), nextAt: run.now, seen: new SeenParts() };
  plan.seen.check({}, inputs);
  const ofRun = plans.get(run) ?? new Map<string, MockedPlan>();
  plans.set(run, ofRun);
  const waves = readPlanText(inputs["plan"])?.waves ?? [];
  for (const { name: wave, restores } of waves) {
    ofRun.set(`${plan.name}-wave-${wave}`, plan);
    for (const [restore, { machine }] of Object.entries(restores)) {
      // Records that the plan has a restore with this name, whatever the run's outcome.
      isFailing(plan, restore, run);
      const why = run.whyNotAllowed(machine, provider);
      if (why !== undefined) endPlan(plan, `waves.${wave}.restores.${restore}: ${why} Nothing was sent.`);
    }
  }
  return { ...inputs, startedAt: formatUtc(run.now), up: process, by: {}, changed: {}, earlierRuns: [] };
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
  plan.seen.check({}, inputs);
  const { entries } = planEntries(askedIn(inputs), { run: undefined, ...nothing });
  try {
    const made: [string, Entry][] = [];
    for (const [name, entry] of Object.entries(entries))
      made.push([name, await mockedEntry({ ...entry, mark: process }, inputs, run)]);
    const marks = { mocks: { panel: run.panel.address, ended: [], takenAt: formatUtc(run.now), process } };
    const text = { entries: Object.fromEntries(made), marks } satisfies IntentText;
    return { ...inputs, restores: JSON.stringify(text) };
  } catch (error) {
    endPlan(plan, errorMessage(error));
    return { ...inputs, restores: JSON.stringify(nothing) };
  }
}

async function mockedEntry(entry: Entry, inputs: Properties, run: MockedRun): Promise<Entry> {
  // A test that sets no points does not care which point is used.
  if (!run.listsPointsOf(entry.machine)) return entry;
  const access = { points: run.points, pointStates: [] };
  const chosen = await chosenPointOf(entry, readText(inputs["incidentAt"]), access, silent);
  return chosen === undefined ? entry : { ...entry, chosen };
}

/** Carries out the restores with the wave's own operation. They take as long as other mocked restores, and checks pass at the first attempt. */
async function mockedWave({ name, inputs }: MockedCreate, run: MockedRun): Promise<Properties> {
  const plan = plans.get(run)?.get(name);
  if (plan === undefined || plan.ended !== undefined)
    return { ...inputs, record: JSON.stringify({ restores: {}, proofs: {} } satisfies WaveRecord) };
  plan.seen.check({}, inputs);
  const clock = new MockedClock(plan.nextAt);
  const carryOut = async ({ request, reporter }: Run, adopt?: string): Promise<ResultSoFar> => {
    const { kind, recoveryPointId: point } = request.target;
    const record = run.sentRecord(kind, isFailing(plan, request.name, run), clock.now(), adopt);
    const ids = record.transactionIds;
    // The mocked panel's rows name the requested recovery point.
    if (adopt !== undefined)
      reporter.event?.({ did: "adopted", why: "named", ids, points: point === undefined ? [] : [point] });
    else reporter.event?.({ did: "posted", answer: "accepted", mark: { panel: run.panel.address, ended: [] } });
    await pause(clock, Date.parse(String(record.finishedAt)) - clock.now());
    return {
      result: record.status === "complete" ? { kind: "good", record } : { kind: "stored", record, reason: "failed" },
    };
  };
  const redact = (text: string): string => text;
  const session = { clock, client: run.panel, claims: new Claims(), redact, feed: {} } as unknown as Session;
  const planProcess = { id: process, engineLog, session: () => session } as unknown as PlanProcess;
  const attempt = (sent: Run): Promise<ResultSoFar> => carryOut(sent);
  const core: Core = {
    attempt,
    resume: attempt,
    take: carryOut,
    checkAttempt: () => () => Promise.resolve({}),
  };
  const outputs = await storedOutputs(
    () => waveOperations(planProcess, plan.seen, core).create(inputs),
    (why) => (plan.ended = why),
  );
  plan.nextAt = clock.now();
  return { ...inputs, ...outputs };
}

/** Time advances only while everything is waiting. */
class MockedClock implements Clock {
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  constructor(private time: number) {}

  now(): number {
    return this.time;
  }

  wallTime(): Date {
    return new Date(this.time);
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.time + delayMs, run };
    this.#timers.add(timer);
    setImmediate(() => {
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
      if (next === undefined) return;
      this.#timers.delete(next);
      this.time = next.at;
      next.run();
    });
    return () => void this.#timers.delete(timer);
  }
}

const silent = (): undefined => undefined;
const engineLog = { progress: silent, info: silent, warn: silent, flushed: () => Promise.resolve() };

/** The outputs that an operation stores, even if the operation fails. */
async function storedOutputs(
  create: () => Promise<{ readonly outs: Properties }>,
  ended: (why: string) => void,
): Promise<Properties> {
  try {
    return (await create()).outs;
  } catch (error) {
    if (!(error instanceof StoredFailure)) throw error;
    ended(errorMessage(error));
    return error.properties;
  }
}

/** Judges the run with the verdict's own operation, which fails an `up` whose run has not passed. */
async function mockedVerdict(inputs: Properties): Promise<Properties> {
  return { ...inputs, ...(await storedOutputs(() => verdictOperations().create(inputs), silent)) };
}
