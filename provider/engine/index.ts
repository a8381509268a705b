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
 * because the first resource of a plan may be the only thing that a process is asked about.
 */
export function exitingWithEngine(
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
