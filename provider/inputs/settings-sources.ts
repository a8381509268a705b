import type { SetElsewhere } from "../panel/errors";
import { isGiven, nearestName } from "./problems";
import { configKey, type SettingName, settingNames, variableOf } from "./settings-table";

/** One source of settings. Sources are tried in order, and the first that has a setting determines its value. */
export interface SettingsSource {
  /** Names the setting and its source in messages: `recovery:endpoint in the stack's configuration`. */
  describe(name: SettingName): string;
  /** Undefined if this source does not have the setting. */
  read(name: SettingName): string | undefined;
  /** Where to change the setting, if not in the stack's configuration. A provider is named as in messages. */
  placeOf?(name: SettingName): SetElsewhere[string] | undefined;
  /** Problems with names that almost match a setting's name: a misspelled safeguard would do nothing. Any other name may be the project's own. */
  readonly misspelled?: readonly string[];
}

export function environmentSource(environment: Readonly<Record<string, string | undefined>>): SettingsSource {
  return {
    describe: variableOf,
    read: (name) => environment[variableOf(name)],
    placeOf: (name) => ({ variable: variableOf(name) }),
    misspelled: misspelledIn(Object.keys(environment), "RECOVERY_", variables),
  };
}

const variables = settingNames.map((name) => variableOf(name).slice("RECOVERY_".length));

function misspelledIn(
  keys: readonly string[],
  prefix: string,
  known: readonly string[],
  where = "",
): readonly string[] {
  return keys.flatMap((key) => {
    const name = key.slice(prefix.length);
    const meant = key.startsWith(prefix) && !known.includes(name) ? nearestName(name, known) : undefined;
    return meant === undefined ? [] : [`${key}${where} is not a setting, did you mean "${prefix}${meant}"?`];
  });
}

/**
 * A source with namespaced keys. The engine passes text, but a property of an explicit provider may still be a number,
 * boolean or list.
 */
export function keyedSource(
  where: string,
  get: (key: string) => unknown,
  keys: readonly string[] = [],
): SettingsSource {
  return {
    describe: (name) => `${configKey(name)} in ${where}`,
    read: (name) => asText(get(configKey(name))),
    misspelled: misspelledIn(keys, "recovery:", settingNames, ` in ${where}`),
  };
}

/** The settings of an explicit provider. */
export function providerSource(where: string, get: (key: string) => unknown): SettingsSource {
  return { ...keyedSource(where, get), placeOf: () => ({ provider: where }) };
}

/** The value as text, as `pulumi config set` would have stored it. */
export function asText(value: unknown): string | undefined {
  if (!isGiven(value)) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The property for an explicit provider's own `allowedMachines`. The stack's list, which a provider cannot widen, keeps the setting's key. */
export const allowedByProviderKey = "recovery:allowedMachinesOfProvider";

/** The property that lists the settings that an explicit provider sets itself. It contains the provider's name, then the settings' names. */
export const ownSettingsKey = "recovery:settingsOfProvider";

/** The argument of `configure` in the provider process. */
export interface ProcessConfig {
  get(key: string): unknown;
}

/**
 * The sources of the provider process. A process receives either an explicit provider's properties or the stack's configuration, in the same way and under the
 * same keys.
 */
export function processSources(
  config: ProcessConfig | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): readonly SettingsSource[] {
  if (config === undefined) return [environmentSource(environment)];
  const shared = keyedSource("the configuration", (key) => config.get(key));
  const [provider = "", ...ownNames] = (asText(config.get(ownSettingsKey)) ?? "").split(" ");
  return [
    {
      describe: () => "allowedMachines of the explicit provider",
      read: (name) => (name === "allowedMachines" ? asText(config.get(allowedByProviderKey)) : undefined),
    },
    {
      describe: (name) =>
        name === "allowedMachines" ? `${configKey(name)} in the stack's configuration` : shared.describe(name),
      read: (name) => shared.read(name),
      placeOf: (name) => (ownNames.includes(name) ? { provider: `the provider ${provider}` } : undefined),
    },
    environmentSource(environment),
  ];
}
