import * as pulumi from "@pulumi/pulumi";
import { didYouMean, isGiven, type ValueReader, wholeNumberUpTo } from "../inputs/problems";
import { readId, rejectingLeadingZeros } from "../inputs/read-values";
import type { Settings } from "../inputs/settings";
import { collectNewest } from "../panel/list-page";
import type { Page, PageRequest, PanelClient } from "../panel/types";
import { onOneLine } from "../plain/text";
import { programError } from "./stack-traces";

/** The arguments that select part of a list. */
interface Paging {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly limit?: number | undefined;
}

/** The problems with the paging arguments, each naming its property. Plain JavaScript and Outputs may pass values that the types forbid. */
export function pagingProblems(paging: Paging): string[] {
  const problems = [
    ...argumentProblems("page", paging.page, wholeNumberUpTo()),
    ...argumentProblems("perPage", paging.perPage, wholeNumberUpTo(10_000)),
    ...argumentProblems("limit", paging.limit, wholeNumberUpTo()),
  ];
  if (isGiven(paging.limit) && isGiven(paging.page)) {
    problems.push("limit and page are both set: limit counts from the newest row, so leave page out");
  }
  return problems;
}

/** The problem with an optional argument, if there is any. */
export function argumentProblems(name: string, value: unknown, read: ValueReader<unknown>): string[] {
  const reading = isGiven(value) ? read(value) : { value };
  return "problem" in reading ? [`${name}${reading.problem}`] : [];
}

const readMachineId = rejectingLeadingZeros(readId);

export function machineProblems(virtualMachineId: unknown): string[] {
  if (!isGiven(virtualMachineId)) return ["virtualMachineId is missing"];
  return argumentProblems("virtualMachineId", virtualMachineId, readMachineId);
}

/** The arguments that are set. */
export function givenArgs<Args extends object>(
  args: Args,
): { [Key in keyof Args]?: Exclude<Args[Key], undefined | null> } {
  const entries = Object.entries(args).filter(([, value]) => isGiven(value));
  return Object.fromEntries(entries) as { [Key in keyof Args]?: Exclude<Args[Key], undefined | null> };
}

type ReadPage<Row> = (page: PageRequest) => Promise<Page<Row>>;
type WalkPages<Row> = (size: { readonly perPage: number }) => AsyncIterable<Page<Row>>;

/** The rows of one page, or of as many pages as `limit` needs. */
export async function listRows<Row>(
  args: Paging,
  { pageSize }: ReadingSettings,
  read: ReadPage<Row>,
  walk: WalkPages<Row>,
): Promise<readonly Row[]> {
  const { page, perPage, limit } = givenArgs(args);
  if (limit === undefined) return (await read(givenArgs({ page, perPage }))).items;
  return (await collectNewest(walk({ perPage: perPage ?? Math.min(limit, pageSize) }), limit)).items;
}

/** The arguments in the form in which a result repeats them: missing arguments are undefined. */
export function echoedArgs<Args extends object>(args: Args): { [Key in keyof Args]-?: Args[Key] | undefined } {
  return givenArgs(args) as { [Key in keyof Args]-?: Args[Key] | undefined };
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

/** The parts of a call that differ from function to function. */
export interface PanelFunction<Args extends object, Result extends object> {
  readonly name: string;
  /** The name of the list that the function reads, for use in messages: `the transaction list`. */
  subject(args: Args): string;
  readonly names: readonly (keyof Args & string)[];
  /** The problems with the arguments' values, each naming its property. */
  problems(args: Args): readonly string[];
  read(client: PanelClient, args: Args, settings: ReadingSettings): Promise<Result>;
  isSecret(result: Result): boolean;
}

/** The problems with a call's arguments. A misspelled argument would otherwise return another part of the list without a word. */
export function callProblems<Args extends object>(
  { names, problems }: Pick<PanelFunction<Args, object>, "names" | "problems">,
  args: Args,
): readonly string[] {
  const known: readonly string[] = names;
  const unknown = Object.keys(givenArgs(args)).filter((name) => !known.includes(name));
  const meant = (name: string): string => didYouMean(name, known) || `: the arguments are ${known.join(", ")}`;
  return [...unknown.map((name) => `there is no argument ${onOneLine(name)}${meant(name)}`), ...problems(args)];
}

/** The settings that a function needs besides the connection. */
export type ReadingSettings = Pick<Settings, "pageSize" | "pointStates">;
