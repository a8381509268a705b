import { entriesOf, isObject } from "../../provider/plain/plain";

/** The resources between the waves, by their names: a digest of their outputs, and the run in which it was new. Stored with the verdict. */
export type BetweenRecord = Readonly<Record<string, { readonly digest: string; readonly run: string }>>;

/**
 * Compares the resources between the waves with their earlier outputs. A resource that runs again has different outputs, a new id, or the run among
 * its triggers. A resource with the outputs that it had in an earlier run has not run in this run.
 */
export function compareBetween(
  run: string,
  digests: Readonly<Record<string, string>>,
  stored: unknown,
): { readonly record: BetweenRecord; readonly notRun: readonly string[] } {
  const before = new Map(entriesOf(stored));
  const record = Object.fromEntries(
    Object.entries(digests).map(([name, digest]) => {
      const known = before.get(name);
      const isSame = isObject(known) && known["digest"] === digest && typeof known["run"] === "string";
      return [name, { digest, run: isSame ? String(known["run"]) : run }];
    }),
  );
  return { record, notRun: Object.keys(record).filter((name) => record[name]?.run !== run) };
}
