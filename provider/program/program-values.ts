import * as pulumi from "@pulumi/pulumi";
import { hidden } from "../plan/stored";

/** Replaces every value marked as a secret, at any depth, by `[secret]`, so that the rest may be shown and stored. */
export function maskSecrets(value: unknown): unknown {
  if (isOutputOrPromise(value)) {
    const output = pulumi.output(value);
    // Asked of the lifted output: a secret within the value makes all of it one.
    return pulumi
      .output(pulumi.isSecret(output))
      .apply((isSecret) => (isSecret ? pulumi.output<unknown>(hidden) : pulumi.unsecret(output)));
  }
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskSecrets(inner)]));
}

/** Applies a function to a value once it is known, or gives `[secret]` if it is a secret. */
export function mapUnlessSecret(value: unknown, make: (known: unknown) => unknown): unknown {
  if (!holdsOutputOrPromise(value)) return make(value);
  const output = pulumi.output(value);
  return pulumi
    .output(pulumi.isSecret(output))
    .apply((isSecret) => (isSecret ? pulumi.output<unknown>(hidden) : pulumi.unsecret(output).apply(make)));
}

/** Applies a function to a value once it is known; a secret stays one. */
export function mapKnown(value: unknown, make: (known: unknown) => unknown): unknown {
  return holdsOutputOrPromise(value) ? pulumi.output(value as pulumi.Input<object>).apply(make) : make(value);
}

/** True for a value that arrives later than the program's own run. */
export function isOutputOrPromise(value: unknown): value is pulumi.Output<unknown> | Promise<unknown> {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

function holdsOutputOrPromise(value: unknown): boolean {
  if (isOutputOrPromise(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsOutputOrPromise);
}

/**
 * Triggers with each date as its ISO text. On the way to the engine a date becomes an empty object: the next date would be no change, and
 * the restore would silently not run. Outputs and resources are left to the SDK.
 */
export function withDatesAsText(value: unknown): unknown {
  // An invalid date has no ISO text, and must not end the program either.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (Array.isArray(value)) return value.map(withDatesAsText);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, withDatesAsText(property)]));
}
