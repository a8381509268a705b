import * as pulumi from "@pulumi/pulumi";
import { settingDefinitions, type SettingName } from "./settings-table";

/** One place settings come from. Sources are asked in order; the first that has a setting decides. */
export interface SettingsSource {
  /** Where a setting was found, for messages: `recovery:endpoint in the stack's configuration`. */
  describe(name: SettingName): string;
  /** Undefined when this place does not have the setting. */
  read(name: SettingName): string | undefined;
}

/** How settings are spelled in stack configuration and in the properties of an explicit provider. */
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
 * A source that answers to namespaced keys. The engine hands over text, and a property of an explicit provider
 * may still arrive as the number, boolean or list it was written as.
 */
export function keyedSource(where: string, get: (key: string) => unknown): SettingsSource {
  return {
    describe: (name) => `${configKey(name)} in ${where}`,
    read: (name) => asText(get(configKey(name))),
  };
}

/** The text form of a setting's value: what `pulumi config set` would have stored for it. */
export function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What `configure` is handed in the provider process. */
export interface ProcessConfig {
  get(key: string): unknown;
}

/**
 * Where the provider process finds settings. An explicit provider's properties and the stack's configuration
 * arrive the same way, under the same keys: the engine hands a process one or the other.
 */
export function processSources(
  config: ProcessConfig | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): readonly SettingsSource[] {
  const configured = config === undefined ? [] : [keyedSource("the configuration", (key) => config.get(key))];
  return [...configured, environmentSource(environment)];
}

/**
 * The stack's configuration as a program sees it. `pulumi.Config.get` warns about every secret it is asked for
 * and its `getSecret` gives an Output; a password is needed here as text, and goes into no resource.
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

/** The SDK has this function for its own use and leaves it out of its declarations; where it is gone, secret is the safe answer. */
function isSecretKey(key: string): boolean {
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  return isConfigSecret?.(key) ?? true;
}

/** What an explicit provider was given, in text form and by name; what was left out is absent. */
export type ExplicitSettings = Readonly<Partial<Record<SettingName, pulumi.Input<string>>>>;

/**
 * What each explicit provider of this program was given. The functions read it here: a property of the provider
 * would only resolve once the engine has registered it.
 */
const explicitSettings = new WeakMap<
  pulumi.ProviderResource,
  { readonly name: string; readonly settings: ExplicitSettings }
>();

export function rememberSettings(provider: pulumi.ProviderResource, name: string, settings: ExplicitSettings): void {
  explicitSettings.set(provider, { name, settings });
}

/** Whether this is one of this package's own providers. */
export function isOwnProvider(provider: pulumi.ProviderResource): boolean {
  return explicitSettings.has(provider);
}

/** Texts by setting, and the provider's name for messages. Plain data: an Output would take a `Source`, with its functions, apart. */
export interface ExplicitTexts {
  readonly name: string;
  readonly texts: Readonly<Record<string, string | undefined>>;
}

/**
 * What the provider was given, unknown while a part of it is. Not secret: who reads the panel with a password
 * does not get the password back, and a list of transactions is no secret because of it.
 */
export function explicitTexts(provider: pulumi.ProviderResource): pulumi.Output<ExplicitTexts> {
  const { name, settings } = explicitSettings.get(provider) ?? { name: "unknown", settings: {} };
  return pulumi.unsecret(pulumi.output({ ...settings })).apply((texts): ExplicitTexts => ({ name, texts }));
}

export function explicitSource({ name, texts }: ExplicitTexts): SettingsSource {
  return keyedSource(`the provider ${name}`, (key) => texts[key.slice(key.indexOf(":") + 1)]);
}
