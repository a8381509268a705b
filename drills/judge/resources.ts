import {
  pluginTypes,
  type ResourceName,
  resourceTypes,
  type ResourceTypes,
} from "../../provider/inputs/resource-names";
import { isObject, type Properties } from "../../provider/plain/plain";
import { readText, readTexts } from "../../provider/plain/stored-fields";

/** A resource of an exported state. */
export interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly id: string | undefined;
  readonly name: ResourceName | undefined;
  readonly outputs: Properties;
  /** Replaced, and not deleted yet. */
  readonly isOld: boolean;
  /** Deleted, and not created again yet. */
  readonly isReplaced: boolean;
  readonly dependencies: readonly string[];
  readonly changedAt: string | undefined;
}

export function readResource(stored: unknown): Resource | undefined {
  if (!isObject(stored)) return undefined;
  const { urn, type, id, outputs, dependencies, modified, created } = stored;
  if (typeof urn !== "string" || typeof type !== "string") return undefined;
  return {
    urn,
    type,
    id: readText(id),
    name: resourceName(type),
    outputs: isObject(outputs) ? outputs : {},
    isOld: stored["delete"] === true,
    isReplaced: stored["pendingReplacement"] === true,
    dependencies: readTexts(dependencies) ?? [],
    changedAt: readText(modified) ?? readText(created),
  };
}

function resourceName(type: string): ResourceName | undefined {
  const names = Object.keys(resourceTypes) as readonly ResourceName[];
  return names.find((name) => resourceTypes[name] === type || pluginTypes[name] === type);
}

export function typesOf({ type, name }: Resource): ResourceTypes {
  return name !== undefined && pluginTypes[name] === type ? pluginTypes : resourceTypes;
}

/** What the engine was working on. */
interface Operation {
  readonly type: unknown;
  readonly urn: string;
  /** The id of the intent, if it is a restore without a plan. */
  readonly madeUnder: string | undefined;
}

export function readOperation(stored: unknown): Operation | undefined {
  if (!isObject(stored) || !isObject(stored["resource"])) return undefined;
  const { urn, inputs } = stored["resource"];
  return typeof urn === "string" ? { type: stored["type"], urn, madeUnder: intentIdIn(inputs) } : undefined;
}

/** An interrupted creation means nothing once the resource exists: the engine keeps it until a refresh. */
export function isStale({ type, urn }: Operation, current: ReadonlyMap<string, Resource>): boolean {
  return type === "creating" && current.get(urn)?.isReplaced === false;
}

export function intentIdIn(properties: unknown): string | undefined {
  const intent = isObject(properties) ? properties["intent"] : undefined;
  return isObject(intent) ? readText(intent["id"]) : undefined;
}
