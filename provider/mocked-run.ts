import * as pulumi from "@pulumi/pulumi";
import { outputsOf } from "./engine/outputs";
import { checkAllowed, checkIntent, checkRestore, type CheckResult } from "./inputs/check-restore";
import { intentIdOf } from "./inputs/intent";
import { isGiven } from "./inputs/problems";
import type { RestoreRecord } from "./inputs/record";
import { nameInUrn, type ResourceName, resourceTypes, restoreUrnOf } from "./inputs/resource-names";
import type { RestoreKind } from "./inputs/restore-table";
import { ConfigurationError, readAllowedMachines, whyNotAllowed } from "./inputs/settings";
import { processSources } from "./inputs/settings-sources";
import type { PanelClient } from "./panel/types";
import { formatUtc, zonedTime } from "./plain/clock";
import { isObject, type Properties } from "./plain/plain";
import { errorMessage } from "./plain/text";
import { choosePoint, PointLists } from "./points/choose-point";

/** A resource that a program registers under mocks. Its secrets are plain text, as for a provider. */
export interface MockedCreate {
  readonly name: string;
  readonly inputs: Properties;
  /** Its explicit provider, as `<urn>::<id>`. */
  readonly provider: string | undefined;
}

/** Returns the outputs of a resource of one type. Must not throw, because the SDK would then never resolve the outputs. */
export type MockedResource = (given: MockedCreate, run: MockedRun) => Promise<Properties>;

const mockedResources: Partial<Record<ResourceName, MockedResource>> = {
  Intent: mockedIntent,
  VmRestore: (given, run) => Promise.resolve(mockedRestore("VmRestore", given, run)),
  FileRestore: (given, run) => Promise.resolve(mockedRestore("FileRestore", given, run)),
};

/** Adds the resource types of another part of the package. */
export function mockResources(more: Partial<Record<ResourceName, MockedResource>>): void {
  Object.assign(mockedResources, more);
}

export function mockedResource(resource: ResourceName): MockedResource | undefined {
  return mockedResources[resource];
}

/** The time that each restore takes. */
const restoreMs = 60_000;

/** The provider process and the panel of one program run, as far as a program can see them. */
export class MockedRun {
  /** The properties of the explicit providers, by name. */
  readonly providers = new Map<string, Properties>();
  /** The records of the restores, by their URNs. */
  readonly records = new Map<string, RestoreRecord>();
  /** The recovery points that this run chooses from. */
  readonly points: PointLists;
  readonly #failed: ReadonlySet<string>;
  readonly #unseen: Set<string>;
  #transactions = 5000;
  #intents = 0;

  constructor(
    failed: readonly string[],
    /** The time of the first request, and the panel's clock. */
    readonly now: number,
    readonly panel: PanelClient,
    /** False for a machine whose points the test does not provide. */
    readonly listsPointsOf: (machine: string) => boolean,
  ) {
    this.#failed = new Set(failed);
    this.#unseen = new Set(failed);
    this.points = new PointLists(panel);
  }

  /** The names in `failed` that no restore has matched so far. */
  get unseen(): readonly string[] {
    return [...this.#unseen];
  }

  isFailing(name: string): boolean {
    this.#unseen.delete(name);
    return this.#failed.has(name);
  }

  newIntentId(): string {
    return intentIdOf("mocks", ++this.#intents);
  }

  /** The record of a restore that was sent at the given time, or adopted by its transaction id. */
  sentRecord(kind: RestoreKind, isFailing: boolean, at: number, adopt?: string): RestoreRecord {
    const transactionId = adopt ?? String(++this.#transactions);
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
      adopted: adopt !== undefined,
      warnings: [],
    };
  }

  /** Uses the settings of a resource's provider, as the provider's process would. */
  whyNotAllowed(machine: string, provider = ""): string | undefined {
    const properties = this.providers.get(provider.split("::").slice(3, -1).join("::"));
    const get = (key: string): unknown => (properties ? properties[key] : pulumi.runtime.getConfig(key));
    try {
      return whyNotAllowed(machine, readAllowedMachines(processSources({ get }, process.env)));
    } catch (error) {
      if (error instanceof ConfigurationError) return error.message;
      throw error;
    }
  }
}

async function mockedIntent({ inputs: given }: MockedCreate, run: MockedRun): Promise<Properties> {
  const { inputs } = checkIntent({}, given);
  const mark = { panel: run.panel.address, ended: [], takenAt: formatUtc(run.now) };
  // The test may not care which point is used.
  if (isGiven(inputs["recoveryPoint"]) && !run.listsPointsOf(String(inputs["virtualMachineId"])))
    return { ...inputs, mark, choice: {} };
  try {
    return { ...inputs, mark, ...(await choosePoint(inputs, { points: run.points, pointStates: [] })) };
  } catch (error) {
    return { ...inputs, mark: { ...mark, [refusalKey]: errorMessage(error) } };
  }
}

/** The field of a mocked mark that says why no point was chosen. With an engine, the run would end at the intent. */
const refusalKey = "refusal";

function mockedRestore(kind: RestoreKind, { name, inputs: given, provider }: MockedCreate, run: MockedRun): Properties {
  const guard = { whyNotAllowed: (machine: string) => run.whyNotAllowed(machine, provider) };
  const { inputs, problem } = checked(`${kind} "${name}"`, checkAllowed(guard, checkRestore(kind)({}, given)));
  const { __intent: intent, __previous: previous, adopt } = inputs;
  const isFailing = run.isFailing(name);
  const why = problem ?? whyNotSent(intent, previous);
  const before = zonedTime(run.records.get(textIn(previous, "urn") ?? "")?.finishedAt);
  const record =
    why === undefined
      ? run.sentRecord(kind, isFailing, before ?? run.now, typeof adopt === "string" ? adopt : undefined)
      : notSentRecord(`${kind} "${name}" was not sent: ${why}`);
  const intentUrn = textIn(intent, "urn");
  if (intentUrn !== undefined) run.records.set(restoreUrnOf(intentUrn, kind, resourceTypes), record);
  return outputsOf(inputs, record);
}

function whyNotSent(intent: unknown, previous: unknown): string | undefined {
  const refusal = textIn(isObject(intent) ? intent["mark"] : undefined, refusalKey);
  if (refusal !== undefined) return refusal;
  // If the machine's id is an output and there is no previous restore, `previous` is an object without a URN.
  const urn = textIn(previous, "urn");
  if (urn === undefined || textIn(previous, "status") === "complete") return undefined;
  return `the previous restore of its machine, "${nameInUrn(urn)}", is not complete`;
}

function textIn(value: unknown, name: string): string | undefined {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === "string" ? text : undefined;
}

/** With an engine, the run would end here and store nothing. With mocks, the program continues, and its test can read the reason. */
function notSentRecord(message: string): RestoreRecord {
  const status: string = "not sent";
  return { status: status as RestoreRecord["status"], transactionIds: [], adopted: false, warnings: [message] };
}

/** Prints what a preview would reject. The mocks continue anyway: see `MockedResource`. */
function checked(
  who: string,
  { inputs, failures }: CheckResult,
): { readonly inputs: Properties; readonly problem?: string } {
  if (failures.length === 0) return { inputs };
  const problem = failures.map(({ reason }) => reason.trim()).join("; ");
  void pulumi.log.error(`${who}: ${problem}`);
  return { inputs, problem };
}
