import { recordNames } from "../names/record-names";
import type { RestoreRecord } from "../restore/terms/record";
import { readMark } from "../inputs/stored-mark";
import { withoutUndefined } from "../plain/without-undefined";

export type Properties = Record<string, unknown>;

/** A log is kept to its end: the engine stores outputs, and a state of many megabytes serves nobody. */
const longestLog = 256 * 1024;

/** The resource's outputs: every input as it was checked, then what is known of the restore. */
export function outputsOf(inputs: Properties, record: RestoreRecord): Properties {
  const outputs: Properties = { ...inputs };
  for (const key of recordNames) outputs[key] = key === "logOutput" ? record[key] : short(record[key]);
  if (record.logOutput !== undefined && record.logOutput.length > longestLog) {
    const leftOut = String(record.logOutput.length - longestLog);
    outputs["logOutput"] = `[the first ${leftOut} characters are left out]\n${record.logOutput.slice(-longestLog)}`;
  }
  return withoutUndefined(outputs) as Properties;
}

/**
 * A word of the panel's may be as long as its answer, and what is stored after a failure travels in a trailer of the engine's protocol
 * (gRPC), which ends the connection over one of 16 MB.
 */
const longestText = 2_000;

function short(value: unknown): unknown {
  if (typeof value === "string") return value.length > longestText ? `${value.slice(0, longestText)}…` : value;
  return Array.isArray(value) ? value.map(short) : value;
}

/** The resource's id: the transaction, or, before one is known, the place in the list above which it will appear. */
export function idOf(record: RestoreRecord): string {
  const { transactionId, transactionIds, postedAfter } = record;
  const newestId = postedAfter && "newestId" in postedAfter ? postedAfter.newestId : undefined;
  return transactionId ?? transactionIds[0] ?? `posted-after-${newestId ?? "an-empty-list"}`;
}

/** What a restore's stored outputs say of it. Parts that are not what they should be are absent. */
export function recordIn(outputs: Properties): RestoreRecord {
  const text = (key: string): string | undefined => {
    const value = outputs[key];
    return typeof value === "string" ? value : undefined;
  };
  const amount = (key: string): number | undefined => {
    const value = outputs[key];
    return typeof value === "number" ? value : undefined;
  };
  const record: { [K in keyof RestoreRecord]: RestoreRecord[K] | undefined } = {
    status: statusIn(outputs["status"]),
    transactionId: text("transactionId"),
    transactionIds: texts(outputs["transactionIds"]),
    action: text("action"),
    requestedAt: text("requestedAt"),
    startedAt: text("startedAt"),
    finishedAt: text("finishedAt"),
    queuedSeconds: amount("queuedSeconds"),
    durationSeconds: amount("durationSeconds"),
    adopted: outputs["adopted"] === true,
    warnings: texts(outputs["warnings"]),
    logOutput: text("logOutput"),
    postedAfter: readMark(outputs["postedAfter"]),
  };
  return withoutUndefined(record) as RestoreRecord;
}

/** A status this release does not know, or none, is not an end. */
function statusIn(value: unknown): RestoreRecord["status"] {
  switch (value) {
    case "complete":
    case "failed":
    case "cancelled":
    case "accepted":
    case "pending":
    case "running":
      return value;
    default:
      return "unknown";
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
