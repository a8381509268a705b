import { planOperations } from "../../drills/engine";
import { resourceTypes } from "../inputs/resource-names";
import { type ProcessConfig, processSources } from "../inputs/settings-sources";
import { createOperations, type Operations } from "./index";
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

export const { vmRestore, fileRestore, intent, planRun, waveIntent, wave, verdict } = handlersIn(providerProcess);

/** The methods that the engine calls on a dynamic resource's handler. */
type DynamicProvider = Operations & {
  configure(request: { readonly config: ProcessConfig } | undefined): void;
};

type HandlerName = "vmRestore" | "fileRestore" | "intent" | "planRun" | "waveIntent" | "wave" | "verdict";

/** The handlers of one process. The engine configures each of them, always with the same configuration. */
export function handlersIn(providerProcess: ProviderProcess): Readonly<Record<HandlerName, DynamicProvider>> {
  const configure: DynamicProvider["configure"] = (request) => {
    providerProcess.configure(processSources(request?.config, process.env));
  };
  const operations = createOperations(providerProcess, planOperations(providerProcess));
  return {
    vmRestore: { configure, ...operations.VmRestore },
    fileRestore: { configure, ...operations.FileRestore },
    intent: { configure, ...operations.Intent },
    planRun: { configure, ...operations.PlanRun },
    waveIntent: { configure, ...operations.WaveIntent },
    wave: { configure, ...operations.Wave },
    verdict: { configure, ...operations.Verdict },
  };
}
