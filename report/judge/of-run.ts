import { isSecret, listOf, nameOf, plainDataOf } from "../state/values";

/** The run that is reported on. */
interface OfRun {
  readonly run: string;
  readonly startedAt?: string;
}

/** Whether a plan's restore belongs to a run: the first of its triggers is the run's name, its own ones follow. */
export function isOfRun(triggers: unknown, madeAt: string | undefined, { run, startedAt }: OfRun): boolean {
  const known = plainDataOf(triggers);
  // One secret among them makes all of them one. A run is saved before any intent of it is made, both by the runner's clock.
  if (isSecret(known)) {
    return madeAt !== undefined && startedAt !== undefined && Date.parse(madeAt) >= Date.parse(startedAt);
  }
  // The run's name was made harmless when it was read, so what is compared with it is too.
  return nameOf(listOf(known)[0]) === run;
}
