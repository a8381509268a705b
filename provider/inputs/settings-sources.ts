import * as pulumi from "@pulumi/pulumi";
import { settingDefinitions, type SettingName } from "./settings-table";

/** One source of settings. Sources are asked in order, and the first that has a setting decides. */
export interface SettingsSource {
  /** Names the setting and its source in messages: `recovery:endpoint in the stack's configuration`. */
  describe(name: SettingName): string;
  /** Undefined if this source does not have the setting. */
  read(name: SettingName): string | undefined;
}

/** The setting's key in stack configuration and in the properties of an explicit provider. */
export function configKey(name: SettingName): string {
  return `recovery:${name}`;
}

export function environmentSource(environment: Readonly<Record<string, string | undefined>>): SettingsSource {
  return {
    describe: (name) => settingDefinitions[name].variable,
    read: (name) => environment[settingDefinitions[name].variable],
  };
}

/**
 * A source with namespaced keys. The engine passes text, but a property of an explicit provider may still be a number,
 * boolean or list.
 */
export function keyedSource(where: string, get: (key: string) => unknown): SettingsSource {
  return {
    describe: (name) => `${configKey(name)} in ${where}`,
    read: (name) => asText(get(configKey(name))),
  };
}

/** The value as text, as `pulumi config set` would have stored it. */
export function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The property of an explicit provider with its own `allowedMachines`. The stack's, which it cannot widen, keeps the setting's key. */
export const allowedByProviderKey = "recovery:allowedMachinesOfProvider";

/** The sources in the properties of an explicit provider, or in the stack's configuration. */
function configuredSources(where: string, get: (key: string) => unknown): readonly SettingsSource[] {
  const shared = keyedSource(where, get);
  return [
    {
      describe: () => "allowedMachines of the explicit provider",
      read: (name) => (name === "allowedMachines" ? asText(get(allowedByProviderKey)) : undefined),
    },
    {
      describe: (name) =>
        name === "allowedMachines" ? `${configKey(name)} in the stack's configuration` : shared.describe(name),
      read: (name) => shared.read(name),
    },
  ];
}

/** The argument of `configure` in the provider process. */
export interface ProcessConfig {
  get(key: string): unknown;
}

/**
 * The sources of the provider process. An explicit provider's properties and the stack's configuration arrive the same
 * way and under the same keys: a process gets one or the other.
 */
export function processSources(
  config: ProcessConfig | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): readonly SettingsSource[] {
  const configured = config === undefined ? [] : configuredSources("the configuration", (key) => config.get(key));
  return [...configured, environmentSource(environment)];
}

/**
 * The stack's configuration in a program. `pulumi.Config.get` warns about every secret and `getSecret` gives an Output,
 * but the password is needed as text, and goes into no resource.
 */
export function stackSource(): SettingsSource {
  return keyedSource("the stack's configuration", (key) => pulumi.runtime.getConfig(key));
}

/** One setting from the stack's configuration, secret if it is stored as one. */
export function stackInput(name: SettingName): pulumi.Input<string> | undefined {
  const key = configKey(name);
  const text = pulumi.runtime.getConfig(key);
  if (text === undefined) return undefined;
  return isSecretKey(key) ? pulumi.secret(text) : text;
}

/** The SDK does not declare this function. If it is gone, secret is the safe answer. */
function isSecretKey(key: string): boolean {
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  return isConfigSecret?.(key) ?? true;
}

/** The settings of an explicit provider, as text and by name. */
export type ExplicitSettings = Readonly<Partial<Record<SettingName, pulumi.Input<string>>>>;

/**
 * The settings of each explicit provider of this program. Functions read them here: a provider's own property resolves
 * only after the engine has registered it.
 */
const explicitSettings = new WeakMap<
  pulumi.ProviderResource,
  { readonly name: string; readonly settings: ExplicitSettings }
>();

export function rememberSettings(provider: pulumi.ProviderResource, name: string, settings: ExplicitSettings): void {
  explicitSettings.set(provider, { name, settings });
}

/** The provider is one of this package's own. */
export function isOwnProvider(provider: pulumi.ProviderResource): boolean {
  return explicitSettings.has(provider);
}

/**
 * The settings as texts, and the provider's name for messages. Plain data: an Output would unwrap a source and its
 * functions.
 */
export interface ExplicitTexts {
  readonly name: string;
  readonly texts: Readonly<Record<string, string | undefined>>;
}

/**
 * The provider's settings, unknown while a part is. Not secret: a list of transactions does not become secret because a
 * password was needed to read it.
 */
export function explicitTexts(provider: pulumi.ProviderResource): pulumi.Output<ExplicitTexts> {
  const { name, settings } = explicitSettings.get(provider) ?? { name: "unknown", settings: {} };
  return pulumi.unsecret(pulumi.output({ ...settings })).apply((texts): ExplicitTexts => ({ name, texts }));
}

export function explicitSource({ name, texts }: ExplicitTexts): SettingsSource {
  return keyedSource(`the provider ${name}`, (key) => texts[key.slice(key.indexOf(":") + 1)]);
}
