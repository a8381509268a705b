import type { RestoreRecord } from "../restore/terms/record";
import { forTerminal } from "../text/for-terminal";
import { messageOf } from "../text/message-of";
import { idOf, outputsOf, type Properties } from "./outputs";

/** Far more than anybody writes, and less than a panel's words could make of it. */
const longestReason = 20_000;

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
    this.reasons = reasons.map((reason) => reason.slice(0, longestReason));
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
  const failure = new Error(forTerminal(messageOf(error)));
  // The provider process prints stacks of failed reads and deletes.
  failure.stack = "";
  return failure;
}
