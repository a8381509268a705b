import { resourceTypes } from "../inputs/resource-names";
import { type ProcessConfig, processSources } from "../inputs/settings-sources";
import { type Operations, createOperations } from "./index";
import { createProviderProcess, type ProviderProcess } from "./process";

/**
 * The module that every stack's state requires: `require("pulumi-recovery/dynamic").<name>`. The path and these names
 * are kept across major versions, because a refresh or a destroy runs from the state alone.
 */

const providerProcess = createProviderProcess({
  types: resourceTypes,
  // The engine gives its address as the first argument.
  engineAddress: process.argv[2],
  sources: processSources(undefined, process.env),
});

export const { vmRestore, fileRestore, restoreIntent, planRun, planWave, planVerdict } = handlersIn(providerProcess);

/** The methods that the engine calls on a dynamic resource's handler. */
export interface DynamicProvider extends Operations {
  configure(request: { readonly config: ProcessConfig } | undefined): void;
}

export type HandlerName = "vmRestore" | "fileRestore" | "restoreIntent" | "planRun" | "planWave" | "planVerdict";

/** The handlers of one process. The engine configures each of them, always with the same configuration. */
export function handlersIn(providerProcess: ProviderProcess): Readonly<Record<HandlerName, DynamicProvider>> {
  const configure: DynamicProvider["configure"] = (request) => {
    providerProcess.configure(processSources(request?.config, process.env));
  };
  const operations = createOperations(providerProcess);
  return {
    vmRestore: { configure, ...operations.VmRestore },
    fileRestore: { configure, ...operations.FileRestore },
    restoreIntent: { configure, ...operations.RestoreIntent },
    planRun: { configure, ...operations.PlanRun },
    planWave: { configure, ...operations.PlanWave },
    planVerdict: { configure, ...operations.PlanVerdict },
  };
}
