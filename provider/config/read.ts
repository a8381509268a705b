import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { Secret } from "../panel/secrets/secret";
import { present } from "../plain/present";
import type { Setting, SettingName, SettingValues } from "./definition";
import { definition, settingNames } from "./definition";
import type { Problem } from "./error";
import { ConfigurationError } from "./error";
import type { Settings } from "./settings";
import { configKey, type Source } from "./source";
import { wordProblems } from "./word-problems";

/** Undefined when the file can be read, otherwise what is wrong with it, to read on after the setting's name. */
export type CheckFile = (path: string) => string | undefined;

/**
 * The settings of one panel, each from the first source that has it. Called at first use and not at load, so
 * that what needs no panel (a preview, a destroy, a refresh of finished restores) needs no settings either.
 * Throws one `ConfigurationError` that lists everything that is wrong.
 */
export function readSettings(sources: readonly Source[], checkFile: CheckFile = checkReadable): Settings {
  const problems: Problem[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of settingNames) {
    const found = readOne(name, sources);
    if ("problem" in found) problems.push(found.problem);
    else values[name] = found.value;
  }
  const known = values as Partial<SettingValues>;
  const fileProblem = known.caFile === undefined ? undefined : checkFile(known.caFile);
  if (fileProblem !== undefined) problems.push(`${asSet("caFile", sources)} ${fileProblem}`);
  problems.push(...wordProblems(known.completeStatuses ?? [], known.failedStatuses ?? []));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return assemble(values as SettingValues);
}

function readOne(name: SettingName, sources: readonly Source[]): { value: unknown } | { problem: Problem } {
  const one: Setting<unknown> = definition[name];
  const source = sourceOf(name, sources);
  const text = source?.read(name) ?? one.default;
  if (text === undefined) return one.required ? { problem: howToSet(name, one) } : { value: undefined };
  const parsed = one.parse(text);
  return "problem" in parsed ? { problem: `${asSet(name, sources)} ${parsed.problem}` } : parsed;
}

/** An empty text is a setting that was not set: pipelines hand over empty variables for secrets they do not have. */
function sourceOf(name: SettingName, sources: readonly Source[]): Source | undefined {
  return sources.find((source) => (source.read(name) ?? "").trim() !== "");
}

/** Names the place a bad value was found in, and the key and variable it can be set with. */
function asSet(name: SettingName, sources: readonly Source[]): string {
  const where = sourceOf(name, sources)?.describe(name);
  const names = `${configKey(name)} (${definition[name].variable})`;
  return where === undefined || where === definition[name].variable
    ? names
    : `${where} (or ${definition[name].variable})`;
}

function howToSet(name: SettingName, one: Setting<unknown>): Problem {
  const command = `pulumi config set ${one.secret ? "--secret " : ""}${configKey(name)}`;
  return `${configKey(name)} is not set: run \`${command}\`, or set the variable ${one.variable}`;
}

function assemble(values: SettingValues): Settings {
  const { apiVersion, caFile, maxConcurrent } = values as Partial<SettingValues>;
  return present<Settings>({
    endpoint: values.endpoint,
    username: values.username,
    password: new Secret(values.password),
    format: values.format,
    apiVersion,
    caFile: caFile === undefined ? undefined : resolve(caFile),
    insecure: values.insecure,
    requestTimeoutMs: values.requestTimeout,
    pageSize: values.pageSize,
    maxConcurrent,
    restoreActions: values.restoreActions,
    completeStatuses: values.completeStatuses,
    failedStatuses: values.failedStatuses,
    adoptWindowMs: values.adoptWindow,
  });
}

function checkReadable(path: string): string | undefined {
  const full = resolve(path);
  try {
    accessSync(full, constants.R_OK);
    return statSync(full).isFile() ? undefined : `names ${full}, which is not a file`;
  } catch {
    return `names ${full}, which cannot be read`;
  }
}
