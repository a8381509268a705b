import type { ResourceName } from "../inputs/resource-names";
import { intentOperations } from "./intents";
import type { ProviderProcess } from "./process";
import { restoreOperations } from "./restores";
import type { Operations } from "./sanitize";

export type { Operations } from "./sanitize";

type PlanResource = Exclude<ResourceName, "VmRestore" | "FileRestore" | "Intent">;

/** All resources' operations, as handled by a single provider process. */
export function createOperations(
  providerProcess: ProviderProcess,
  plans: Readonly<Record<PlanResource, Operations>>,
): Readonly<Record<ResourceName, Operations>> {
  const operations: Readonly<Record<ResourceName, Operations>> = {
    VmRestore: restoreOperations("VmRestore", providerProcess),
    FileRestore: restoreOperations("FileRestore", providerProcess),
    Intent: intentOperations(providerProcess),
    ...plans,
  };
  return Object.fromEntries(
    Object.entries(operations).map(([name, calls]) => [name, inProcess(providerProcess, calls)]),
  ) as Record<ResourceName, Operations>;
}

type Calls = Readonly<Record<string, (...given: unknown[]) => unknown>>;

/**
 * Starts the watchdog on the first call, so that the process exits once its engine is gone. `check` counts as a call too, because the first resource of a plan
 * may be the only resource that this process serves. Also makes errors say where to change each setting that they name.
 */
function inProcess(providerProcess: ProviderProcess, operations: Operations): Operations {
  const nameSettings = (text: string): string => providerProcess.nameSettings(text);
  const failed = (error: unknown): never => {
    if (error instanceof Error) error.message = nameSettings(error.message);
    if (error instanceof Error && "reasons" in error)
      Object.assign(error, { reasons: (error.reasons as readonly string[]).map(nameSettings) });
    throw error;
  };
  const calls = Object.entries(operations as unknown as Calls).map(([name, call]) => {
    const answer = (...given: unknown[]): unknown => {
      providerProcess.exitWithEngine();
      try {
        const answered = call(...given);
        return answered instanceof Promise ? answered.catch(failed) : answered;
      } catch (error) {
        return failed(error);
      }
    };
    return [name, answer] as const;
  });
  return Object.fromEntries(calls) as unknown as Operations;
}
