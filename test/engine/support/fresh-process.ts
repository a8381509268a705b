import { processSources } from "../../../provider/inputs/settings-sources";
import { handlersIn } from "../../../provider/engine/dynamic";
import { resourceTypes } from "../../../provider/inputs/resource-names";
import { createProviderProcess } from "../../../provider/engine/process";

/** A provider process of its own, without an engine: what it is configured with stays with it. */
export function freshProcess(environment: NodeJS.ProcessEnv = process.env): ReturnType<typeof handlersIn> {
  const sources = processSources(undefined, environment);
  return handlersIn(createProviderProcess({ types: resourceTypes, engineAddress: undefined, sources }));
}

/** A process that received a stack's configuration, as the engine does before anything else. */
export function configuredProcess(settings: Readonly<Record<string, string>>): ReturnType<typeof handlersIn> {
  const handlers = freshProcess();
  handlers.vmRestore.configure({ config: { get: (key: string) => settings[key] } });
  return handlers;
}

/** One that is connected to a panel. */
export function processOn(
  panel: { readonly url: string; readonly username: string; readonly password: string },
  settings: Readonly<Record<string, string>> = {},
): ReturnType<typeof handlersIn> {
  return configuredProcess({
    "recovery:endpoint": panel.url,
    "recovery:username": panel.username,
    "recovery:password": panel.password,
    ...settings,
  });
}
