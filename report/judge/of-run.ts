import { listOf, nameOf } from "../state/values";

/** A plan's restore is triggered by the name of the run, first, and by its own triggers: that is how it says of which run it is. */
export function isOfRun(triggers: unknown, run: string): boolean {
  // The run's name was made harmless when it was read, so what is compared with it is too.
  return nameOf(listOf(triggers)[0]) === run;
}
