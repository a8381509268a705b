import * as pulumi from "@pulumi/pulumi";
import { explicitTexts, hasSettings, type ExplicitTexts } from "../config/explicit";
import { resourceTypes } from "../names/resource-names";

/** Any type of this package's resources will do: providers are inherited by package, and all of them share one. */
const anyOfOurs = resourceTypes.VmRestore;

/**
 * The provider a call goes through: its own, or the one the parent hands to its children. Undefined means the
 * stack's connection.
 */
export function providerOf(
  ofArgs: pulumi.ProviderResource | undefined,
  opts: pulumi.InvokeOptions | undefined,
): pulumi.ProviderResource | undefined {
  const ofOpts = opts?.provider;
  if (ofArgs !== undefined && ofOpts !== undefined && ofArgs !== ofOpts) {
    throw new Error("two different providers were given, one with the arguments and one with the options");
  }
  const own = ofArgs ?? ofOpts;
  if (own !== undefined) {
    if (!hasSettings(own))
      throw new Error("the provider given is not a recovery.Provider of this copy of pulumi-recovery");
    return own;
  }
  // A parent may carry the provider of another dynamic package, which says nothing about a panel.
  const inherited = opts?.parent?.getProvider(anyOfOurs);
  return inherited !== undefined && hasSettings(inherited) ? inherited : undefined;
}

/** What the provider was given; without one, known and empty. */
export function givenTo(provider: pulumi.ProviderResource | undefined): pulumi.Output<ExplicitTexts | undefined> {
  return provider === undefined ? pulumi.output(undefined) : explicitTexts(provider);
}
