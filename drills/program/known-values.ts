import * as pulumi from "@pulumi/pulumi";
import { knownLater } from "../../provider/inputs/read-values";
import { engineSafeText } from "../../provider/plain/text";
import { isOutputOrPromise, whenKnown } from "../../provider/program/program-values";

/** Applies a function to a value as soon as all of it is known, which may be immediately. A secret stays a secret. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller states the type of the known value
export function mapKnown<Known, Made>(value: unknown, make: (known: Known) => Made): Made | pulumi.Output<Made> {
  if (!holdsOutputOrPromise(value)) return make(value as Known);
  const later: pulumi.Output<unknown> = pulumi.output(value as pulumi.Input<object>);
  return later.apply((known) => make(known as Known));
}

/** Plain data that contains no outputs, or an output of such data. */
export type Knowable<Value> = Value | pulumi.Output<Value>;

/** The value, no longer marked as a secret. */
export function shown<Value>(value: Knowable<Value>): Knowable<Value> {
  return pulumi.Output.isInstance(value) ? pulumi.unsecret(value) : value;
}

function holdsOutputOrPromise(value: unknown): boolean {
  if (isOutputOrPromise(value)) return true;
  if (Array.isArray(value)) return value.some(holdsOutputOrPromise);
  return isPlain(value) && Object.values(value).some(holdsOutputOrPromise);
}

/** Copies plain data, with each part replaced by what `change` returns for it. */
function changed(value: unknown, change: (part: unknown) => unknown): unknown {
  const own = change(value);
  if (own !== value) return own;
  if (Array.isArray(value)) return value.map((part) => changed(part, change));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, changed(part, change)]));
}

/** Replaces each resource, for example in triggers, with its URN. A resource is not data, because its contents change from one moment to the next. */
export const withUrns = (value: unknown): unknown =>
  changed(value, (part) => (pulumi.Resource.isInstance(part) ? part.urn : part));

const hidden = "[secret]";

/** Replaces every value marked as a secret, at any depth, with `[secret]`. */
export const hideSecrets = (value: unknown): unknown =>
  changed(value, (part) => {
    if (!isOutputOrPromise(part)) return part;
    const output = pulumi.output(part);
    // Checks the lifted output, because a secret within the value makes all of it a secret.
    return pulumi
      .output(pulumi.isSecret(output))
      .apply((isSecret) => (isSecret ? pulumi.output<unknown>(hidden) : pulumi.unsecret(output)));
  });

/** In a preview, replaces each unknown value with a placeholder word, because one output must not make the whole wave unknown. */
export function withWords(value: unknown): unknown {
  if (!pulumi.runtime.isDryRun()) return value;
  return changed(value, (part) => {
    if (!isOutputOrPromise(part)) return part;
    const output = pulumi.output(part);
    const known = whenKnown(output).then(({ isKnown }) => (isKnown ? output : pulumi.output<unknown>(knownLater)));
    return pulumi.output(known);
  });
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Plain data as JSON that may be shown. Replaces text that is unsafe for the engine, such as anything that it would interpret as a color code. */
export function jsonText(value: unknown): string {
  return engineSafeText(plainJson(value));
}

/** Plain data as JSON that is never shown. Color codes are escaped instead of replaced, because a check must send exactly what was given. */
export function secretJson(value: unknown): string {
  return plainJson(value).replaceAll("<{%", String.raw`<\u007b%`);
}

function plainJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner));
}
