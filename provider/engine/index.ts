import type { ResourceName } from "../inputs/resource-names";
import { intentOperations } from "./intents";
import type { ProviderProcess } from "./process";
import { RestoreOperations } from "./restores";
import { type Operations, sanitized } from "./sanitize";

export type { Operations } from "./sanitize";

type PlanResource = Exclude<ResourceName, "VmRestore" | "FileRestore" | "Intent">;

/** All resources' operations, as handled by a single provider process. */
export function createOperations(
  providerProcess: ProviderProcess,
  plans: Readonly<Record<PlanResource, Operations>>,
): Readonly<Record<ResourceName, Operations>> {
  const operations: Readonly<Record<ResourceName, Operations>> = {
    VmRestore: new RestoreOperations("VmRestore", providerProcess),
    FileRestore: new RestoreOperations("FileRestore", providerProcess),
    Intent: intentOperations(providerProcess),
    ...plans,
  };
  return Object.fromEntries(
    Object.entries(operations).map(([name, calls]) => [name, sanitized(calls, providerProcess)]),
  ) as Record<ResourceName, Operations>;
}
