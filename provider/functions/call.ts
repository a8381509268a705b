import * as pulumi from "@pulumi/pulumi";
import type { Settings } from "../config";
import type { ExplicitTexts } from "../config/explicit";
import type { PanelClient } from "../panel/terms/types";
import { withoutMarkupIn } from "../text/for-terminal";
import { messageOf } from "../text/message-of";
import { clientFor } from "./clients";
import { connectionSettings, givenTo, providerOf } from "./connection";
import { created } from "./created";
import { programError } from "../program/program-error";
import type { OutputFunctionOptions } from "./options";
import { warnWhenLarge } from "./size";

/** What is particular to one function; the rest of a call is the same for all. */
export interface PanelFunction<Args extends object, Result extends object> {
  readonly name: string;
  /** What it reads, for messages: `the transaction list`. */
  reads(args: Args): string;
  /** What is wrong with the arguments, each problem naming its property. */
  problems(args: Args): readonly string[];
  read(client: PanelClient, args: Args, settings: ReadingSettings): Promise<Result>;
  isSecret(result: Result): boolean;
}

/** What of the settings a function reads by. */
export type ReadingSettings = Pick<Settings, "pageSize">;

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
    return await answer(what, args as Args, explicit.value);
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
    .apply(([known, texts]) => answer(what, known as Args, texts))
    .apply((found) => (what.isSecret(found) ? pulumi.secret(found) : pulumi.output(found)));
  pulumi.isSecret(result).then(done, done);
  return result as unknown as pulumi.Output<Result>;
}

async function answer<Args extends object, Result extends object>(
  what: PanelFunction<Args, Result>,
  args: Args,
  explicit: ExplicitTexts | undefined,
): Promise<Result> {
  const problems = what.problems(args);
  if (problems.length > 0) throw failure(what, `no request was made: ${problems.join("; ")}`);
  const settings = reported(what, () => connectionSettings(explicit));
  const client = reported(what, () => clientFor(settings));
  const result = await readWith(what, args, client, settings);
  warnWhenLarge(what.name, result);
  return result;
}

/** What the panel says, as it can be carried on. The arguments have no problems. */
export async function readWith<Args extends object, Result extends object>(
  what: PanelFunction<Args, Result>,
  args: Args,
  client: PanelClient,
  settings: ReadingSettings,
): Promise<Result> {
  const read = await what.read(client, args, settings).catch((error: unknown) => {
    throw failure(what, `could not read ${what.reads(args)} on ${client.address}. ${messageOf(error)}`, error);
  });
  return withoutMarkupIn(read);
}

function chosen(
  what: { readonly name: string },
  provider: pulumi.ProviderResource | undefined,
  opts: pulumi.InvokeOptions | undefined,
): pulumi.ProviderResource | undefined {
  return reported(what, () => providerOf(provider, opts));
}

function reported<T>(what: { readonly name: string }, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw failure(what, messageOf(error), error);
  }
}

function failure(what: { readonly name: string }, message: string, cause?: unknown): pulumi.RunError {
  return programError(`${what.name}: ${message}`, cause);
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
