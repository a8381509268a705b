import { isFinished, recordNames, recordTable, type RestoreRecord } from "../inputs/record";
import { isObject, type Properties, omit, omitUndefinedDeep } from "../plain/plain";
import { forTerminal, errorMessage } from "../plain/text";

/** A log is kept to its end: the engine stores outputs, and a state of many megabytes serves nobody. */
const maxLogLength = 256 * 1024;

/**
 * The resource's outputs: every input as it was checked, then what is known of the restore. Of its intent what a refresh, a `diff` and a
 * `delete` go by, which are told the outputs alone; all of it stands in the intent and in the input.
 */
export function outputsOf(inputs: Properties, record: RestoreRecord): Properties {
  const { intent, ...outputs }: Record<string, unknown> = omit(inputs, "predecessor", "machineBefore");
  if (isObject(intent)) {
    const { id, urn } = intent;
    outputs["intent"] = isFinished(record.status) ? { id } : { id, urn };
  }
  for (const key of recordNames) outputs[key] = key === "logOutput" ? record[key] : shortened(record[key]);
  if (record.logOutput !== undefined && record.logOutput.length > maxLogLength) {
    const leftOut = String(record.logOutput.length - maxLogLength);
    outputs["logOutput"] = `[the first ${leftOut} characters are left out]\n${record.logOutput.slice(-maxLogLength)}`;
  }
  return omitUndefinedDeep(outputs) as Properties;
}

/**
 * A word of the panel's may be as long as its answer, and what is stored after a failure travels in a trailer of the engine's protocol
 * (gRPC), which ends the connection over one of 16 MB.
 */
const maxTextLength = 2_000;

function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value;
  return Array.isArray(value) ? value.map(shortened) : value;
}

/** The resource's id: the transaction, or, before one is known, the place in the list above which it will appear. */
export function idOf(record: RestoreRecord): string {
  const { status, transactionId, transactionIds, postedAfter } = record;
  if (status === "not sent") return "not-sent";
  const newestId = postedAfter && "newestId" in postedAfter ? postedAfter.newestId : undefined;
  return transactionId ?? transactionIds[0] ?? `posted-after-${newestId ?? "an-empty-list"}`;
}

/** What a restore's stored outputs say of it. Parts that are not what they should be are absent. */
export function recordIn(outputs: Properties): RestoreRecord {
  const parts = recordNames.map((name) => [name, recordTable[name](outputs[name])]);
  return omitUndefinedDeep(Object.fromEntries(parts)) as RestoreRecord;
}

/** Far more than anybody writes, and less than a panel's words could make of it. */
const maxReasonLength = 20_000;

/**
 * How a failure after the POST has to reach the engine so that the transaction is not lost: with an id, with properties that hold
 * no `undefined` and hold `__provider` (without it the resource could never be refreshed or deleted), and with reasons
 * that are texts. The engine then stores the resource as it is and shows the reasons. Its texts are cleaned at the door.
 */
export class StoredFailure extends Error {
  readonly properties: Properties;
  readonly reasons: string[];

  constructor(
    /** On an update the engine keeps the id it has, but wants to be given one that is not empty. */
    readonly id: string,
    inputs: Properties,
    record: RestoreRecord,
    reasons: readonly string[],
  ) {
    super("stored");
    this.name = "StoredFailure";
    this.reasons = reasons.map((reason) => reason.slice(0, maxReasonLength));
    this.message = this.reasons.join("\n");
    this.properties = outputsOf(inputs, record);
  }

  static ofCreate(inputs: Properties, record: RestoreRecord, reasons: readonly string[]): StoredFailure {
    return new StoredFailure(idOf(record), inputs, record, reasons);
  }
}

/**
 * An error that stores nothing. Made anew from the text alone: the engine would take any error with a field `id` for a
 * resource to be stored, and a stack or the request behind it is nothing for a terminal.
 */
export function plainFailure(error: unknown): Error {
  const failure = new Error(forTerminal(errorMessage(error)));
  // The provider process prints stacks of failed reads and deletes.
  failure.stack = "";
  return failure;
}

const maxPlanReasonLength = 20_000;
/** All reasons of one resource together travel in one trailer, beside everything that is stored. */
const maxPlanReasonsLength = 200_000;

/**
 * A wave that is not good, or a verdict that fails the run: stored with everything that is known, and with the reasons why. Its texts are
 * cleaned at the door.
 */
export class StoredPlanFailure extends Error {
  readonly reasons: string[];

  constructor(
    readonly id: string,
    readonly properties: Properties,
    reasons: readonly string[],
  ) {
    super("stored");
    this.name = "StoredPlanFailure";
    let left = maxPlanReasonsLength;
    const fitting = reasons.filter((reason) => (left -= Math.min(reason.length, maxPlanReasonLength)) >= 0);
    const more = reasons.length - fitting.length;
    this.reasons = [...fitting, ...(more > 0 ? [`and ${String(more)} more`] : [])].map((reason) =>
      reason.slice(0, maxPlanReasonLength),
    );
    this.message = this.reasons.join("\n");
  }
}
