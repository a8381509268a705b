import type { PointChoice } from "../inputs/intent";
import { isGiven } from "../inputs/problems";
import { readPointRule, ruleForIncident, ruleText } from "../inputs/read-point-rule";
import { readAdopt, readId } from "../inputs/read-values";
import type { ListedPoint, MachineId, Page, PanelClient, RecoveryPointId } from "../panel/types";
import type { Random } from "../plain/clock";
import { type Message, MessageError } from "../plain/message";
import type { Properties } from "../plain/plain";
import { listUnread, ofOtherMachines, passedOverWarnings, whyNotPicked } from "./messages";
import { pickByRule } from "./pick-by-rule";
import { otherMachines, toPoints } from "./points";

/**
 * The recovery point lists of one run. All restores of a machine use the list that was read first, so that a plan restores the machine and its files from the
 * same backup, even if new backups appear. After a failed read, the next restore reads again.
 */
export class PointLists {
  readonly #read = new Map<MachineId, Promise<Page<ListedPoint>>>();

  constructor(private readonly client: Pick<PanelClient, "listRecoveryPoints">) {}

  of(machine: MachineId): Promise<Page<ListedPoint>> {
    const known = this.#read.get(machine);
    if (known !== undefined) return known;
    const reading = this.client.listRecoveryPoints(machine);
    this.#read.set(machine, reading);
    reading.catch(() => this.#read.delete(machine));
    return reading;
  }
}

/** The lists to choose from, and the panel's additional states in which points can be restored, in lower case. */
export interface PointAccess {
  readonly points: PointLists;
  readonly pointStates: readonly string[];
}

/** The choice that is stored. It is empty if `adopt` names a transaction, because then no point is chosen. */
export type StoredChoice =
  | { readonly recoveryPointId: RecoveryPointId; readonly choice: PointChoice }
  | { readonly choice: Readonly<Record<string, never>> };

/**
 * Chooses the recovery point for an intent's inputs, if a rule is set. Throws a message that says why, and what to do next, if the rule picks none. If
 * `__takes` (the value of the input `adopt`) names the transaction to adopt, an empty choice is stored, because anything that is not stored would be unknown in
 * every preview.
 */
export async function choosePoint(
  { virtualMachineId, recoveryPointId, recoveryPoint, __takes: takes, incidentAt }: Properties,
  { points, pointStates }: PointAccess,
  random: Random = Math.random,
): Promise<StoredChoice | undefined> {
  if (!isGiven(recoveryPoint)) return undefined;
  if (isGiven(recoveryPointId)) throw new Error("recoveryPoint and recoveryPointId are both set: set only one.");
  const id = readId(virtualMachineId);
  const given = readPointRule(recoveryPoint);
  // The restore's `check` reports these problems.
  if ("problem" in id || "problem" in given) return undefined;
  if (isGiven(takes) && "value" in readAdopt(takes)) return { choice: {} };
  const machine = id.value as MachineId;
  const rule = ruleForIncident(given.value, typeof incidentAt === "string" ? incidentAt : undefined);
  const refused = ({ what, ...others }: Message, cause?: unknown): MessageError => {
    const parts = {
      ...others,
      what: `no recovery point of machine ${machine} was chosen (${ruleText(rule)}): ${what}`,
    };
    return new MessageError(parts, undefined, { cause });
  };

  const page = await points.of(machine).catch((error: unknown) => {
    throw refused(listUnread(error), error);
  });
  const others = otherMachines(page, machine);
  if (others.length > 0) throw refused(ofOtherMachines(others));
  const list = toPoints(page, pointStates);
  const found = pickByRule(list, rule, random);
  if (found.kind !== "chosen") throw refused(whyNotPicked(found, list.now));
  const { point, listed, fitted } = found;
  const choice = { recoveryPointTakenAt: point.takenAt, listed, fitted, warnings: passedOverWarnings(found, list) };
  const isOfIncident = rule !== given.value;
  return {
    recoveryPointId: point.id,
    choice: { ...choice, ...(isOfIncident && { incidentAt: String(incidentAt) }) },
  };
}
