/** Whether the name of a run stands among triggers, at any depth: that is how a restore says which run it is of. */
export function mentions(triggers: unknown, run: string, depth = 0): boolean {
  if (triggers === run) return true;
  if (depth > 6 || typeof triggers !== "object" || triggers === null) return false;
  return Object.values(triggers).some((item) => mentions(item, run, depth + 1));
}
