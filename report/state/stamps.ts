import type { Resource } from "./read";
import { fieldsOf } from "./values";

/**
 * Whether the panel's stamps of requests can be compared with stamps of other clocks. One that names no zone is read as this machine's local
 * time: beside others of the panel it serves, beside the time at which a recovery point was taken it may be half a day off.
 */
export function requestsNameZone(resources: readonly Resource[]): boolean {
  return resources
    .flatMap(({ outputs }) => [outputs, ...Object.values(fieldsOf(outputs["restores"])).map(fieldsOf)])
    .every(
      ({ requestedAt }) => typeof requestedAt !== "string" || /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\s*$/i.test(requestedAt),
    );
}

/** Stamps of one clock, compared. What is not known is passed over. */
export function earliest(stamps: readonly (string | undefined)[]): string | undefined {
  return stamps.reduce(
    (a, b) => (a === undefined || (b !== undefined && Date.parse(b) < Date.parse(a)) ? b : a),
    undefined,
  );
}

export function latest(stamps: readonly (string | undefined)[]): string | undefined {
  return stamps.reduce(
    (a, b) => (a === undefined || (b !== undefined && Date.parse(b) > Date.parse(a)) ? b : a),
    undefined,
  );
}
