import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { knownStatus, type KnownStatus } from "../panel/conventions";
import { endpointProblem, parseEndpoint } from "../panel/endpoint";
import { fieldKeys, type ListFields } from "../panel/fields";
import { isObject } from "../plain/plain";
import { onOneLine, showValue } from "../plain/text";
import { type DurationBounds, durationWithin } from "./duration";
import { readId, rejectingLeadingZeros } from "./read-values";
import { type ValueReader, readBoolean, wholeNumberUpTo, oneOf } from "./problems";

/** Reads the text of a setting. */
type SettingParser<Value> = ValueReader<Value, string>;

/** Control characters are rejected because they would end up in a header or a path. A line break usually comes from `< password.txt`. */
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f]/;

/** Normalizes the address, so that a panel's address has only one form. No problem quotes the text, because it may contain a password. */
const parseAddress: SettingParser<string> = (text) => {
  const problem = endpointProblem(text.trim());
  return problem === undefined
    ? { value: parseEndpoint(text.trim()).address }
    : { problem: ` cannot be used: ${problem}` };
};

const parseUsername: SettingParser<string> = (text) => {
  if (controlCharacter.test(text)) return { problem: " contains a line break or another control character" };
  if (text.includes(":")) return { problem: " contains a colon, which HTTP Basic does not allow in a user name" };
  return { value: text };
};

/** Never trimmed, because a space may be part of a password. No problem quotes the text. */
const parsePassword: SettingParser<string> = (text) =>
  controlCharacter.test(text)
    ? {
        problem:
          " contains a line break or another control character: set it again without one, using printf %s instead of echo",
      }
    : { value: text };

const noCertificate =
  "contains no certificate in PEM form (to convert: `openssl x509 -inform der -in <file> -out ca.pem`)";

/** Returns the file's full path. */
const parseCertificateFile: SettingParser<string> = (text) => {
  const value = resolve(text.trim());
  try {
    if (/-----BEGIN (?:[A-Z0-9]+ )?CERTIFICATE-----/.test(readFileSync(value, "utf8"))) return { value };
    return { problem: ` points to ${value}, which ${noCertificate}` };
  } catch {
    return { problem: ` points to ${value}, which cannot be read` };
  }
};

function parseChoice<Choice extends string>(...choices: readonly Choice[]): SettingParser<Choice> {
  return (text) => oneOf(...choices)(choices.find((choice) => choice === text.trim().toLowerCase()) ?? text);
}

/** Strict on purpose: values such as `yes` and `1` are rejected rather than interpreted. */
const parseBoolean: SettingParser<boolean> = (text) => {
  const word = text.trim().toLowerCase();
  return readBoolean(word === "true" || word === "false" ? word === "true" : text);
};

function parseWholeNumber(largest: number): SettingParser<number> {
  return (text) => wholeNumberUpTo(largest)(/^\d{1,15}$/.test(text.trim()) ? Number(text) : text);
}

function parseMilliseconds(bounds: DurationBounds): SettingParser<number> {
  return (text) => {
    const reading = durationWithin(bounds)(text);
    return "problem" in reading ? reading : { value: Math.round(reading.value * 1_000) };
  };
}

const parseVersion: SettingParser<string> = (text) => {
  const value = text.trim();
  if (/^\d{1,4}(?:\.\d{1,4}){0,3}(?:[-+][\w.-]{1,40})?$/.test(value)) return { value };
  return { problem: ` is ${showValue(text)}, which is not a version: write it like 5.9` };
};

/** Reads `a, b` or `["a","b"]`. Returns the words in lower case, without duplicates. */
const parseWords: SettingParser<readonly string[]> = (text) => {
  const words = listIn(text);
  if (!words?.every((word) => typeof word === "string"))
    return { problem: ` is ${showValue(text)}, but must be a list of words: a,b or ["a","b"]` };
  const kept = words.map((word) => word.trim().toLowerCase()).filter((word) => word !== "");
  return { value: [...new Set(kept)] };
};

/** A word that every panel uses must keep its meaning: redefining it could make a running restore look done, or cause a cancelled restore to be retried. */
function parseStatuses(meaning: KnownStatus): SettingParser<readonly string[]> {
  return (text) => {
    const words = parseWords(text);
    const fixed = "value" in words && words.value.find((word) => (knownStatus(word) ?? meaning) !== meaning);
    return fixed ? { problem: ` lists "${fixed}", whose meaning is fixed: remove it` } : words;
  };
}

function listIn(text: string): readonly unknown[] | undefined {
  const list = text.trim().startsWith("[") ? jsonValue(text) : text.split(",").map((item) => item.trim());
  return Array.isArray(list) ? (list as readonly unknown[]) : undefined;
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keys that accept only one path, because an answer has only one list, and joined values do not form an id. */
const singleFields: readonly string[] = ["list", "id"];

/** `id=number status=state,result` or `{"id":"number","status":["state","result"]}`. */
const parseFields: SettingParser<ListFields> = (text) => {
  const fields = text.includes("=") && !text.trim().startsWith("{") ? pairsIn(text) : jsonValue(text);
  if (!isObject(fields)) {
    return { problem: ` is ${showValue(text)}, but must be like "id=number status=state,result", or a JSON object` };
  }
  for (const [key, value] of Object.entries(fields)) {
    if (!fieldKeys.some((known) => known === key)) {
      return { problem: ` has the unknown key "${onOneLine(key)}": use only ${fieldKeys.join(", ")}` };
    }
    const isSingle = singleFields.includes(key);
    const paths: readonly unknown[] = Array.isArray(value) && !isSingle ? value : [value];
    if (paths.length === 0 || !paths.every(isFieldPath)) {
      const orList = isSingle ? "" : ", or a list of paths";
      return { problem: ` has ${showValue(value)} as the ${key}, but must have a path such as "target.id"${orList}` };
    }
  }
  return { value: fields };
};

function pairsIn(text: string): Readonly<Record<string, unknown>> {
  const pairs = text
    .trim()
    .replaceAll(/\s*([=,])\s*/g, "$1")
    .split(/\s+/);
  const pathsIn = (path: string): unknown => (path.includes(",") ? path.split(",") : path);
  return Object.fromEntries(
    pairs.map((pair) => pair.split("=")).map(([key = "", ...path]) => [key, pathsIn(path.join("="))]),
  );
}

function isFieldPath(value: unknown): boolean {
  return typeof value === "string" && value.split(".").every((part) => part !== "" && part.trim() === part);
}

const readMachine = rejectingLeadingZeros(readId);

/**
 * `41, 42`, `["41","42"]` or `[41,42]`. Returns the ids in the form in which a restore's inputs are stored. An entry that is not an id is an error, so that
 * a typo never widens the list.
 */
export const parseMachines: SettingParser<readonly string[]> = (text) => {
  if (text.trim() === "") return { problem: " is empty: list the machines that may be restored, or write [] for none" };
  const entries = listIn(text);
  if (entries === undefined) {
    return { problem: ` is ${showValue(text)}, but must be a list of machine ids: 41,42 or ["41","42"]` };
  }
  const ids: string[] = [];
  for (const entry of entries) {
    const reading = readMachine(entry);
    if ("problem" in reading) return { problem: ` has an entry that${reading.problem}` };
    ids.push(reading.value);
  }
  return { value: [...new Set(ids)] };
};

/** How one setting is read. `ProviderArgs` in `program/provider.ts` says what each setting means. */
interface Setting {
  /** The default as a user would write it. A setting without a default may be absent. */
  readonly default?: string;
  readonly required?: true;
  readonly secret?: true;
  readonly parse: SettingParser<unknown>;
}

/** Every setting of a connection, in the order the documentation lists them. */
const settings = {
  endpoint: { required: true, parse: parseAddress },
  username: { required: true, parse: parseUsername },
  password: { required: true, secret: true, parse: parsePassword },
  format: { default: "json", parse: parseChoice("json", "xml") },
  apiVersion: { parse: parseVersion },
  caFile: { parse: parseCertificateFile },
  insecure: { default: "false", parse: parseBoolean },
  requestTimeout: { default: "30s", parse: parseMilliseconds({ minSeconds: 0.1, maxSeconds: 3_600 }) },
  pageSize: { default: "100", parse: parseWholeNumber(10_000) },
  maxConcurrent: { parse: parseWholeNumber(10_000) },
  restoreActions: { default: "[]", parse: parseWords },
  completeStatuses: { default: "[]", parse: parseStatuses("complete") },
  failedStatuses: { default: "[]", parse: parseStatuses("failed") },
  fields: { parse: parseFields },
  pointStates: { default: "[]", parse: parseWords },
  allowedMachines: { parse: parseMachines },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof settings;

/** The parsed value of each setting. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name]["parse"] extends SettingParser<infer Value> ? Value : never;
};

export const settingNames = Object.keys(settings) as readonly SettingName[];

export const settingNamed = (name: SettingName): Setting => settings[name];

/** The setting's key in stack configuration and in the properties of an explicit provider. */
export const configKey = (name: SettingName): string => `recovery:${name}`;

/** The environment variable of a setting: `RECOVERY_API_VERSION` for `apiVersion`. */
export const variableOf = (name: SettingName): string => `RECOVERY_${name.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;
