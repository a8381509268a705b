import type * as pulumi from "@pulumi/pulumi";
import { longestDurationSeconds } from "../config/duration";

/** The operations of a restore that take time, and how many seconds each may. */
export interface OperationLimits {
  readonly create?: number;
  readonly update?: number;
}

/**
 * The option `customTimeouts` as an input of its own: the engine's request has the time-out, but the SDK's server of dynamic providers
 * hands on the properties alone. So what transformations make of the option, which run after the constructor's own code, is not
 * seen. A deletion takes no time, so its limit means nothing here. What the engine cannot read either, it says so itself.
 */
export function limitsIn({ create, update }: pulumi.CustomTimeouts = {}): OperationLimits | undefined {
  const limits = { create: secondsIn(create), update: secondsIn(update) };
  const given = Object.entries(limits).filter(([, seconds]) => seconds !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** In seconds, as many as one unit of the engine's durations is. */
const units: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3_600,
};
const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/** The engine's spelling of durations, like `1.5h` or `90m`. None, and 0, which to the engine is none, are no limit. */
function secondsIn(duration: unknown): number | undefined {
  if (typeof duration !== "string" || duration.replaceAll(part, "").replace(/^\+/, "") !== "") return undefined;
  const seconds = [...duration.matchAll(part)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? 0),
    0,
  );
  if (seconds === 0) return undefined;
  return Math.min(Math.max(1, Math.ceil(seconds)), longestDurationSeconds);
}
