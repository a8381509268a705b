import type { PointChoice } from "../inputs/intent";
import { type PointRule, ruleText } from "../inputs/read-point-rule";
import { PanelError, type PanelErrorKind } from "../panel/errors";
import type { ListedPoint, MachineId, Page, PanelClient, RecoveryPointId } from "../panel/types";
import type { Random } from "../plain/clock";
import { MessageError, partsOf } from "../plain/message";
import { pickByRule, type NotPicked } from "./pick-by-rule";
import { passedOverWarnings, whyNotPicked, type ListUnavailable } from "./messages";
import { otherMachines, toPoints } from "./points";

export interface PointAndChoice {
  readonly recoveryPointId: RecoveryPointId;
  readonly choice: PointChoice;
}

/**
 * The recovery point lists of one run. All restores of a machine use the list that was read first, so that a plan restores the machine and its files from the
 * same backup, even if new backups appear. After a failed read, the next restore reads again.
 */
export class PointLists {
  readonly #client: Pick<PanelClient, "listRecoveryPoints">;
  readonly #read = new Map<MachineId, Promise<Page<ListedPoint>>>();

  constructor(client: Pick<PanelClient, "listRecoveryPoints">) {
    this.#client = client;
  }

  of(machine: MachineId): Promise<Page<ListedPoint>> {
    const known = this.#read.get(machine);
    if (known !== undefined) return known;
    const reading = this.#client.listRecoveryPoints(machine);
    this.#read.set(machine, reading);
    reading.catch(() => this.#read.delete(machine));
    return reading;
  }
}

export interface PointRequest {
  readonly machine: MachineId;
  readonly rule: PointRule;
  /** Additional states in which points can be restored, in lower case. */
  readonly stateWords: readonly string[];
}

/** Chooses a machine's recovery point according to the rule; throws a message that says why, and what to do next, if the rule picks none. */
export async function choosePoint(request: PointRequest, lists: PointLists, random: Random): Promise<PointAndChoice> {
  const { machine, rule, stateWords } = request;
  const refused = (why: NotPicked | ListUnavailable, now?: number, cause?: unknown): MessageError => {
    const { what, ...others } = whyNotPicked(why, now);
    const parts = {
      what: `no recovery point of machine ${machine} was chosen (${ruleText(rule)}): ${what}`,
      ...others,
    };
    return new MessageError(parts, undefined, { cause });
  };

  const page = await lists.of(machine).catch((error: unknown) => {
    throw refused(unavailable(error), undefined, error);
  });
  const others = otherMachines(page, machine);
  if (others.length > 0) throw refused({ kind: "other machines", machines: others });
  const list = toPoints(page, stateWords);
  const found = pickByRule(list, rule, random);
  if (found.kind !== "chosen") throw refused(found, list.now);
  const { point, listed, fitted } = found;
  return {
    recoveryPointId: point.id,
    choice: { recoveryPointTakenAt: point.takenAt, listed, fitted, warnings: passedOverWarnings(found, list) },
  };
}

const unavailableKinds: { readonly [Kind in PanelErrorKind]?: "no list" | "forbidden" | "not whole" } = {
  notFound: "no list",
  forbidden: "forbidden",
  notWhole: "not whole",
};

/** Why there is no usable list, according to the error from the request for the list. */
export function unavailable(error: unknown): ListUnavailable {
  const kind = error instanceof PanelError ? (unavailableKinds[error.kind] ?? "unread") : "unread";
  return { kind, error: partsOf(error) };
}
