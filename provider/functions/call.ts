import * as pulumi from "@pulumi/pulumi";
import type * as answering from "./answer";
import { givenTo, providerOf } from "./connection";
import { created } from "./created";
import { failure, reported } from "./failure";
import type { OutputFunctionOptions } from "./options";
import type { PanelFunction } from "./panel-function";

interface WithProvider {
  readonly provider?: pulumi.ProviderResource | undefined;
}

/** The plain form. */
export async function callPlain<Args extends object, Result extends object>(
  what: PanelFunction<Args, Result>,
  { provider, ...args }: Args & WithProvider,
  opts: pulumi.InvokeOptions | undefined,
): Promise<Result> {
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    const explicit = await whenKnown(givenTo(chosen(what, provider, opts)));
    if (explicit === undefined) {
      throw failure(what, "the provider's settings are not known in this preview; use the Output form of the function");
    }
    return await loadAnswer().answer(what, args as Args, explicit.value);
  } finally {
    done();
  }
}

/** The Output form: unknown while an argument, the provider's settings or a resource it depends on is. */
export function callOutput<Args extends object, Result extends object>(
  what: PanelFunction<Args, Result>,
  { provider, ...args }: { readonly [Key in keyof Args]: pulumi.Input<Args[Key]> } & WithProvider,
  opts: OutputFunctionOptions | undefined,
): pulumi.Output<Result> {
  const explicit = givenTo(chosen(what, provider, opts));
  // Without this the SDK may hang up on the engine while the panel is still answering, and a resource made from
  // the answer could no longer be registered. Nothing may throw between here and where it is given back.
  const done = pulumi.runtime.rpcKeepAlive();
  const result = pulumi
    .all([pulumi.output<unknown>(args), explicit, created(opts?.dependsOn)])
    .apply(([known, texts]) => loadAnswer().answer(what, known as Args, texts))
    .apply((found) => (what.isSecret(found) ? pulumi.secret(found) : pulumi.output(found)));
  pulumi.isSecret(result).then(done, done);
  return result as unknown as pulumi.Output<Result>;
}

function chosen(
  what: { readonly name: string },
  provider: pulumi.ProviderResource | undefined,
  opts: pulumi.InvokeOptions | undefined,
): pulumi.ProviderResource | undefined {
  return reported(what, () => providerOf(provider, opts));
}

/** The value of an Output, or undefined when it is unknown. `isSecret` settles once the callback has run, or cannot run. */
async function whenKnown<T>(output: pulumi.Output<T>): Promise<{ readonly value: T } | undefined> {
  let found: { readonly value: T } | undefined;
  const seen = output.apply((value) => {
    found = { value };
  });
  await pulumi.isSecret(seen);
  return found;
}

/** Loaded at the first call: a program that only declares restores pays for no settings, HTTP client and XML parser. */
function loadAnswer(): typeof answering {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import statement would load it with the package
  return require("./answer") as typeof answering;
}
