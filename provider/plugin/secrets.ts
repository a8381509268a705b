import { entriesOf, isObject, type Properties } from "../plain/plain";

/*
 * The engine passes secrets to a plugin as objects of this form, and stores all other values in plain text. The SDK's server for plugins leaves wrapping and
 * unwrapping to the plugin. The constants are part of the engine's protocol (sdk/go/common/resource/sig).
 */
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

interface Unwrapped {
  readonly properties: Record<string, unknown>;
  /** The names of properties that are secret or contain a secret. */
  readonly secret: ReadonlySet<string>;
}

/** Returns the plain values, and the names of those that are secret. */
export function unwrapSecrets(properties: unknown): Unwrapped {
  const entries = entriesOf(properties);
  const secret = new Set(entries.filter(([, value]) => holdsSecret(value)).map(([name]) => name));
  return { properties: Object.fromEntries(entries.map(([name, value]) => [name, unwrapped(value)])), secret };
}

/** Makes each named property a secret as a whole, because sorting may have moved a secret inside the property. */
export function wrapSecrets(properties: Properties, secret: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      secret.has(name) && value !== undefined && value !== null ? asSecret(value) : value,
    ]),
  );
}

function asSecret(value: unknown): object {
  return { [signature]: secretSignature, value };
}

function isSecret(value: unknown): value is { readonly value: unknown } {
  return isObject(value) && value[signature] === secretSignature;
}

function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}

function unwrapped(value: unknown): unknown {
  if (isSecret(value)) return unwrapped(value.value);
  if (Array.isArray(value)) return value.map(unwrapped);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrapped(inner)]));
}
