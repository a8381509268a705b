import { isRealDay, parseStamp, formatUtc } from "../../provider/plain/clock";
import { isObject, asList } from "../../provider/plain/plain";
import { safeText, maxLengths } from "../model/safe-text";

/** Plain data of unknown shape: a state is a file that anybody may have written. */
export type Fields = Readonly<Record<string, unknown>>;

const secretKey = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

/** What stands for a value that the state keeps as a secret, encrypted or not. */
const secretText = "secret";

/** As the engine stores a secret: an envelope with a ciphertext, or in an export with `--show-secrets` a plaintext. */
export function isSecret(value: unknown): value is Fields {
  return isObject(value) && value[secretKey] === secretMark;
}

export function fieldsOf(value: unknown): Fields {
  return isObject(value) && !isSecret(value) ? value : {};
}

/** One line of text, or a number as text; a secret says that it is one. */
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

/** Seconds, and other amounts, that can be drawn: finite and not negative. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 && value < 1e11
    ? Math.abs(value)
    : undefined;
}

/** A point in time, in UTC, whole seconds unless it has parts of one. A day that no month has is none: JavaScript takes it for a later one. */
export function utcOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 64 || !isRealDay(value)) return undefined;
  const at = parseStamp(value)?.at;
  return at === undefined ? undefined : formatUtc(at);
}

/** The text of a secret that the given state holds in plain, or of a value that is none; an encrypted one stays shut. */
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

/** What a secret holds that the given state shows in plain; one that is encrypted stays what it is, and so does what is no secret. */
export function plainDataOf(value: unknown): unknown {
  if (!isSecret(value) || typeof value["plaintext"] !== "string") return value;
  try {
    return JSON.parse(value["plaintext"]) as unknown;
  } catch {
    return undefined;
  }
}

/** The same object without properties that are undefined: what is not known is absent, in the model as in its JSON. */
export function definedOnly<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
