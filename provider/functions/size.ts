import * as pulumi from "@pulumi/pulumi";

const largeBytes = 1_000_000;

/** Says so when a result is too large to be stored with every update of a stack. */
export function warnWhenLarge(functionName: string, result: unknown): void {
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes <= largeBytes) return;
  void pulumi.log.warn(
    `${functionName}: the result is ${(bytes / 1_000_000).toFixed(1)} MB. As a stack output, or as an input of a resource, ` +
      "all of it is stored in the state and printed. Keep it small: ask for fewer rows (limit, perPage), leave out " +
      "detailed, and export only the fields that are needed, as in rows.apply((all) => all.map(({ id, status }) => ({ id, status }))).",
  );
}
