import * as pulumi from "@pulumi/pulumi";

/** True for a value that becomes known only later, while or after the program runs. */
export function isOutputOrPromise(value: unknown): value is pulumi.Output<unknown> | Promise<unknown> {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/**
 * Turns each date in the triggers into its ISO text. On the way to the engine, a date would become an empty object, so a different date would not count as a
 * change, and the restore would silently not run. Outputs and resources are left to the SDK.
 */
export function withDatesAsText(value: unknown): unknown {
  // An invalid date has no ISO text, but must not end the program.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (Array.isArray(value)) return value.map(withDatesAsText);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, withDatesAsText(property)]));
}

type Known<T> = { readonly isKnown: true; readonly value: T } | { readonly isKnown: false; readonly value?: undefined };

/** The value of an output, if it is known by now. `pulumi.isSecret` resolves once the callback has run, or cannot run. */
export async function whenKnown<T>(output: pulumi.Output<T>): Promise<Known<T> & { readonly isSecret: boolean }> {
  let found: Known<T> = { isKnown: false };
  const seen = output.apply((value) => {
    found = { isKnown: true, value };
  });
  const isSecret = await pulumi.isSecret(seen);
  return { ...found, isSecret };
}
