import type { BetweenRecord } from "./stored";

/**
 * Compares the resources between the waves with their earlier outputs. A resource that runs again has different outputs, a new id, or the run among
 * its triggers. A resource with the outputs that it had in an earlier run has not run in this run.
 */
export function compareBetween(
  run: string,
  digests: Readonly<Record<string, string>>,
  before: BetweenRecord,
): BetweenRecord {
  const record = Object.entries(digests).map(([name, digest]) => {
    const known = before[name];
    return [name, known?.digest === digest ? known : { digest, run }] as const;
  });
  return Object.fromEntries(record);
}

export function notRunIn(record: BetweenRecord, run: string): readonly string[] {
  return Object.entries(record).flatMap(([name, known]) => (known.run === run ? [] : [name]));
}
