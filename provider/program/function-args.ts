import * as pulumi from "@pulumi/pulumi";
import { didYouMean, isGiven, type ValueReader, wholeNumberUpTo } from "../inputs/problems";
import { readId, rejectingLeadingZeros } from "../inputs/read-values";
import type { Settings } from "../inputs/settings";
import { collectNewest } from "../panel/list-page";
import type { MachineId, Page, PanelClient, TransactionPageRequest, WalkOptions } from "../panel/types";
import { definedEntries, omitUndefined } from "../plain/plain";
import { onOneLine } from "../plain/text";
import type { Provider } from "./provider";
import { programError } from "./stack-traces";

/** The machine whose log or recovery points a function reads. */
export interface MachineArg {
  /** The machine's id, as in its URL on the panel: a number, or letters, digits, `-` and `_`. */
  virtualMachineId: number | string;
}

/** The arguments that select part of a list. */
export interface PagingArgs {
  /**
   * The page of the list to read (1 is the newest); can't be combined with `limit`.
   * @default 1
   */
  page?: number | undefined;
  /**
   * The number of rows per page, up to 10000; with `limit`, the number requested at a time.
   *
   * A panel may enforce a lower limit.
   * @default the panel's own, usually 10; if `limit` is set, the smaller of `limit` and the `pageSize` setting
   */
  perPage?: number | undefined;
  /**
   * How many of the newest rows to read, from as many pages as needed; can't be combined with `page`.
   * @default none: one page
   */
  limit?: number | undefined;
}

export interface PanelArg {
  /**
   * The panel to read; equivalent to the `provider` option.
   * @default the provider of `parent`, or else the stack's connection
   */
  provider?: Provider | undefined;
}

export const pagingReaders: ArgReaders<PagingArgs> = {
  page: wholeNumberUpTo(),
  perPage: wholeNumberUpTo(10_000),
  limit: wholeNumberUpTo(),
};

export const readMachineId = rejectingLeadingZeros(readId) as ValueReader<MachineId>;

/** The rows of one page, or of as many pages as `limit` needs. */
export async function listRows<Row>(
  { page, perPage, limit, detailed }: PagingArgs & { readonly detailed?: boolean },
  { pageSize }: ReadingSettings,
  read: (page: TransactionPageRequest) => Promise<Page<Row>>,
  walk: (options: WalkOptions) => AsyncIterable<Page<Row>>,
): Promise<readonly Row[]> {
  if (limit === undefined) return (await read(omitUndefined({ page, perPage, detailed }))).items;
  const options = omitUndefined<WalkOptions>({ perPage: perPage ?? Math.min(limit, pageSize), detailed });
  return (await collectNewest(walk(options), limit)).items;
}

/** The arguments of a function's Output form. Each may be an Output, except the provider. */
export type OutputArgs<Args> = {
  [Name in keyof Args]: Name extends "provider" ? Args[Name] : pulumi.Input<Args[Name]>;
};

/** A resource, a list of resources, or an Output or promise of either. */
export type DependsOn = pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;

/**
 * Options of the Output forms. Spells out `pulumi.InvokeOutputOptions`, which the oldest supported SDK does not have yet.
 */
export interface OutputFunctionOptions extends pulumi.InvokeOptions {
  /** Read the panel only after these resources have been created or updated. The result is unknown in a preview that would create any of them. */
  dependsOn?: DependsOn;
}

/** The fields of a component that the SDK's own `dependsOn` reads but its type declarations leave out. */
interface ComponentInternals {
  readonly __data?: Promise<unknown>;
  readonly __childResources?: ReadonlySet<pulumi.Resource>;
}

/**
 * An Output that is known once every resource in `dependsOn` exists. In a preview, the id of a resource that will be created is unknown, and so is the Output.
 * A component is treated as its children, as in a resource's `dependsOn`.
 */
export function whenCreated(dependsOn: DependsOn | undefined): pulumi.Output<unknown> {
  if (dependsOn === undefined) return pulumi.output(undefined);
  const given: pulumi.Output<unknown> = pulumi.output<unknown>(dependsOn);
  return given
    .apply(async (found) => {
      const resources = new Set<pulumi.Resource>();
      await collectResources(found, resources);
      return [...resources];
    })
    .apply((resources) => pulumi.all(resources.map(idOrUrn)));
}

async function collectResources(found: unknown, resources: Set<pulumi.Resource>): Promise<void> {
  if (Array.isArray(found)) {
    for (const one of found) await collectResources(one, resources);
    return;
  }
  if (!isGiven(found)) return;
  if (!pulumi.Resource.isInstance(found)) throw programError("dependsOn contains something that is not a resource");
  if (resources.has(found)) return;
  resources.add(found);
  if (!pulumi.ComponentResource.isInstance(found)) return;
  const inside = found as ComponentInternals;
  await inside.__data;
  await collectResources([...(inside.__childResources ?? [])], resources);
}

/** The result is never secret: an id is not a secret, and a secret id would make a whole list of transactions secret. */
function idOrUrn(resource: pulumi.Resource): pulumi.Output<string> {
  const id = pulumi.CustomResource.isInstance(resource)
    ? (resource.id as pulumi.Output<string> | undefined)
    : undefined;
  return pulumi.unsecret(id ?? resource.urn);
}

export function functionError(
  panelFunction: { readonly name: string },
  message: string,
  cause?: unknown,
): pulumi.RunError {
  return programError(`${panelFunction.name}: ${message}`, cause);
}

/** How each argument is read. Plain JavaScript and Outputs may pass values that the types forbid. */
type ArgReaders<Args> = { readonly [Name in keyof Args & string]: ValueReader<unknown> };

/** The parts of a call that differ from function to function. */
export interface PanelFunction<Args extends object, Result extends object> {
  readonly name: string;
  /** The name of the list that the function reads, for use in messages: `the transaction list`. */
  subject(args: Args): string;
  readonly readers: ArgReaders<Args>;
  /** Reads the list. The result also repeats the arguments. */
  read(client: PanelClient, args: Args, settings: ReadingSettings): Promise<Omit<Result, keyof Args>>;
  isSecret(result: Result): boolean;
}

/** The given arguments, and all problems with them. A misspelled argument would otherwise silently return another part of the list. */
export function readCallArgs<Args extends object>(
  { readers }: Pick<PanelFunction<Args, object>, "readers">,
  given: object,
): { readonly args: Args; readonly problems: readonly string[] } {
  const [known, values] = [Object.keys(readers), new Map(definedEntries(given))];
  const problems = [...values.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => `there is no argument ${onOneLine(name)}${didYouMean(name, known, "arguments")}`);
  const args = Object.entries<ValueReader<unknown>>(readers).flatMap(([name, read]) => {
    const reading = values.has(name) ? read(values.get(name)) : undefined;
    if (reading === undefined && name === "virtualMachineId") problems.push(`${name} is missing`);
    if (reading && "problem" in reading) problems.push(`${name}${reading.problem}`);
    return reading && "value" in reading ? [[name, reading.value] as const] : [];
  });
  if (values.has("limit") && values.has("page"))
    problems.push("limit and page are both set: limit counts from the newest row, so leave page out");
  return { args: Object.fromEntries(args) as Args, problems };
}

/** The settings that a function needs besides the connection. */
export type ReadingSettings = Pick<Settings, "pageSize" | "pointStates">;
