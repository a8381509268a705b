import { containsUnknown } from "../inputs/read-values";
import { asText, environmentSource, keyedSource, type SettingsSource } from "../inputs/settings-sources";
import { configKey } from "../inputs/settings-table";
import { isObject } from "../plain/plain";
import { unwrapSecrets } from "./secrets";

const allowedKey = configKey("allowedMachines");

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The plugin's sources of settings: the provider's properties, then the stack's configuration, then the environment.
 * For a provider that the program did not create, the first two are the same.
 */
export function pluginSources(
  given: Readonly<Record<string, unknown>>,
  environment: Environment,
): readonly SettingsSource[] {
  const { properties } = unwrapSecrets(given);
  const stack = stackConfiguration(environment["PULUMI_CONFIG"]);
  // The names of the keys depend on the engine. Since 3.255, engines leave out the package's name, and pass only the package's own keys.
  const ofStack = (key: string): unknown =>
    stack[key] ?? stack[key.replace(":", ":config:")] ?? stack[withoutNamespace(key)];
  const own = keyedSource("the provider's settings", (key) => {
    const value = properties[withoutNamespace(key)];
    // Falling back to the stack's configuration could reach the wrong panel.
    if (containsUnknown(value)) throw new Error(`the provider's ${key} is not known yet, so nothing was sent.`);
    // A provider that the program did not create repeats the stack's list, so the list is read only once, as the stack's.
    return key === allowedKey && asText(value) === asText(ofStack(key)) ? undefined : value;
  });
  return [
    {
      ...own,
      placeOf: (name) =>
        asText(properties[name]) === asText(ofStack(configKey(name))) ? undefined : { provider: "the provider" },
    },
    keyedSource("the stack's configuration", ofStack),
    environmentSource(environment),
  ];
}

/**
 * The sources of a process that never received its provider's settings. Such a process cannot know whether it serves the stack's panel or another panel, and a
 * restore on the wrong panel overwrites the wrong machine.
 */
export const settingsNotPassed: readonly SettingsSource[] = [
  {
    describe: () => "the provider's settings",
    read: () => {
      throw new Error(
        "Nothing was sent, because this version of @pulumi/pulumi does not pass the provider's settings, so the plugin of pulumi-recovery " +
          "does not know which panel to use. Use a version of @pulumi/pulumi that pulumi-recovery supports.",
      );
    },
  },
];

/** The package's configuration, which the engine passes as JSON. */
function stackConfiguration(json: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(json ?? "{}");
    return isObject(found) ? found : {};
  } catch {
    return {};
  }
}

function withoutNamespace(key: string): string {
  return key.slice(key.indexOf(":") + 1);
}
