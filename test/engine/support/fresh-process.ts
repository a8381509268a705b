import { startProvider } from "../../../provider/start";

type Handlers = ReturnType<typeof startProvider>["handlers"];

/** A provider process of its own, without an engine: what it is configured with stays with it. */
export function freshProcess(environment: NodeJS.ProcessEnv = process.env): Handlers {
  return startProvider({ environment }).handlers;
}

/** A process that received a stack's configuration, as the engine does before anything else. */
export function configuredProcess(settings: Readonly<Record<string, string>>): Handlers {
  const handlers = freshProcess();
  handlers.vmRestore.configure({ config: { get: (key: string) => settings[key] } });
  return handlers;
}

/** One that is connected to a panel. */
export function processOn(
  panel: { readonly url: string; readonly username: string; readonly password: string },
  settings: Readonly<Record<string, string>> = {},
): Handlers {
  return configuredProcess({
    "recovery:endpoint": panel.url,
    "recovery:username": panel.username,
    "recovery:password": panel.password,
    ...settings,
  });
}
