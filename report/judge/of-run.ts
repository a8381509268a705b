import { listOf, nameOf } from "../state/values";

/** Whether a plan's restore belongs to a run: the first of its triggers is the run's name, its own ones follow. */
export function isOfRun(triggers: unknown, run: string): boolean {
  // The run's name was made harmless when it was read, so what is compared with it is too.
  return nameOf(listOf(triggers)[0]) === run;
}
