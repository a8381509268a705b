import { recordNames, type RestoreRecord } from "../inputs/record";
import { isObject, type Properties, omit, omitUndefinedDeep } from "../plain/plain";
import { shortText } from "../plain/text";

/** Only the end of a log is kept, so that the state does not grow by megabytes. */
const maxLogLength = 256 * 1024;

/**
 * The resource's outputs: every checked input, then the restore's record. Only the intent's id, URN and panel are kept, because `read`, `diff` and `delete`
 * receive only outputs and need nothing else from the intent.
 */
export function outputsOf(inputs: Properties, record: RestoreRecord): Properties {
  const { __intent: intent, ...outputs }: Record<string, unknown> = omit(inputs, "__previous", "__known", "__followed");
  if (isObject(intent)) {
    const { id, urn, mark, panel = isObject(mark) ? mark["panel"] : undefined } = intent;
    outputs["__intent"] = { id, urn, panel };
  }
  for (const key of recordNames) outputs[key] = key === "logOutput" ? record[key] : shortened(record[key]);
  if (record.logOutput !== undefined && record.logOutput.length > maxLogLength)
    outputs["logOutput"] = `[the beginning is left out]\n${record.logOutput.slice(-maxLogLength)}`;
  return omitUndefinedDeep(outputs) as Properties;
}

/** The limit for text from the panel. A failure's properties travel in a gRPC trailer, and a 16 MB trailer ends the connection. */
const maxTextLength = 2_000;

function shortened(value: unknown): unknown {
  if (typeof value === "string") return shortText(value, maxTextLength);
  return Array.isArray(value) ? value.map(shortened) : value;
}

/** The resource's id: the transaction's id, or `sent` if that was not known when the resource was created. An id never changes. */
export function resourceIdOf({ transactionId, transactionIds }: RestoreRecord): string {
  return transactionId ?? transactionIds[0] ?? "sent";
}

/** Far more than any message needs. A limit is necessary because a panel's text could be longer. */
const maxReasonLength = 20_000;

/**
 * A failure for which the engine shows the reason and stores all known facts. The engine needs a non-empty id, and properties without `undefined` but with
 * `__provider` (a resource without `__provider` can never be refreshed or deleted).
 */
export class StoredFailure extends Error {
  override readonly name = "StoredFailure";
  /** The form in which the engine reads the message. */
  readonly reasons = [this.message];

  constructor(
    readonly id: string,
    readonly properties: Properties,
    reason: string,
  ) {
    super(reason.slice(0, maxReasonLength));
  }
}
