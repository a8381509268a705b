import type { RestoreKind } from "../inputs/restore-table";
import { intentOperations } from "./intents";
import type { ProviderProcess } from "./process";
import { restoreOperations } from "./restores";
import type { Operations } from "./sanitize";

export type { Operations } from "./sanitize";

/** The operations of restores and their intents, as one provider process answers them. */
export function createOperations(
  providerProcess: ProviderProcess,
): Readonly<Record<RestoreKind | "Intent", Operations>> {
  return {
    VmRestore: exitingWithEngine(providerProcess, restoreOperations("VmRestore", providerProcess)),
    FileRestore: exitingWithEngine(providerProcess, restoreOperations("FileRestore", providerProcess)),
    Intent: exitingWithEngine(providerProcess, intentOperations(providerProcess)),
  };
}

/**
 * Starts the watchdog with the first call: from then on the process exits when its engine is gone. `check` is included,
 * because the first resource of a plan may be the only call that a process receives.
 */
export function exitingWithEngine<Calls extends object>(
  { exitWithEngine }: Pick<ProviderProcess, "exitWithEngine">,
  operations: Calls,
): Calls {
  const calls = Object.entries(operations as Record<string, (...given: unknown[]) => unknown>);
  const exiting = calls.map(([name, call]) => [
    name,
    (...given: unknown[]) => {
      exitWithEngine();
      return call(...given);
    },
  ]);
  return Object.fromEntries(exiting) as Calls;
}
