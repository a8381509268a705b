import { startProvider } from "../../../provider/start";

type Handlers = ReturnType<typeof startProvider>["handlers"];

/** A new provider process without an engine. Each test needs its own, because a process keeps its configuration. */
export function freshProcess(environment: NodeJS.ProcessEnv = process.env): Handlers {
  return startProvider({ environment }).handlers;
}

/** A provider process that has received a stack's configuration, which the engine sends first. */
export function configuredProcess(settings: Readonly<Record<string, string>>): Handlers {
  const handlers = freshProcess();
  handlers.vmRestore.configure({ config: { get: (key: string) => settings[key] } });
  return handlers;
}

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
