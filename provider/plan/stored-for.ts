import { deepEqual } from "../plain/plain";
import { hidden, type StoredHash, type StoredPlanRestore, type StoredStep } from "./stored";

/** The rule in any form that tells two apart. */
type Target<Of extends StoredPlanRestore | StoredStep, More extends keyof Of> = Pick<
  Of,
  "virtualMachineId" | "recoveryPointId" | More
> & { readonly recoveryPoint?: unknown };

/**
 * Everything that makes it another restore has to agree: the hash of what its intent was made for tells, its triggers and paths included.
 * Where an earlier release stored none, machine, point and kind count alone. A point is planned by its id or by its rule.
 */
export function isStoredFor(
  { virtualMachineId, recoveryPointId, recoveryPoint, paths }: Target<StoredPlanRestore, "paths">,
  hash: Pick<StoredHash, "madeFor"> | undefined,
  stored: Target<StoredStep, "kind" | "madeFor">,
): boolean {
  if (hash !== undefined && stored.madeFor !== undefined && hash.madeFor !== stored.madeFor) return false;
  const isSame = (planned: unknown, known: unknown): boolean => planned === hidden || deepEqual(planned, known);
  return (
    isSame(virtualMachineId, stored.virtualMachineId) &&
    // What a rule has chosen is not planned.
    (recoveryPoint === undefined
      ? isSame(recoveryPointId, stored.recoveryPointId)
      : isSame(recoveryPoint, stored.recoveryPoint)) &&
    (paths === undefined ? "VmRestore" : "FileRestore") === stored.kind
  );
}
