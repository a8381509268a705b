import * as pulumi from "@pulumi/pulumi";
import type { SettingName } from "./definition";
import type { Source } from "./source";
import { keyedSource } from "./source";

/** What an explicit provider was given, in text form and by name; what was left out is absent. */
export type ExplicitSettings = Readonly<Partial<Record<SettingName, pulumi.Input<string>>>>;

/**
 * What each explicit provider of this program was given. The functions read it here: a property of the provider
 * would only resolve once the engine has registered it.
 */
const given = new WeakMap<pulumi.ProviderResource, { readonly name: string; readonly settings: ExplicitSettings }>();

export function rememberSettings(provider: pulumi.ProviderResource, name: string, settings: ExplicitSettings): void {
  given.set(provider, { name, settings });
}

/** Whether this is one of this package's own providers. */
export function hasSettings(provider: pulumi.ProviderResource): boolean {
  return given.has(provider);
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
  const { name, settings } = given.get(provider) ?? { name: "unknown", settings: {} };
  return pulumi.unsecret(pulumi.output({ ...settings })).apply((texts): ExplicitTexts => ({ name, texts }));
}

export function explicitSource({ name, texts }: ExplicitTexts): Source {
  return keyedSource(`the provider ${name}`, (key) => texts[key.slice(key.indexOf(":") + 1)]);
}
