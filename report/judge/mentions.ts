import { nameOf } from "../state/values";

/** Whether the name of a run stands among triggers, at any depth: that is how a restore says which run it is of. */
export function mentions(triggers: unknown, run: string, depth = 0): boolean {
  // The run's name was made harmless when it was read, so what is compared with it is too.
  if (typeof triggers === "string") return nameOf(triggers) === run;
  if (depth > 6 || typeof triggers !== "object" || triggers === null) return false;
  return Object.values(triggers).some((item) => mentions(item, run, depth + 1));
}
