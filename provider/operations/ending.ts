import type { ProviderProcess } from "../process/provider-process";
import type { Operations } from "./door";

/**
 * Whatever the process is asked first: from then on it ends when its engine is gone. One that was only asked for a plan's first
 * resource outlives a killed engine like any other.
 */
export function endingWithTheEngine(
  here: Pick<ProviderProcess, "endWithTheEngine">,
  operations: Operations,
): Operations {
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
