import { processSources, type ProcessConfig } from "../config/process-sources";
import { operationsIn, type Operations } from "../operations";
import type { ProviderProcess } from "../process/provider-process";

/** What the engine calls of a dynamic resource's handler. */
export interface DynamicProvider extends Operations {
  configure(request: { readonly config: ProcessConfig } | undefined): void;
}

export type HandlerName = "vmRestore" | "fileRestore" | "restoreIntent" | "planRun" | "planWave" | "planVerdict";

/** The handlers of one process. The engine configures each of them by itself, and always with the same configuration. */
export function handlersIn(here: ProviderProcess): Readonly<Record<HandlerName, DynamicProvider>> {
  const configure: DynamicProvider["configure"] = (request) => {
    here.configure(processSources(request?.config, process.env));
  };
  const operations = operationsIn(here);
  return {
    vmRestore: { configure, ...operations.VmRestore },
    fileRestore: { configure, ...operations.FileRestore },
    restoreIntent: { configure, ...operations.RestoreIntent },
    planRun: { configure, ...operations.PlanRun },
    planWave: { configure, ...operations.PlanWave },
    planVerdict: { configure, ...operations.PlanVerdict },
  };
}
