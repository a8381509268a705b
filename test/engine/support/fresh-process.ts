import { startProvider } from "../../../provider/start";
import { connectionTo } from "../../program/support/program";

type Handlers = ReturnType<typeof startProvider>["handlers"];

/** A new provider process without an engine. Each test needs its own, because a process keeps its configuration. */
export function freshProcess(environment: NodeJS.ProcessEnv = process.env): Handlers {
  return startProvider({ environment }).handlers;
}

/** A provider process that has received a stack's configuration, which the engine sends first. */
function configuredProcess(settings: Readonly<Record<string, string>>): Handlers {
  const handlers = freshProcess();
  handlers.vmRestore.configure({ config: { get: (key: string) => settings[key] } });
  return handlers;
}

export function processOn(
  panel: Parameters<typeof connectionTo>[0],
  settings: Readonly<Record<string, string>> = {},
): Handlers {
  return configuredProcess({ ...connectionTo(panel), ...settings });
}
