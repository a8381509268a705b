import { isGiven } from "../inputs/problems";
import { readPointRule, ruleForIncident } from "../inputs/read-point-rule";
import { readAdopt, readId } from "../inputs/read-values";
import type { MachineId } from "../panel/types";
import type { Properties } from "../plain/plain";
import type { Random } from "../plain/clock";
import { type PointAndChoice, choosePoint, type PointLists } from "./choose-from-panel";

/** The lists to choose from, and the panel's additional states in which points can be restored. */
export interface PointAccess {
  readonly points: PointLists;
  readonly pointStates: readonly string[];
}

/** The choice that is stored. It is empty if `adopt` names a transaction, because then no point is chosen. */
export type StoredChoice = PointAndChoice | { readonly choice: Readonly<Record<string, never>> };

/**
 * Chooses the recovery point for an intent's inputs, if a rule is set. If `__takes` (the value of the input `adopt`) names the transaction to adopt, an
 * empty choice is stored, because anything that is not stored would be unknown in every preview.
 */
export async function choosePointOfInputs(
  { virtualMachineId, recoveryPointId, recoveryPoint, __takes: takes, incidentAt }: Properties,
  { points, pointStates }: PointAccess,
  random: Random = Math.random,
): Promise<StoredChoice | undefined> {
  if (!isGiven(recoveryPoint)) return undefined;
  if (isGiven(recoveryPointId)) throw new Error("recoveryPoint and recoveryPointId are both set: set only one.");
  const machine = readId(virtualMachineId);
  const rule = readPointRule(recoveryPoint);
  // The restore's `check` reports these problems.
  if ("problem" in machine || "problem" in rule) return undefined;
  if (isGiven(takes) && "value" in readAdopt(takes)) return { choice: {} };
  const effectiveRule = ruleForIncident(rule.value, typeof incidentAt === "string" ? incidentAt : undefined);
  const wanted = { machine: machine.value as MachineId, rule: effectiveRule, stateWords: pointStates };
  const chosen = await choosePoint(wanted, points, random);
  return effectiveRule === rule.value
    ? chosen
    : { ...chosen, choice: { ...chosen.choice, incidentAt: String(incidentAt) } };
}
