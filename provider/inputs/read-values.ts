import { isRealDay } from "../plain/clock";
import { isSendablePath, isValidId, type TransactionId, panelSpelling } from "../panel/types";
import { approximateBytes, definedEntries, isObject } from "../plain/plain";
import { isEngineSafe, onOneLine, showValue } from "../plain/text";
import { type DurationBounds, durationWithin } from "./duration";
import { didYouMean, type ValueReader, type ReadResult, oneOf } from "./problems";

export function readId(value: unknown): ReadResult<string> {
  const isExact = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  const id = isExact ? String(value) : value;
  if (typeof id === "string" && isValidId(id)) return { value: id };
  const form = 'an id contains only letters, digits, "-" and "_" (write a very large number as a string)';
  return { problem: ` is ${showValue(value)}, which is not an id: ${form}` };
}

export function rejectingLeadingZeros<Id extends string>(read: ValueReader<Id>): ValueReader<Id> {
  return (value) => {
    const reading = read(value);
    const plain = "value" in reading ? panelSpelling(reading.value) : undefined;
    if (plain === undefined) return reading;
    return {
      problem: ` is ${showValue(value)}, which the panel reads as ${onOneLine(plain)}: write it without leading zeros`,
    };
  };
}

/** A date with a time and a zone. Without a zone, the same text would mean different times on different runners. */
const timePattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

export function timeProblem(value: unknown): string | undefined {
  const isTime =
    typeof value === "string" && timePattern.test(value) && isRealDay(value) && !Number.isNaN(Date.parse(value));
  if (isTime) return undefined;
  return ` is ${showValue(value)}: expected a time with a time zone, like "2026-11-20T02:00:00Z"`;
}

/** No file system has longer paths, and no file restore needs more paths. */
const maxPathLength = 32_767;
const maxPaths = 10_000;
/**
 * After a failed restore, all its inputs travel in the trailer of the provider's answer, twice, as base64. A trailer of 16 MB ends the connection, and this
 * and every other restore under way would be lost. Together with the longest log, inputs of these sizes fill at most half a trailer.
 */
const maxPathBytes = 2_000_000;
const maxTriggerBytes = 1_000_000;

/** Accepts a path with a `..` segment, because the panel requires only a leading slash and knows which entries a backup contains. */
export function readPaths(value: unknown): ReadResult<readonly string[]> {
  if (!Array.isArray(value)) return { problem: ` is ${showValue(value)}: expected a list, like ["/etc/hosts"]` };
  const paths: readonly unknown[] = value;
  if (paths.length === 0) return { problem: " is empty: list at least one path" };
  if (paths.length > maxPaths) {
    return { problem: ` has ${String(paths.length)} paths, but one restore can have at most ${String(maxPaths)}` };
  }
  const seen = new Set<unknown>();
  for (const [index, path] of paths.entries()) {
    const problem = pathProblem(path) ?? (seen.has(path) ? "appears twice" : undefined);
    if (problem !== undefined) return { problem: `[${String(index)}] ${problem}: ${showValue(path)}` };
    seen.add(path);
  }
  if (approximateBytes(paths, maxPathBytes) > maxPathBytes) {
    return {
      problem: " are larger than 2 MB, which is too much for one restore: list folders instead of their files",
    };
  }
  return { value: paths as readonly string[] };
}

function pathProblem(path: unknown): string | undefined {
  if (typeof path !== "string") return "is not a string";
  if (!path.startsWith("/")) return 'does not start with "/"';
  if (path.length > maxPathLength) return `is longer than ${String(maxPathLength)} characters`;
  if (!isSendablePath(path)) return "contains a character that cannot be sent";
  // Other strings are cleaned, but a cleaned path would be a different path.
  return isEngineSafe(path) ? undefined : "contains what Pulumi reads as a color code (restore its folder instead)";
}

export function readTriggers(value: unknown): ReadResult<readonly unknown[]> {
  if (!Array.isArray(value)) return { problem: ` is ${showValue(value)}: expected a list, like ["2026-11-drill"]` };
  if (approximateBytes(value, maxTriggerBytes) > maxTriggerBytes) {
    return { problem: " are larger than 1 MB: use a hash of the large value instead" };
  }
  return { value };
}

export type Limit = "busy" | "listed" | "run" | "settle" | "total";

/**
 * Limits on the phases of a restore, in seconds. If `busy` is 0, a restore does not wait for a busy machine; if `settle` is 0, an end is final as soon as the
 * list shows it.
 */
export const timeoutLimits: Readonly<Record<Limit, { readonly minSeconds: number; readonly default?: number }>> = {
  busy: { minSeconds: 0, default: 30 * 60 },
  listed: { minSeconds: 1, default: 2 * 60 },
  run: { minSeconds: 1, default: 4 * 60 * 60 },
  settle: { minSeconds: 0, default: 15 },
  total: { minSeconds: 1 },
};

/** Reads limits and converts them to seconds, so that writing the same limit differently is not a change. */
export const readTimeouts = limitReader("timeouts", timeoutLimits, 'expected an object, like { run: "2h" }');

/** The operations that Pulumi's option `customTimeouts` can limit here. */
export type TimeoutOperation = "create" | "update";

/** Reads `customTimeouts`, which the resource's constructor copies from the options. */
export const readCustomTimeouts = limitReader<TimeoutOperation>(
  "customTimeouts",
  { create: { minSeconds: 1 }, update: { minSeconds: 1 } },
  'set it in the options, like { create: "2h" }',
);

function limitReader<Name extends string>(
  option: string,
  limits: Readonly<Record<Name, DurationBounds>>,
  expected: string,
): ValueReader<Partial<Record<Name, number>>> {
  const isLimit = (name: string): name is Name => Object.hasOwn(limits, name);
  return (value) => {
    if (!isObject(value)) return { problem: ` is ${showValue(value)}: ${expected}` };
    const seconds: Partial<Record<Name, number>> = {};
    const problems: string[] = [];
    for (const [name, duration] of definedEntries(value)) {
      if (!isLimit(name)) {
        problems.push(` has no ${onOneLine(name)}${didYouMean(name, Object.keys(limits), "limits")}`);
        continue;
      }
      const reading = durationWithin(limits[name])(duration);
      if ("problem" in reading) problems.push(`.${name}${reading.problem}`);
      else seconds[name] = reading.value;
    }
    // A value of the wrong type may have thousands of problems.
    return problems.length > 0 ? { problem: problems.slice(0, 5).join(`; ${option}`) } : { value: seconds };
  };
}

/** The form of an id differs from panel to panel: `5015`, `UPID:a:b4`, `/jobs/12`. It is only compared, never sent. */
const transactionPattern = /^[^\s\p{Cc}\p{Cs}]{1,128}$/u;

export function readAdopt(value: unknown): ReadResult<TransactionId> {
  const id = typeof value === "number" ? readId(value) : { value };
  const isTransaction =
    "value" in id && typeof id.value === "string" && transactionPattern.test(id.value) && isEngineSafe(id.value);
  return isTransaction
    ? { value: id.value as TransactionId }
    : { problem: ` is ${showValue(value)}: expected the id of a transaction, like "5015"` };
}

/** The outcomes after which the transaction's log is fetched. */
export type CaptureLog = "onFailure" | "always" | "never";

export const readCaptureLog = oneOf<CaptureLog>("onFailure", "always", "never");

/** The placeholder for an unknown string. The Node.js SDK sends it for unknown values of every type. */
export const unknownString = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The placeholders for unknown values in a preview: constants of the engine's protocol, one per type. */
const unknownValues: ReadonlySet<unknown> = new Set([
  unknownString,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", // bool
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421", // number
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", // array
  "030794c1-ac77-496b-92df-f27374a8bd58", // asset
  "e48ece36-62e2-4504-bad9-02848725956a", // archive
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff", // object
]);

/** Shown in messages instead of a value that a preview does not know. It is not a valid id, so nothing can be sent with it. */
export const knownLater = "(known only later)";

/** True if the value, or anything inside it, is unknown. */
export function containsUnknown(value: unknown): boolean {
  if (unknownValues.has(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(containsUnknown);
}
