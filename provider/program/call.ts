import * as pulumi from "@pulumi/pulumi";
import { resourceTypes } from "../inputs/resource-names";
import { type ExplicitTexts, settingsOf } from "./program-settings";
import { whenKnown } from "./program-values";
import type * as answering from "./run-call";
import {
  whenCreated,
  functionError,
  type OutputFunctionOptions,
  type PanelArg,
  type PanelFunction,
} from "./function-args";

/** Calls the plain form of a function, which returns a promise. */
export async function callPlain<Args extends object, Result extends object>(
  panelFunction: PanelFunction<Args, Result>,
  { provider, ...given }: PanelArg = {},
  opts: pulumi.InvokeOptions | undefined,
): Promise<Result> {
  const release = pulumi.runtime.rpcKeepAlive();
  try {
    const explicit = await whenKnown(explicitSettings(panelFunction, provider, opts));
    if (!explicit.isKnown) {
      throw functionError(
        panelFunction,
        "the provider's settings are not known in this preview; use the Output form of the function",
      );
    }
    return await loadRunCall().runCall(panelFunction, given, explicit.value);
  } finally {
    release();
  }
}

/** Calls the Output form of a function. The result is unknown while any argument, setting or resource that it depends on is unknown. */
export function callOutput<Args extends object, Result extends object>(
  panelFunction: PanelFunction<Args, Result>,
  { provider, ...given }: PanelArg,
  opts: OutputFunctionOptions | undefined,
): pulumi.Output<Result> {
  const explicit = explicitSettings(panelFunction, provider, opts);
  // Without this, the SDK may close its connection to the engine while the panel is still answering, and a resource made from the answer could no longer be
  // registered. No code between here and the release may throw.
  const release = pulumi.runtime.rpcKeepAlive();
  const result = pulumi
    .all([pulumi.output<unknown>(given), explicit, whenCreated(opts?.dependsOn)])
    .apply(([known, texts]) => loadRunCall().runCall(panelFunction, known as object, texts))
    .apply((found) => (panelFunction.isSecret(found) ? pulumi.secret(found) : pulumi.output(found)));
  pulumi.isSecret(result).then(release, release);
  return result as unknown as pulumi.Output<Result>;
}

/** Loads the settings, the HTTP client and the XML parser on the first call, so that a program without calls never loads them. */
function loadRunCall(): typeof answering {
  // oxlint-disable-next-line typescript/no-require-imports -- an import statement would load it with the package
  return require("./run-call") as typeof answering;
}

/** One of this package's types. Any type works, because a child inherits its provider by package. */
const anyOwnType = resourceTypes.VmRestore;

/** The settings of the call's own provider, or of the provider that the parent passes on to its children. Undefined means the stack's connection. */
function explicitSettings(
  panelFunction: { readonly name: string },
  fromArgs: pulumi.ProviderResource | undefined,
  opts: pulumi.InvokeOptions | undefined,
): pulumi.Output<ExplicitTexts | undefined> {
  const fromOpts = opts?.provider;
  if (fromArgs !== undefined && fromOpts !== undefined && fromArgs !== fromOpts) {
    throw functionError(panelFunction, "two different providers are set, one in the arguments and one in the options");
  }
  const own = fromArgs ?? fromOpts;
  const provider = own ?? opts?.parent?.getProvider(anyOwnType);
  const settings = provider && settingsOf(provider);
  // The parent's provider may belong to another package with dynamic resources, and then has no panel settings.
  if (own !== undefined && settings === undefined) {
    throw functionError(panelFunction, "the provider is not a recovery.Provider from this copy of pulumi-recovery");
  }
  return settings ?? pulumi.output(undefined);
}
