import * as pulumi from "@pulumi/pulumi";
import { hidden } from "../plan/stored";

/** A value as it may be shown and stored in the open: what the program has marked as a secret, at any depth, reads `[secret]`. */
export function maskSecrets(value: unknown): unknown {
  if (isOutputOrPromise(value)) {
    const output = pulumi.output(value);
    // Not `isSecret` of the input itself: a secret within it makes the whole output one.
    return pulumi
      .output(pulumi.isSecret(output))
      .apply((isSecret) => (isSecret ? pulumi.output<unknown>(hidden) : pulumi.unsecret(output)));
  }
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskSecrets(inner)]));
}

/** The same, made into something else once it is known. */
export function mapUnlessSecret(value: unknown, make: (known: unknown) => unknown): unknown {
  if (!holdsOutputOrPromise(value)) return make(value);
  const output = pulumi.output(value);
  return pulumi
    .output(pulumi.isSecret(output))
    .apply((isSecret) => (isSecret ? pulumi.output<unknown>(hidden) : pulumi.unsecret(output).apply(make)));
}

/** An output or a promise: its value comes later than the program's own run. */
export function isOutputOrPromise(value: unknown): value is pulumi.Output<unknown> | Promise<unknown> {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

function holdsOutputOrPromise(value: unknown): boolean {
  if (isOutputOrPromise(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsOutputOrPromise);
}

/**
 * Triggers as they can be told apart later. On the way to the engine a date becomes an empty object, so that the next date
 * would be no change and the restore would silently not run; as text it is kept. Outputs and resources are left to the SDK.
 */
export function withDatesAsText(value: unknown): unknown {
  // An invalid date has no ISO text, and must not end the program either.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (Array.isArray(value)) return value.map(withDatesAsText);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, withDatesAsText(property)]));
}
