import { isRealDay, parseStamp, formatUtc } from "../../provider/plain/clock";
import { isObject, asList } from "../../provider/plain/plain";
import { safeText, maxLengths } from "../model/safe-text";

/** Data of unknown shape: anybody may have written the file. */
export type Fields = Readonly<Record<string, unknown>>;

const secretKey = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

/** Shown in place of a secret, encrypted or not. */
export const secretText = "secret";

/** True if a value is a secret: an envelope with a ciphertext, or a plaintext after `--show-secrets`. */
export function isSecret(value: unknown): value is Fields {
  return isObject(value) && value[secretKey] === secretMark;
}

/** The same data with each secret as the text that is shown of it. */
export function shown(fields: Fields): Fields {
  const withoutSecrets = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withoutSecrets);
    if (!isObject(value)) return value;
    return isSecret(value) ? secretText : shown(value);
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withoutSecrets(value)]));
}

export function fieldsOf(value: unknown): Fields {
  return isObject(value) && !isSecret(value) ? value : {};
}

/** One line of safe text, or a number as text; `secret` for a secret. */
export function textOf(value: unknown, most: number = maxLengths.sentence): string | undefined {
  if (isSecret(value)) return secretText;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? safeText(value, most) : undefined;
}

export function nameOf(value: unknown): string | undefined {
  return textOf(value, maxLengths.name);
}

export function idOf(value: unknown): string | undefined {
  return textOf(value, maxLengths.id);
}

const maxTexts = 200;

export function textsOf(value: unknown, most: number = maxLengths.sentence): readonly string[] {
  const all = asList(value).flatMap((item) => textOf(item, most) ?? []);
  return all.length <= maxTexts ? all : [...all.slice(0, maxTexts), `… and ${String(all.length - maxTexts)} more`];
}

/** A finite amount that is not negative. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 && value < 1e11
    ? Math.abs(value)
    : undefined;
}

/** A point in time in UTC. A day that does not exist is rejected; JavaScript would take it for a later one. */
export function utcOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 64 || !isRealDay(value)) return undefined;
  const at = parseStamp(value)?.at;
  return at === undefined ? undefined : formatUtc(at);
}

/** The text of a value, or of a secret that the state holds unencrypted; undefined for an encrypted one. */
export function plainTextOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isSecret(value)) return value === undefined || value === null ? undefined : JSON.stringify(value, undefined, 2);
  const { plaintext } = value;
  if (typeof plaintext !== "string") return undefined;
  try {
    const inner: unknown = JSON.parse(plaintext);
    return typeof inner === "string" ? inner : JSON.stringify(inner, undefined, 2);
  } catch {
    return plaintext;
  }
}

/** The content of a secret that the state holds unencrypted; any other value as it is. */
export function plainDataOf(value: unknown): unknown {
  if (!isSecret(value) || typeof value["plaintext"] !== "string") return value;
  try {
    return JSON.parse(value["plaintext"]) as unknown;
  } catch {
    return undefined;
  }
}

/** The same object without undefined properties: unknown fields are absent in the model and in its JSON. */
export function definedOnly<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
