import { deepEqual } from "../plain/plain";
import { hidden, type StoredHash, type StoredPlanRestore, type StoredStep } from "./stored";

/** The rule may have any form in which two rules can be compared. */
type Target<Of extends StoredPlanRestore | StoredStep, More extends keyof Of> = Pick<
  Of,
  "virtualMachineId" | "recoveryPointId" | More
> & { readonly recoveryPoint?: unknown };

/**
 * True if a stored step is the planned restore. The hash of the intent's inputs covers everything, triggers and paths included. If an earlier release stored no hash, only machine, point and kind are compared.
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
    // The plan then holds the rule and not the point.
    (recoveryPoint === undefined
      ? isSame(recoveryPointId, stored.recoveryPointId)
      : isSame(recoveryPoint, stored.recoveryPoint)) &&
    (paths === undefined ? "VmRestore" : "FileRestore") === stored.kind
  );
}
