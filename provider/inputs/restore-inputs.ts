import type { Intent, RestoreKind, RestoreTarget } from "../restore/terms/intent";
import type { RestorePlan, Timeouts } from "../restore/terms/restore-plan";
import { readIntent } from "./intent-input";
import {
  readAdopt,
  readCaptureLog,
  readCustomTimeouts,
  readFlag,
  readId,
  readPaths,
  readTimeouts,
  readTriggers,
  type Operation,
  type Reading,
} from "./rules";

/** The inputs of one restore, with their defaults. */
export interface RestoreInputs extends Omit<RestorePlan, "name"> {
  /** Absent when the engine ran the restore without its intent (`--target`). */
  readonly intent?: Intent;
}

type Properties = Readonly<Record<string, unknown>>;

/**
 * The typed form of inputs that `check` has let through. Defaults are filled in here and not into the stored inputs,
 * so that a release with another default changes no state. Of the limits on a whole operation the
 * restore's own `total` comes before what Pulumi's option says.
 */
export function parseRestoreInputs(kind: RestoreKind, inputs: Properties, operation: Operation): RestoreInputs {
  const intent = readIntent(inputs.intent);
  const { [operation]: total } = given(inputs, "customTimeouts", readCustomTimeouts) ?? {};
  return {
    target: parseTarget(kind, inputs),
    timeouts: withDefaults({ ...(total !== undefined && { total }), ...given(inputs, "timeouts", readTimeouts) }),
    wait: given(inputs, "wait", readFlag) ?? true,
    adopt: given(inputs, "adopt", readAdopt) ?? "auto",
    retryFailed: given(inputs, "retryFailed", readFlag) ?? true,
    captureLog: given(inputs, "captureLog", readCaptureLog) ?? "onFailure",
    ...(intent && { intent }),
  };
}

/** What the inputs of a restore, or of an intent, say is to be restored. */
export function parseTarget(kind: RestoreKind, inputs: Properties): RestoreTarget {
  const triggers = given(inputs, "triggers", readTriggers);
  return {
    kind,
    virtualMachineId: accept("virtualMachineId", readId(inputs.virtualMachineId)),
    recoveryPointId: accept("recoveryPointId", readId(inputs.recoveryPointId)),
    ...(kind === "FileRestore" && { paths: accept("paths", readPaths(inputs.paths)) }),
    // An intent is told its triggers as a list in any case: none and an empty list are one.
    ...(triggers && triggers.length > 0 && { triggers }),
  };
}

function given<Value>(inputs: Properties, name: string, read: (value: unknown) => Reading<Value>): Value | undefined {
  const value = inputs[name];
  return value === undefined || value === null ? undefined : accept(name, read(value));
}

/** Only a state edited by hand, or written by a release with other rules, gets as far as this error. */
function accept<Value>(name: string, reading: Reading<Value>): Value {
  if ("problem" in reading) throw new Error(`the input ${name}${reading.problem}`);
  return reading.value;
}

const minute = 60;
const hour = 3_600;

/** Durations have up to three decimals, which binary fractions do not hold exactly. */
const toMs = (seconds: number): number => Math.round(seconds * 1_000);

function withDefaults(seconds: Partial<Record<"busy" | "listed" | "queue" | "run" | "total", number>>): Timeouts {
  const { busy = 30 * minute, listed = 2 * minute, queue = hour, run = 4 * hour, total } = seconds;
  return {
    busyMs: toMs(busy),
    listedMs: toMs(listed),
    queueMs: toMs(queue),
    runMs: toMs(run),
    ...(total !== undefined && { totalMs: toMs(total) }),
  };
}
