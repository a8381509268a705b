import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { PanelClientOptions } from "../panel/client";
import { parseEndpoint } from "../panel/endpoint";
import type { SetElsewhere } from "../panel/errors";
import type { ListFields } from "../panel/fields";
import { Secret } from "../panel/secrets";
import { bareName, knownStatus, type KnownStatus } from "../panel/conventions";
import type { Format } from "../panel/types";
import { MessageError } from "../plain/message";
import { omitUndefined } from "../plain/plain";
import { firstFew } from "../plain/text";
import { configKey, type SettingsSource } from "./settings-sources";
import { settingDefinitions, type Setting, type SettingName, settingNames, type SettingValues } from "./settings-table";

/** Returns undefined if the file can be read, otherwise a problem to append to the setting's name. */
type CheckFile = (path: string) => string | undefined;

/**
 * Reads the settings for a panel, each from the first source that has it. Called on first use, because a preview, a destroy and a refresh of finished restores
 * need no settings. Throws a `ConfigurationError` that lists every problem.
 */
export function readSettings(sources: readonly SettingsSource[], checkFile: CheckFile = checkReadable): Settings {
  const problems: Problem[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of settingNames) {
    if (name === "allowedMachines") continue;
    const found = readOne(name, sources);
    if ("problem" in found) problems.push(found.problem);
    else values[name] = found.value;
  }
  const allowed = readEveryPlace(sources);
  problems.push(...allowed.problems);
  const known = values as Partial<SettingValues>;
  const fileProblem = known.caFile === undefined ? undefined : checkFile(known.caFile);
  if (fileProblem !== undefined) problems.push(`${whereSet("caFile", sources)} ${fileProblem}`);
  problems.push(...statusWordProblems(known.completeStatuses ?? [], known.failedStatuses ?? []));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return omitUndefined<Settings>({
    ...assemble(values as SettingValues, allowed.lists),
    setElsewhere: placesIn(sources),
  });
}

function placesIn(sources: readonly SettingsSource[]): SetElsewhere | undefined {
  const places = settingNames.flatMap((name): [string, SetElsewhere[string]][] => {
    const place = sourceOf(name, sources)?.placeOf?.(name);
    if (place === undefined) return [];
    return [[name, place === "environment" ? { variable: settingDefinitions[name].variable } : { provider: place }]];
  });
  return places.length === 0 ? undefined : Object.fromEntries(places);
}

/** The panel's address for a preview, in which all other settings may be missing. Undefined if the address is not known. */
export function readEndpoint(sources: readonly SettingsSource[]): string | undefined {
  const found = readOne("endpoint", sources);
  return "problem" in found ? undefined : (found.value as string | undefined);
}

/** The lists of machines that may be restored, one for each place that sets a list. Throws a `ConfigurationError` that lists every problem. */
export function readAllowedMachines(sources: readonly SettingsSource[]): readonly AllowedMachines[] {
  const { lists, problems } = readEveryPlace(sources);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return lists;
}

/** The values from all places apply together, and an empty value is an error. For other settings, the first place that has a value decides. */
function readEveryPlace(sources: readonly SettingsSource[]): {
  readonly lists: readonly AllowedMachines[];
  readonly problems: readonly Problem[];
} {
  const lists: AllowedMachines[] = [];
  const problems: Problem[] = sources.flatMap(({ misspelled = [] }) => misspelled);
  for (const source of sources) {
    const text = source.read("allowedMachines");
    if (text === undefined) continue;
    const where = source.describe("allowedMachines");
    const parsed = settingDefinitions.allowedMachines.parse(text);
    if ("problem" in parsed) problems.push(`${where}${parsed.problem}`);
    else lists.push({ where, ids: parsed.value });
  }
  return { lists, problems };
}

function readOne(name: SettingName, sources: readonly SettingsSource[]): { value: unknown } | { problem: Problem } {
  const one: Setting<unknown> = settingDefinitions[name];
  const source = sourceOf(name, sources);
  const text = source?.read(name) ?? one.default;
  if (text === undefined) return one.required ? { problem: howToSet(name, one) } : { value: undefined };
  const parsed = one.parse(text);
  return "problem" in parsed ? { problem: `${whereSet(name, sources)}${parsed.problem}` } : parsed;
}

/** An empty value is treated as not set, because pipelines pass empty variables for secrets that they do not have. */
function sourceOf(name: SettingName, sources: readonly SettingsSource[]): SettingsSource | undefined {
  return sources.find((source) => (source.read(name) ?? "").trim() !== "");
}

/** Names the source of an invalid value, and the variable that can set it. */
function whereSet(name: SettingName, sources: readonly SettingsSource[]): string {
  const { variable } = settingDefinitions[name];
  const where = sourceOf(name, sources)?.describe(name) ?? variable;
  return where === variable ? `${configKey(name)} (${variable})` : `${where} (or ${variable})`;
}

function howToSet(name: SettingName, one: Setting<unknown>): Problem {
  const command = `pulumi config set ${one.secret ? "--secret " : ""}${configKey(name)}`;
  return `${configKey(name)} is not set: run \`${command}\`, or set the variable ${one.variable}`;
}

function assemble(values: SettingValues, allowedMachines: readonly AllowedMachines[]): Settings {
  const { password, requestTimeout: requestTimeoutMs, caFile, ...others } = values;
  return omitUndefined<Settings>({
    ...others,
    password: new Secret(password),
    requestTimeoutMs,
    // `caFile` has no default and may be absent.
    caFile: (caFile as string | undefined) && resolve(caFile),
    allowedMachines,
  });
}

const noCertificate =
  "contains no certificate in PEM form (to convert: `openssl x509 -inform der -in <file> -out ca.pem`)";

function checkReadable(path: string): string | undefined {
  const full = resolve(path);
  try {
    const text = readFileSync(full, "utf8");
    return /-----BEGIN (?:[A-Z0-9]+ )?CERTIFICATE-----/.test(text)
      ? undefined
      : `points to ${full}, which ${noCertificate}`;
  } catch {
    return `points to ${full}, which cannot be read`;
  }
}

/** The complete and valid settings of a connection to one panel. */
export interface Settings {
  /** Normalized: scheme, host, port and path, no trailing slash, no userinfo. */
  readonly endpoint: string;
  readonly username: string;
  readonly password: Secret;
  readonly format: Format;
  readonly apiVersion?: string;
  readonly caFile?: string;
  readonly insecure: boolean;
  readonly requestTimeoutMs: number;
  readonly pageSize: number;
  readonly maxConcurrent?: number;
  /** Lower case, in addition to actions whose names contain `restore`. */
  readonly restoreActions: readonly string[];
  /** Lower case, in addition to `complete`. */
  readonly completeStatuses: readonly string[];
  /** Lower case, in addition to `failed`. */
  readonly failedStatuses: readonly string[];
  readonly fields?: ListFields;
  /** Lower case, in addition to `built` and `available`. */
  readonly pointStates: readonly string[];
  /** A machine must be in each list. Without a list, every machine may be restored. */
  readonly allowedMachines: readonly AllowedMachines[];
  readonly setElsewhere?: SetElsewhere;
}

/** Problems with the additional status words. */
function statusWordProblems(complete: readonly string[], failed: readonly string[]): Problem[] {
  return [
    ...redefinedWords("completeStatuses", complete, "complete"),
    ...redefinedWords("failedStatuses", failed, "failed"),
    ...complete
      .filter((word) => failed.some((other) => bareName(other) === bareName(word)))
      .map(
        (word) =>
          `"${word}" is in both ${settingAndVariable("completeStatuses")} and ${settingAndVariable("failedStatuses")}: remove it from one of them`,
      ),
  ];
}

/** A word that every panel uses must keep its meaning: redefining it could make a running restore look done, or cause a cancelled restore to be retried. */
function redefinedWords(
  name: "completeStatuses" | "failedStatuses",
  words: readonly string[],
  meaning: KnownStatus,
): Problem[] {
  return words
    .filter((word) => (knownStatus(word) ?? meaning) !== meaning)
    .map((word) => `${settingAndVariable(name)} lists "${word}", whose meaning is fixed: remove it`);
}

function settingAndVariable(name: "completeStatuses" | "failedStatuses"): string {
  return `${configKey(name)} (${settingDefinitions[name].variable})`;
}

/** Warnings about settings that work but should be changed. Shown once per run. */
export function settingsWarnings(settings: Pick<Settings, "endpoint" | "insecure" | "caFile">): readonly string[] {
  const { address, secure, loopback } = parseEndpoint(settings.endpoint);
  const warnings: string[] = [];
  if (!secure && !loopback) {
    warnings.push(
      `recovery:endpoint is ${address}, which is plain http: anyone between this machine and the panel can read ` +
        "the user name and password. Use https.",
    );
  }
  if (secure && settings.insecure) {
    warnings.push(
      `recovery:insecure is true: the certificate of ${address} is not checked, so any server that answers there receives ` +
        "the user name and password. Set recovery:caFile to the authority's certificate (a PEM file) instead.",
    );
  }
  if (settings.insecure && settings.caFile !== undefined)
    warnings.push("recovery:caFile has no effect while recovery:insecure is true: remove one of them.");
  return warnings;
}

/** One problem with a setting, ready to print. It names the key and the variable, and never shows a secret. */
type Problem = string;

/** Lists all problems with a panel's settings, so that they can be fixed together before the next run. */
export class ConfigurationError extends MessageError {
  override readonly name = "ConfigurationError";

  constructor(problems: readonly Problem[]) {
    const which = problems.length === 1 ? "a setting is" : `${String(problems.length)} settings are`;
    const what = `no request was made, because ${which} missing or wrong:`;
    super({ what, lines: problems, help: "settings" });
  }
}

/** The options of the panel's client. The certificate authority's certificate is read here, on first use. */
export function clientOptions(settings: Settings): PanelClientOptions {
  const { endpoint, username, password, format, apiVersion, caFile, insecure, requestTimeoutMs, fields } = settings;
  const { setElsewhere, restoreActions, completeStatuses, failedStatuses } = settings;
  return omitUndefined<PanelClientOptions>({
    endpoint,
    username,
    password,
    format,
    insecure,
    requestTimeoutMs,
    fields,
    words: { restoreActions, completeStatuses, failedStatuses },
    apiVersion,
    setElsewhere,
    ca: caFile === undefined ? undefined : readFileSync(caFile, "utf8"),
  });
}

/** One list of machines that may be restored, from one of the places where such a list can be set. */
export interface AllowedMachines {
  /** The setting and its place, for messages: `recovery:allowedMachines in the stack's configuration`. */
  readonly where: string;
  readonly ids: readonly string[];
}

/** Why a machine may not be restored, or undefined if it may, because it is in every list. Ids are compared as written. */
export function whyNotAllowed(machine: string, lists: readonly AllowedMachines[]): string | undefined {
  const without = lists.filter(({ ids }) => !ids.includes(machine));
  if (without.length === 0) return undefined;
  const places = without.map(({ where, ids }) => `${where} (${ids.length === 0 ? "none" : firstFew(ids)})`);
  return `machine ${machine} is not among the machines that may be restored: it is not in ${places.join(", nor in ")}`;
}

export const howToAllow = "Correct the id; or, if this machine may be overwritten, add it to every list named here";
