import { processSources } from "../../../provider/config/process-sources";
import { handlersIn } from "../../../provider/dynamic/handlers";
import { resourceTypes } from "../../../provider/names/resource-names";
import { createProviderProcess } from "../../../provider/process/provider-process";

/** A provider process of its own, without an engine: what it is configured with stays with it. */
export function freshProcess(environment: NodeJS.ProcessEnv = process.env): ReturnType<typeof handlersIn> {
  const sources = processSources(undefined, environment);
  return handlersIn(createProviderProcess({ types: resourceTypes, engineAddress: undefined, sources }));
}
