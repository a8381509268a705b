import {
  pluginTypes,
  type ResourceName,
  resourceTypes,
  type ResourceTypes,
} from "../../provider/inputs/resource-names";
import { asList, isObject, type Properties } from "../../provider/plain/plain";
import { readText, readTexts } from "../../provider/plain/stored-fields";

/** The parts of a state that all its readers use. */
export interface Deployment {
  readonly all: readonly Resource[];
  /** By URN, without resources that are replaced but not deleted yet. */
  readonly current: ReadonlyMap<string, Resource>;
  /** The engine's pending operations: an `up` is under way, or was interrupted. */
  readonly pending: readonly Operation[];
}

export function readDeployment(deployment: unknown): Deployment {
  const fields = isObject(deployment) ? deployment : {};
  const all = asList(fields["resources"])
    .map(readResource)
    .filter((one) => one !== undefined);
  const current = new Map(all.flatMap((one) => (one.isOld ? [] : [[one.urn, one] as const])));
  const ids = new Set([...current.values()].map(({ id }) => id));
  const pending = asList(fields["pending_operations"])
    .map((stored) => readOperation(stored, current, ids))
    .filter((one) => one !== undefined);
  return { all, current, pending };
}

export interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly id: string | undefined;
  readonly name: ResourceName | undefined;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** Replaced, but not deleted yet. */
  readonly isOld: boolean;
  /** Deleted, but not created again yet. */
  readonly isReplaced: boolean;
  readonly dependencies: readonly string[];
  /** The reference to the resource's provider: `<URN>::<id>`. */
  readonly provider: string;
  readonly createdAt: string | undefined;
  readonly changedAt: string | undefined;
}

function readResource(stored: unknown): Resource | undefined {
  if (!isObject(stored)) return undefined;
  const { urn, type, id, inputs, outputs, dependencies, provider, modified, created } = stored;
  if (typeof urn !== "string" || typeof type !== "string") return undefined;
  return {
    urn,
    type,
    id: readText(id),
    name: resourceName(type),
    inputs: isObject(inputs) ? inputs : {},
    outputs: isObject(outputs) ? outputs : {},
    isOld: stored["delete"] === true,
    isReplaced: stored["pendingReplacement"] === true,
    dependencies: readTexts(dependencies) ?? [],
    provider: readText(provider) ?? "",
    createdAt: readText(created),
    changedAt: readText(modified) ?? readText(created),
  };
}

export function resourceName(type: string): ResourceName | undefined {
  const names = Object.keys(resourceTypes) as readonly ResourceName[];
  return names.find((name) => resourceTypes[name] === type || pluginTypes[name] === type);
}

export function typesOf({ type, name }: Resource): ResourceTypes {
  return name !== undefined && pluginTypes[name] === type ? pluginTypes : resourceTypes;
}

export interface Operation {
  readonly urn: string;
  readonly type: string;
  readonly madeUnder: string | undefined;
}

/**
 * The engine lists an interrupted creation as pending until a refresh. This is ignored once a later `up` has created the resource, or has replaced the
 * intent that the creation was for.
 */
function readOperation(
  stored: unknown,
  current: ReadonlyMap<string, Resource>,
  ids: ReadonlySet<string | undefined>,
): Operation | undefined {
  const resource = isObject(stored) ? stored["resource"] : undefined;
  if (!isObject(stored) || !isObject(resource) || typeof resource["urn"] !== "string") return undefined;
  const { urn, type, inputs } = resource;
  const made = current.get(urn);
  const madeUnder = intentIdIn(inputs);
  // A restore under a new intent is created while the previous restore still exists.
  const isNext = madeUnder !== undefined && madeUnder !== intentIdIn(made?.outputs);
  const isMade = made !== undefined && !made.isReplaced && !isNext;
  const isOld = isNext && !ids.has(madeUnder);
  const isOver = stored["type"] === "creating" && (isMade || isOld);
  return isOver ? undefined : { urn, type: readText(type) ?? "", madeUnder };
}

export function intentIdIn(properties: unknown): string | undefined {
  const intent = isObject(properties) ? properties["__intent"] : undefined;
  return isObject(intent) ? readText(intent["id"]) : undefined;
}
