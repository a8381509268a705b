import { readFileSync } from "node:fs";
import type { PanelClientOptions } from "../panel/client";
import { parseEndpoint } from "../panel/endpoint";
import type { SetElsewhere } from "../panel/errors";
import { bareName } from "../panel/conventions";
import { Secret } from "../panel/secrets";
import { MessageError } from "../plain/message";
import { omitUndefined } from "../plain/plain";
import { firstFew } from "../plain/text";
import type { SettingsSource } from "./settings-sources";
import {
  configKey,
  parseMachines,
  settingNamed,
  type SettingName,
  settingNames,
  type SettingValues,
  variableOf,
} from "./settings-table";

/**
 * Reads the settings for a panel, each from the first source that has it. Called on first use, because a preview, a destroy and a refresh of finished restores
 * need no settings. Throws a `ConfigurationError` that lists every problem.
 */
export function readSettings(sources: readonly SettingsSource[]): Settings {
  const problems: Problem[] = [];
  const others = settingNames.filter((name) => name !== "allowedMachines");
  const values = Object.fromEntries(others.map((name) => [name, readOne(name, sources, problems)]));
  const allowedMachines = readEveryPlace(sources, problems);
  const { completeStatuses = [], failedStatuses = [] } = values as Partial<SettingValues>;
  const twice = completeStatuses.find((word) => failedStatuses.some((other) => bareName(other) === bareName(word)));
  if (twice !== undefined) {
    const [complete, failed] = [whereSet("completeStatuses", sources), whereSet("failedStatuses", sources)];
    problems.push(`"${twice}" is in both ${complete} and ${failed}: remove it from one of them`);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  const { requestTimeout: requestTimeoutMs, password, ...rest } = values as SettingValues;
  return omitUndefined<Settings>({
    ...rest,
    password: new Secret(password),
    requestTimeoutMs,
    allowedMachines,
    setElsewhere: placesIn(sources),
  });
}

function placesIn(sources: readonly SettingsSource[]): SetElsewhere | undefined {
  const places = settingNames.flatMap((name) => {
    const place = sourceOf(name, sources)?.placeOf?.(name);
    return place === undefined ? [] : [[name, place] as const];
  });
  return places.length === 0 ? undefined : Object.fromEntries(places);
}

/** The panel's address for a preview, in which all other settings may be missing. Undefined if the address is not known. */
export const readEndpoint = (sources: readonly SettingsSource[]): string | undefined =>
  readOne("endpoint", sources, []) as string | undefined;

/** The lists of machines that may be restored, one for each place that sets a list. Throws a `ConfigurationError` that lists every problem. */
export function readAllowedMachines(sources: readonly SettingsSource[]): readonly AllowedMachines[] {
  const problems: Problem[] = [];
  const lists = readEveryPlace(sources, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return lists;
}

/** The values from all places apply together, and an empty value is an error. For other settings, the first place that has a value decides. */
function readEveryPlace(sources: readonly SettingsSource[], problems: Problem[]): readonly AllowedMachines[] {
  problems.push(...sources.flatMap(({ misspelled = [] }) => misspelled));
  return sources.flatMap((source) => {
    const text = source.read("allowedMachines");
    if (text === undefined) return [];
    const where = source.describe("allowedMachines");
    const parsed = parseMachines(text);
    if ("value" in parsed) return [{ where, ids: parsed.value }];
    problems.push(`${where}${parsed.problem}`);
    return [];
  });
}

function readOne(name: SettingName, sources: readonly SettingsSource[], problems: Problem[]): unknown {
  const { parse, required, secret, ...one } = settingNamed(name);
  const text = sourceOf(name, sources)?.read(name) ?? one.default;
  if (text === undefined) {
    const command = `pulumi config set ${secret ? "--secret " : ""}${configKey(name)}`;
    if (required)
      problems.push(`${configKey(name)} is not set: run \`${command}\`, or set the variable ${variableOf(name)}`);
    return undefined;
  }
  const parsed = parse(text);
  if ("value" in parsed) return parsed.value;
  problems.push(`${whereSet(name, sources)}${parsed.problem}`);
  return undefined;
}

/** An empty value is treated as not set, because pipelines pass empty variables for secrets that they do not have. */
function sourceOf(name: SettingName, sources: readonly SettingsSource[]): SettingsSource | undefined {
  return sources.find((source) => (source.read(name) ?? "").trim() !== "");
}

/** Names the source of an invalid value, and the variable that can set it. */
function whereSet(name: SettingName, sources: readonly SettingsSource[]): string {
  const variable = variableOf(name);
  const where = sourceOf(name, sources)?.describe(name) ?? variable;
  return where === variable ? `${configKey(name)} (${variable})` : `${where} (or ${variable})`;
}

type Optional = "apiVersion" | "caFile" | "maxConcurrent" | "fields";

/** The complete and valid settings of a connection to one panel. */
export interface Settings
  extends
    Omit<SettingValues, Optional | "password" | "requestTimeout" | "allowedMachines">,
    Partial<Pick<SettingValues, Optional>> {
  readonly password: Secret;
  readonly requestTimeoutMs: number;
  /** A machine must be in each list. Without a list, every machine may be restored. */
  readonly allowedMachines: readonly AllowedMachines[];
  readonly setElsewhere?: SetElsewhere;
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
  const ca = settings.caFile === undefined ? {} : { ca: readFileSync(settings.caFile, "utf8") };
  return { ...settings, ...ca, words: settings };
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
