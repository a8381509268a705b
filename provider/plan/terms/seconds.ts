import { namesZone } from "../../time/names-zone";
import type { StoredStep } from "./stored";

/**
 * Whole seconds from one stamp to another; undefined when one is missing, is no stamp, or comes too late. Two stamps that name no zone are
 * of one panel and lie as far apart as they say; beside one that names its zone, such a stamp may be half a day off.
 */
export function secondsFrom(from: string | undefined, to: string | undefined): number | undefined {
  if (from === undefined || to === undefined || namesZone(from) !== namesZone(to)) return undefined;
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1_000);
  return seconds >= 0 ? seconds : undefined;
}

/** The first of several stamps; what is none does not count. */
export function firstOf(stamps: readonly (string | undefined)[]): string | undefined {
  const known = stamps.filter((stamp): stamp is string => stamp !== undefined && !Number.isNaN(Date.parse(stamp)));
  return known.reduce<string | undefined>(
    (first, stamp) => (first === undefined || Date.parse(stamp) < Date.parse(first) ? stamp : first),
    undefined,
  );
}

/** When a run first asked for a restore, whatever came of that try. */
export function firstRequestOf({
  earlierTries = [],
  requestedAt,
}: Pick<StoredStep, "earlierTries" | "requestedAt">): string | undefined {
  return firstOf([...earlierTries.map((one) => one.requestedAt), requestedAt]);
}
