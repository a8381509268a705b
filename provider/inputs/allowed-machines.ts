import { firstFew } from "../plain/text";

/** The only machines that may be restored, according to a single place. */
export interface AllowedMachines {
  /** The setting and its place, for messages: `recovery:allowedMachines in the stack's configuration`. */
  readonly where: string;
  readonly ids: readonly string[];
}

/** The reason why a machine may not be restored: it must be in every list. Ids are compared as written. */
export function whyNotAllowed(machine: string, lists: readonly AllowedMachines[]): string | undefined {
  const without = lists.filter(({ ids }) => !ids.includes(machine));
  if (without.length === 0) return undefined;
  const places = without.map(({ where, ids }) => `${where} (${ids.length === 0 ? "none" : firstFew(ids)})`);
  return `machine ${machine} is not among the machines that may be restored: it is not in ${places.join(", nor in ")}`;
}

export const howToAllow =
  "Correct the id; or, if this machine may be overwritten, add it there, as in `pulumi config set recovery:allowedMachines 41,42`";
