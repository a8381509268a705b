import type { ResourceName } from "../names/resource-names";
import type { ProviderProcess } from "../process/provider-process";
import type { Operations } from "./door";
import { endingWithTheEngine } from "./ending";
import { intentOperations } from "./restore-intents";
import { createMemory } from "./memory";
import { planRunOperations } from "./plan-run";
import { PlanSteps } from "./plan-step";
import { planVerdictOperations } from "./plan-verdict";
import { planWaveOperations } from "./plan-wave";
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
