import type { ResourceName } from "../inputs/resource-names";
import type { Operations } from "./door";
import { createMemory } from "./memory";
import { planRunOperations } from "./plan-run";
import { PlanSteps } from "./plan-step";
import { planVerdictOperations } from "./plan-verdict";
import { planWaveOperations } from "./plan-wave";
import type { ProviderProcess } from "./process";
import { intentOperations } from "./restore-intents";
import { restoreOperations } from "./restores";

export type { Operations } from "./door";

/** What the engine may ask of every resource of one provider process. */
export function operationsIn(here: ProviderProcess): Readonly<Record<ResourceName, Operations>> {
  const memory = createMemory();
  const steps = new PlanSteps(here);
  const ending = (operations: Operations): Operations => endingWithTheEngine(here, operations);
  return {
    VmRestore: ending(restoreOperations("VmRestore", here, memory, steps)),
    FileRestore: ending(restoreOperations("FileRestore", here, memory, steps)),
    RestoreIntent: ending(intentOperations(here)),
    PlanRun: ending(planRunOperations(here, steps)),
    PlanWave: ending(planWaveOperations(here, steps)),
    PlanVerdict: ending(planVerdictOperations),
  };
}

/**
 * Whatever the process is asked first: from then on it ends when its engine is gone. One that was only asked for a plan's first
 * resource outlives a killed engine like any other.
 */
function endingWithTheEngine(here: Pick<ProviderProcess, "endWithTheEngine">, operations: Operations): Operations {
  const asked = (): Operations => {
    here.endWithTheEngine();
    return operations;
  };
  return {
    check: (olds, news) => asked().check(olds, news),
    diff: (id, olds, news) => asked().diff(id, olds, news),
    create: (inputs) => asked().create(inputs),
    update: (id, olds, news) => asked().update(id, olds, news),
    read: (id, outputs) => asked().read(id, outputs),
    delete: (id, outputs) => asked().delete(id, outputs),
  };
}
