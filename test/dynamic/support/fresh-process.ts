import { processSources } from "../../../provider/config/process-sources";
import { handlersIn } from "../../../provider/dynamic/handlers";
import { resourceTypes } from "../../../provider/names/resource-names";
import { createProviderProcess } from "../../../provider/process/provider-process";

/** A provider process of its own, without an engine: what it is configured with stays with it. */
export function freshProcess(): ReturnType<typeof handlersIn> {
  const sources = processSources(undefined, process.env);
  return handlersIn(createProviderProcess({ types: resourceTypes, engineAddress: undefined, sources }));
}
