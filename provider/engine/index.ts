import type { ResourceName } from "../inputs/resource-names";
import { sanitized, type Operations } from "./sanitize";
import { planRunOperations } from "./plan-run";
import { PlanSteps } from "./plan-step";
import { planVerdictOperations } from "./plan-verdict";
import { planWaveOperations } from "./plan-wave";
import type { ProviderProcess } from "./process";
import { intentOperations } from "./restore-intents";
import { restoreOperations } from "./restores";

export type { Operations } from "./sanitize";

/** The operations of every resource type, as one provider process answers them. */
export function createOperations(providerProcess: ProviderProcess): Readonly<Record<ResourceName, Operations>> {
  const steps = new PlanSteps(providerProcess);
  const exiting = (operations: Operations): Operations => exitingWithEngine(providerProcess, operations);
  return {
    VmRestore: exiting(restoreOperations("VmRestore", providerProcess, steps)),
    FileRestore: exiting(restoreOperations("FileRestore", providerProcess, steps)),
    RestoreIntent: exiting(intentOperations(providerProcess)),
    PlanRun: exiting(sanitized(planRunOperations(providerProcess))),
    PlanWave: exiting(sanitized(planWaveOperations(providerProcess, steps))),
    PlanVerdict: exiting(sanitized(planVerdictOperations)),
  };
}

/**
 * Starts the watchdog with the first call: from then on the process exits when its engine is gone. `check` is included,
 * because the first resource of a plan may be the only thing that a process is asked about.
 */
function exitingWithEngine(
  providerProcess: Pick<ProviderProcess, "exitWithEngine">,
  operations: Operations,
): Operations {
  const watched = (): Operations => {
    providerProcess.exitWithEngine();
    return operations;
  };
  return {
    check: (olds, news) => watched().check(olds, news),
    diff: (id, olds, news) => watched().diff(id, olds, news),
    create: (inputs) => watched().create(inputs),
    update: (id, olds, news) => watched().update(id, olds, news),
    read: (id, outputs) => watched().read(id, outputs),
    delete: (id, outputs) => watched().delete(id, outputs),
  };
}
