import { isObject, type Properties } from "../plain/plain";

/*
 * The engine hands a plugin secrets as objects of this form, and stores what comes back without it in the clear. Node's server for plugins
 * leaves both to the plugin. Constants of the engine's protocol (sdk/go/common/resource/sig).
 */
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

interface Unwrapped {
  readonly properties: Record<string, unknown>;
  /** The names of the properties that are secret, or have a secret somewhere in them. */
  readonly secret: ReadonlySet<string>;
}

/** The values themselves, and which of them must not be seen. */
export function unwrapSecrets(properties: unknown): Unwrapped {
  const entries = Object.entries(isObject(properties) ? properties : {});
  const secret = new Set(entries.filter(([, value]) => holdsSecret(value)).map(([name]) => name));
  return { properties: Object.fromEntries(entries.map(([name, value]) => [name, unwrapped(value)])), secret };
}

/**
 * The same properties with each of the named ones a secret as a whole: what was put into order on the way cannot be told apart by its place
 * any more.
 */
export function wrapSecrets(properties: Properties, secret: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      secret.has(name) && value !== undefined && value !== null ? asSecret(value) : value,
    ]),
  );
}

export function asSecret(value: unknown): object {
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
