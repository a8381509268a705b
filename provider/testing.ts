import * as pulumi from "@pulumi/pulumi";
import { checkAllowed } from "./engine/check-allowed";
import { choosePointByRule } from "./engine/restore-intents";
import { outputsOf, StoredFailure } from "./engine/outputs";
import { planRunOperations } from "./engine/plan-run";
import type { PlanSteps } from "./engine/plan-step";
import { planVerdictOperations } from "./engine/plan-verdict";
import { planWaveOperations } from "./engine/plan-wave";
import type { ProviderProcess } from "./engine/process";
import type { Operations } from "./engine/sanitize";
import { intentIdOf } from "./inputs/intent";
import { checkIntent, checkRestore, type CheckResult } from "./inputs/check-restore";
import { whyNotAllowed } from "./inputs/allowed-machines";
import { namedTransaction } from "./inputs/read-values";
import { isFinished, type RestoreRecord } from "./inputs/record";
import { nameInUrn, type ResourceName, resourceTypes, restoreUrnOf } from "./inputs/resource-names";
import type { RestoreKind } from "./inputs/restore-table";
import { readAllowedMachines } from "./inputs/settings";
import { processSources } from "./inputs/settings-sources";
import type { PanelClient } from "./panel/types";
import { type Clock, formatUtc, zonedTime } from "./plain/clock";
import { errorMessage } from "./plain/text";
import { asList, isObject, type Properties } from "./plain/plain";
import { type StepEffects, waitAndCheck } from "./plan/wait-and-check";
import { PointLists, PointRefusedError } from "./points/choose-from-panel";
import { mockedPanelKey, type MockLists, type MockRow, panelWith } from "./program/mocked-panel";
import type { LogItem, RecoveryPoint, Transaction } from "./program/rows";

export type { MockLists, MockRow } from "./program/mocked-panel";

/** The outcomes of restores, and the lists of the panel, for {@link mocks}. */
export interface MockOptions {
  /**
   * The restores that fail: a resource by its name, or a restore of a plan by its name in the plan.
   *
   * @default none: every restore is complete
   */
  readonly failed?: readonly string[];
  /**
   * The time of the first request, and the panel's clock: a `Date`, or ISO 8601 with a zone.
   *
   * @default the time of the call
   */
  readonly now?: Date | string;
  /**
   * The panel's transactions, newest first, for `getTransactions`.
   *
   * Each needs its `id` only.
   *
   * @default none
   */
  readonly transactions?: readonly MockRow<Transaction>[];
  /**
   * The entries of the machines' logs, newest first, for `getVmLogs`.
   *
   * One list for all machines, or a list for each machine by its id.
   *
   * @default none
   */
  readonly items?: MockLists<LogItem>;
  /**
   * The machines' recovery points, for `getRecoveryPoints` and for every restore with a rule.
   *
   * One list for all machines, or a list for each machine by its id.
   *
   * @default none: the point that a rule chooses is not known
   */
  readonly points?: MockLists<Omit<RecoveryPoint, "usable">>;
}

/**
 * Mocks for `pulumi.runtime.setMocks`, with which a program is tested without an engine and without a panel.
 *
 * Each restore takes a minute and is complete, unless it is in `failed`. Nothing is sent behind a restore that is not complete: no later restore of its machine, and no later wave of a plan with `onFailure: "stop"`. Nothing throws because of a failure, and everything is
 * constructed. A plan has the verdict that a real run with these outcomes has. Checks pass, and nothing of them is carried out.
 *
 * The package's functions answer with the lists given here. Resources of other packages have their inputs as outputs.
 *
 * ```ts
 * await pulumi.runtime.setMocks(mocks({ failed: ["db"] }));
 * ```
 */
export function mocks(options: MockOptions = {}): pulumi.runtime.Mocks {
  const { failed = [], transactions = [], items = [], points = [] } = options;
  const now = timeOf(options.now ?? new Date());
  const panel = panelWith({ transactions, items, points, now });
  const run = new MockedRun(new Set(failed), now, panel);
  let intents = 0;
  const answers: pulumi.runtime.Mocks & { readonly [mockedPanelKey]: unknown } = {
    [mockedPanelKey]: panel,
    newResource: async ({ type, name, inputs, provider }) => {
      const resource = resourceNames.find((one) => resourceTypes[one] === type);
      const given = inputs as Properties;
      const id = resource === "RestoreIntent" ? intentIdOf(mockedProcessId, ++intents) : `${name}_id`;
      if (type === providerType) run.providers.set(name, withoutSecrets(given));
      if (resource === undefined) return { id, state: { ...given } };
      const outputs = await run.outputsOf(resource, name, withoutSecrets(given), provider);
      return { id, state: withSecretsOf(given, outputs) };
    },
    call: ({ inputs }) => inputs as Record<string, unknown>,
  };
  return answers;
}

/** The type of this package's explicit providers. */
const providerType = "pulumi:providers:pulumi-nodejs";

const resourceNames = Object.keys(resourceTypes) as readonly ResourceName[];

/** The SDK hands a secret over in an envelope. A provider never sees one, and the engine puts the output of the same name into it again. */
function withoutSecrets(inputs: Properties): Properties {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, pulumi.runtime.unwrapRpcSecret(value) as unknown]),
  );
}

function withSecretsOf(inputs: Properties, outputs: Properties): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => {
      const given = inputs[name];
      return [name, pulumi.runtime.isRpcSecret(given) ? { ...(given as object), value } : value];
    }),
  );
}

function timeOf(given: Date | string): number {
  const at = typeof given === "string" ? zonedTime(given) : given.getTime();
  if (at === undefined || Number.isNaN(at)) {
    throw new TypeError(`mocks: now is no time with a zone, like "2026-11-20T09:30:00Z": ${String(given)}`);
  }
  return at;
}

/** The time that each restore takes. */
const restoreMs = 60_000;

interface MockedPlan {
  /** The time at which the restores of the next wave are requested. */
  nextAt: number;
  /** The latest end of a restore so far. */
  endsAt: number;
  /** The reason why nothing of the rest is sent. */
  ended?: string;
}

type MachineGuard = Pick<ProviderProcess, "whyNotAllowed">;

/** The engine, the provider process and the panel of one run, as far as a program can see them. */
class MockedRun {
  /** The properties of the explicit providers, by their names. */
  readonly providers = new Map<string, Properties>();
  readonly #failed: ReadonlySet<string>;
  readonly #now: number;
  readonly #providerProcess: ProviderProcess;
  readonly #steps: PlanSteps;
  readonly #records = new Map<string, RestoreRecord>();
  readonly #plans = new Map<string, MockedPlan>();
  /** The restores of plans, by the names of their resources. */
  readonly #planned = new Map<string, { readonly name: string; readonly plan: MockedPlan }>();
  #lastTransaction = 5000;

  constructor(failed: ReadonlySet<string>, now: number, panel: PanelClient) {
    this.#failed = failed;
    this.#now = now;
    this.#providerProcess = mockedProcess(panel, now);
    this.#steps = mockedSteps();
  }

  outputsOf(
    resource: ResourceName,
    name: string,
    inputs: Properties,
    provider: string | undefined,
  ): Promise<Properties> {
    const guard = this.#guardOf(provider);
    switch (resource) {
      case "RestoreIntent":
        return this.#intent(inputs);
      case "VmRestore":
      case "FileRestore":
        return Promise.resolve(this.#restore(resource, name, inputs, guard));
      case "PlanRun":
        return this.#planRun(inputs, guard);
      case "PlanWave":
        return this.#planWave(inputs);
      case "PlanVerdict":
        return created(planVerdictOperations, inputs).then(({ outputs }) => outputs);
    }
  }

  /** Goes by the settings of a resource's provider, as its process would. `provider` is `<urn>::<id>`. */
  #guardOf(provider = ""): MachineGuard {
    const properties = this.providers.get(provider.split("::").slice(3, -1).join("::"));
    const get = (key: string): unknown => (properties ? properties[key] : pulumi.runtime.getConfig(key));
    return {
      whyNotAllowed: (machine) => whyNotAllowed(machine, readAllowedMachines(processSources({ get }, process.env))),
    };
  }

  async #intent(given: Properties): Promise<Properties> {
    const { inputs } = checkIntent({}, given);
    const mark = { panel: this.#providerProcess.session(undefined).client.address };
    try {
      return { ...inputs, mark, ...(await choosePointByRule(this.#providerProcess, inputs)) };
    } catch (error) {
      // The test may not care which point it is.
      if (error instanceof PointRefusedError && error.why === "no points") return { ...inputs, mark, choice: {} };
      return { ...inputs, mark: { heldBack: errorMessage(error) } };
    }
  }

  #restore(kind: RestoreKind, name: string, given: Properties, guard: MachineGuard): Properties {
    const { inputs, problem } = checked(`${kind} "${name}"`, checkAllowed(guard, checkRestore(kind)({}, given)));
    const planned = this.#planned.get(name);
    const { intent, predecessor, adopt } = inputs;
    const urn = textIn(predecessor, "urn");
    const before = urn === undefined ? undefined : this.#records.get(urn);
    const why = problem ?? whyNotSent(intent, predecessor, planned?.plan);
    const record =
      why === undefined
        ? this.#sentRecord({
            kind,
            adopt,
            isFailing: [name, planned?.name ?? name].some((one) => this.#failed.has(one)),
            at: Math.max(planned?.plan.nextAt ?? this.#now, zonedTime(before?.finishedAt) ?? this.#now),
          })
        : notSentRecord(`${kind} "${name}" was not sent: ${why}`);
    if (isObject(intent)) this.#records.set(restoreUrnOf(String(intent["urn"]), kind, resourceTypes), record);
    if (planned) planned.plan.endsAt = Math.max(planned.plan.endsAt, zonedTime(record.finishedAt) ?? this.#now);
    return outputsOf(inputs, record);
  }

  #sentRecord({ kind, adopt, isFailing, at }: SentRestore): RestoreRecord {
    const named = namedTransaction(adopt);
    const transactionId = named ?? String(++this.#lastTransaction);
    return {
      status: isFailing ? "failed" : "complete",
      transactionId,
      transactionIds: [transactionId],
      action: kind === "VmRestore" ? "restore_backup" : "restore_file_entries",
      requestedAt: formatUtc(at),
      startedAt: formatUtc(at),
      finishedAt: formatUtc(at + restoreMs),
      queuedSeconds: 0,
      durationSeconds: restoreMs / 1_000,
      adopted: named !== undefined,
      warnings: [],
    };
  }

  async #planRun(inputs: Properties, guard: MachineGuard): Promise<Properties> {
    const plan: MockedPlan = { nextAt: this.#now, endsAt: this.#now };
    this.#plans.set(String(inputs["plan"]), plan);
    const { waves } = isObject(inputs["asGiven"]) ? inputs["asGiven"] : {};
    for (const wave of asList(waves)) {
      for (const name of Object.keys(isObject(wave) && isObject(wave["restores"]) ? wave["restores"] : {}))
        this.#planned.set(`${String(inputs["plan"])}-${name}`, { name, plan });
    }
    const { outputs, problem } = await created(planRunOperations({ ...this.#providerProcess, ...guard }), inputs);
    if (problem !== undefined) plan.ended = problem;
    // What is absent is unknown in a preview, and the verdict with it.
    return { incidentAt: null, ...outputs };
  }

  async #planWave(inputs: Properties): Promise<Properties> {
    const plan = this.#plans.get(String(inputs["plan"]));
    // An engine does not come to a wave of a run that has ended, so none of its restores has a result.
    const planned = plan?.ended === undefined ? inputs["planned"] : {};
    const { outputs, isFailed } = await created(planWaveOperations(this.#providerProcess, this.#steps), {
      ...inputs,
      planned,
    });
    if (plan) plan.nextAt = plan.endsAt;
    if (plan && isFailed) plan.ended ??= `wave "${String(inputs["name"])}" failed`;
    return outputs;
  }
}

interface SentRestore {
  readonly kind: RestoreKind;
  readonly adopt: unknown;
  readonly isFailing: boolean;
  readonly at: number;
}

function whyNotSent(intent: unknown, predecessor: unknown, plan: MockedPlan | undefined): string | undefined {
  const heldBack = textIn(isObject(intent) ? intent["mark"] : undefined, "heldBack");
  if (heldBack !== undefined) return heldBack;
  if (plan?.ended !== undefined) return plan.ended;
  // Where the machine's id is an output, the predecessor is an object without a name if there is none.
  const urn = textIn(predecessor, "urn");
  if (urn === undefined || textIn(predecessor, "status") === "complete") return undefined;
  return `"${nameInUrn(urn)}", the restore of its machine before it, is not complete`;
}

function textIn(value: unknown, name: string): string | undefined {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === "string" ? text : undefined;
}

function notSentRecord(message: string): RestoreRecord {
  const status: string = "not sent";
  return { status: status as RestoreRecord["status"], transactionIds: [], adopted: false, warnings: [message] };
}

/** The outputs of a resource. The engine stores those of a failed one, too. */
async function created(
  operations: Pick<Operations, "check" | "create">,
  given: Properties,
): Promise<{ readonly outputs: Properties; readonly isFailed: boolean; readonly problem?: string }> {
  const { inputs, ...found } = checked(`plan "${String(given["plan"])}"`, operations.check({}, given));
  try {
    return { outputs: (await operations.create(inputs)).outs, isFailed: false, ...found };
  } catch (error) {
    if (error instanceof StoredFailure) return { outputs: error.properties, isFailed: true, ...found };
    // A wave cannot read a restore with an invalid input.
    return { outputs: { ...inputs, restores: {}, reasons: [errorMessage(error)] }, isFailed: true, ...found };
  }
}

/**
 * Prints what a preview refuses. The mocks go on all the same: where they throw, the SDK leaves the outputs of a resource open for ever, and a
 * test would end with its time limit.
 */
function checked(
  who: string,
  { inputs, failures }: CheckResult,
): { readonly inputs: Properties; readonly problem?: string } {
  if (failures.length === 0) return { inputs };
  const problem = failures.map(({ reason }) => reason.trim()).join("; ");
  void pulumi.log.error(`${who}: ${problem}`);
  return { inputs, problem };
}

const mockedProcessId = "mocks";

/** The parts of a provider process that a plan and the choice of a point need. */
function mockedProcess(panel: PanelClient, now: number): ProviderProcess {
  const session = {
    client: panel,
    // The wave only reports its progress by this clock.
    clock: { now: () => now, wallTime: () => new Date(now), after: () => () => undefined },
    redact: (text: string) => text,
  };
  const mocked = {
    id: mockedProcessId,
    types: resourceTypes,
    engineLog: { progress: () => undefined, warn: () => undefined, flushed: () => Promise.resolve() },
    session: () => session,
    listAccess: () => ({ client: panel, points: new PointLists(panel), pageSize: 100, pointStates: [] }),
  };
  return mocked as unknown as ProviderProcess;
}

/** Has the restores of a wave waited for and checked: each is over when the wave asks, and all checks pass. */
function mockedSteps(): PlanSteps {
  const mocked: Pick<PlanSteps, "take"> = {
    take: (restore, onEnded) => {
      const { record } = restore;
      const effects: StepEffects = {
        clock: impatientClock(zonedTime(record.finishedAt) ?? 0),
        follow: () =>
          Promise.resolve(
            isFinished(record.status)
              ? { record, reasons: [], tail: [] }
              : { record: { ...record, warnings: [] }, reasons: record.warnings, tail: [] },
          ),
        panelAheadMs: () => Promise.resolve(0),
        attemptFor: () => () => Promise.resolve({}),
      };
      return waitAndCheck(restore, { how: "wait", record }, effects, onEnded);
    },
  };
  return mocked as unknown as PlanSteps;
}

/** A clock that is where a pause ends as soon as somebody pauses. */
function impatientClock(start: number): Clock {
  let at = start;
  return {
    now: () => at,
    wallTime: () => new Date(at),
    after: (delayMs, run) => {
      at += delayMs;
      queueMicrotask(run);
      return () => undefined;
    },
  };
}
