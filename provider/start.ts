import { planOperations } from "../drills/engine";
import { createOperations, type Operations } from "./engine";
import { createProviderProcess, type Edge, type ProviderProcess } from "./engine/process";
import { handlerName, type ResourceName, resourceTypes, type ResourceTypes } from "./inputs/resource-names";
import { type ProcessConfig, processSources } from "./inputs/settings-sources";

export type * from "../drills/judge/stored";
export type { Operations } from "./engine";
export type { Mark } from "./inputs/intent";
export type { PointRule } from "./inputs/read-point-rule";
export type { ResourceName } from "./inputs/resource-names";
export type { Transport, TransportResponse } from "./panel/transport";
export type { Clock } from "./plain/clock";

/** The methods that the engine calls on a dynamic resource's handler. */
type DynamicProvider = Operations & {
  configure(request: { readonly config: ProcessConfig } | undefined): void;
};

interface StartedProvider {
  readonly providerProcess: ProviderProcess;
  /** The engine configures each handler, always with the same configuration. */
  readonly handlers: Readonly<Record<Uncapitalize<ResourceName>, DynamicProvider>>;
}

interface StartOptions extends Edge {
  readonly types?: ResourceTypes;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A provider process as the engine sees it. Tests pass in its dependencies: the clock, the panel and the engine. */
export function startProvider({ types = resourceTypes, environment, ...edge }: StartOptions): StartedProvider {
  const providerProcess = createProviderProcess({ types, sources: processSources(undefined, environment), ...edge });
  const configure: DynamicProvider["configure"] = (request) => {
    providerProcess.configure(processSources(request?.config, environment));
  };
  const operations = createOperations(providerProcess, planOperations(providerProcess));
  const handlers = Object.fromEntries(
    Object.entries(operations).map(([name, calls]) => [handlerName(name as ResourceName), { configure, ...calls }]),
  ) as StartedProvider["handlers"];
  return { providerProcess, handlers };
}
