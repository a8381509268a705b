import * as pulumi from "@pulumi/pulumi";
import { keyedSource, providerSource, type SettingsSource } from "../inputs/settings-sources";
import { configKey, type SettingName } from "../inputs/settings-table";
import { programError } from "./stack-traces";

/**
 * The stack's configuration, as a program reads it. `pulumi.Config.get` warns about every secret, and `getSecret` returns an Output, but the password is needed
 * as text, and is not stored in a resource.
 */
export function stackSource(): SettingsSource {
  const keys = Object.keys(pulumi.runtime.allConfig());
  return keyedSource("the stack's configuration", (key) => pulumi.runtime.getConfig(key), keys);
}

/** Rejects misspelled settings in the program, because the provider process cannot list the keys of the stack's configuration. */
export function refuseMisspelledSettings(): void {
  const [first] = stackSource().misspelled ?? [];
  if (first !== undefined) throw programError(`${first} Nothing was sent.`);
}

/** One setting from the stack's configuration, as a secret if it is stored as a secret. */
export function stackInput(name: SettingName): pulumi.Input<string> | undefined {
  const key = configKey(name);
  const text = pulumi.runtime.getConfig(key);
  if (text === undefined) return undefined;
  return isSecretKey(key) ? pulumi.secret(text) : text;
}

/** Uses a function that the SDK does not declare. If a later SDK lacks the function, treating the value as a secret is safe. */
function isSecretKey(key: string): boolean {
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  return isConfigSecret?.(key) ?? true;
}

/** The settings of an explicit provider, as strings keyed by name. */
export type ExplicitSettings = Readonly<Partial<Record<SettingName, pulumi.Input<string>>>>;

/** The settings as strings, with the provider's name for messages. This is plain data, because an Output would unwrap a source and its functions. */
export interface ExplicitTexts {
  readonly name: string;
  readonly texts: Readonly<Record<string, string | undefined>>;
}

/**
 * The settings of each explicit provider in this program. Functions read them from here, because a provider's own properties resolve only after the engine has
 * registered the provider.
 */
const explicitTexts = new WeakMap<pulumi.Resource, () => pulumi.Output<ExplicitTexts>>();

/** The settings are unknown while any of them is unknown. They are not secret, because a list does not become secret just because reading it needs a password. */
export function rememberSettings(provider: pulumi.ProviderResource, name: string, settings: ExplicitSettings): void {
  explicitTexts.set(provider, () =>
    pulumi.unsecret(pulumi.output({ ...settings })).apply((texts): ExplicitTexts => ({ name, texts })),
  );
}

/** Undefined for a provider that does not belong to this package. */
export const settingsOf = (provider: pulumi.Resource): pulumi.Output<ExplicitTexts> | undefined =>
  explicitTexts.get(provider)?.();

export function explicitSource({ name, texts }: ExplicitTexts): SettingsSource {
  return providerSource(`the provider ${name}`, (key) => texts[key.slice(key.indexOf(":") + 1)]);
}
