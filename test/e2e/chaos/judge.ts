import type { RestoreRecord } from "../../../sandbox/panel/records";
import type { StoredResource } from "../support/stored";
import type { Intent, Target } from "./world";

type Posted = Pick<
  RestoreRecord,
  "machineId" | "recoveryPointId" | "kind" | "transactionId" | "status" | "requestedAt" | "endedAt"
>;
type Stored = Pick<StoredResource, "urn" | "type" | "outputs" | "delete">;

const same = (one: Target, other: Target): boolean =>
  one.machineId === other.machineId && one.recoveryPointId === other.recoveryPointId && one.kind === other.kind;

const ended = (status: unknown): boolean => status === "complete" || status === "failed" || status === "cancelled";

/** The stored restores by their names in the program; of one that is being replaced, the new one. */
export function storedRestores(stored: readonly Stored[]): ReadonlyMap<string, Stored> {
  const restores = stored.filter((one) => /recovery:(Vm|File)Restore$/.test(one.type) && one.delete !== true);
  return new Map(restores.map((one) => [one.urn.split("::").at(-1) ?? "", one]));
}

/**
 * What may never be so, at no moment: a machine restored again although nothing went wrong with its restore, a stored status that is
 * not what the panel's own ledger says, a restore that took another's transaction. One line for each.
 */
export function wrongs(intents: readonly Intent[], ledger: readonly Posted[], stored: readonly Stored[]): string[] {
  const restores = storedRestores(stored);
  return [
    ...intents.flatMap(({ name, target }) => repeated(name, of(ledger, target))),
    ...ledger
      .filter((one) => !intents.some(({ target }) => same(one, target)))
      .map((one) => `transaction ${one.transactionId} restores what nobody asked for`),
    ...intents.flatMap(({ name, target }) => untrue(name, target, ledger, restores.get(name))),
  ];
}

/** What has to be so besides when all is done: each intent complete, with one completed restore. */
export function unfinished(intents: readonly Intent[], ledger: readonly Posted[], stored: readonly Stored[]): string[] {
  const restores = storedRestores(stored);
  return intents.flatMap(({ name, target }) => {
    const status = restores.get(name)?.outputs?.["status"];
    const complete = of(ledger, target).filter((one) => one.status === "complete").length;
    return [
      ...(status === "complete" ? [] : [`${name} is ${String(status)} in the state`]),
      ...(complete === 1 ? [] : [`${name} was restored ${String(complete)} times by the ledger`]),
    ];
  });
}

/** Restores that the state says were sent, and that the ledger has never seen: their requests were lost on the way. */
export function lost(intents: readonly Intent[], ledger: readonly Posted[], stored: readonly Stored[]): string[] {
  const restores = storedRestores(stored);
  return intents.flatMap(({ name, target }) => {
    const status = restores.get(name)?.outputs?.["status"];
    return (status === "unknown" || status === "accepted") &&
      of(ledger, target).every((one) => ended(one.status) && one.status !== "complete")
      ? [name]
      : [];
  });
}

function of(ledger: readonly Posted[], target: Target): readonly Posted[] {
  return ledger.filter((one) => same(one, target)).sort((one, other) => one.requestedAt - other.requestedAt);
}

/** Only a restore that had failed by then may be followed by another. */
function repeated(name: string, posted: readonly Posted[]): string[] {
  return posted.slice(1).flatMap((next, index) => {
    const before = posted[index] as Posted;
    const hadFailed =
      (before.status === "failed" || before.status === "cancelled") && (before.endedAt ?? Infinity) <= next.requestedAt;
    return hadFailed
      ? []
      : [`${name} was posted again (${next.transactionId}) after ${before.transactionId}, which is ${before.status}`];
  });
}

function untrue(name: string, target: Target, ledger: readonly Posted[], stored: Stored | undefined): string[] {
  const status = stored?.outputs?.["status"];
  const id = stored?.outputs?.["transactionId"];
  if (stored === undefined || (id === undefined && !ended(status))) return [];
  const found = ledger.find((one) => one.transactionId === id);
  if (found === undefined) return [`${name} is ${String(status)} by transaction ${String(id)}, which is no restore`];
  if (!same(found, target)) return [`${name} has taken transaction ${String(id)}, which is another's`];
  return ended(status) && found.status !== status
    ? [`${name} is ${String(status)} in the state, and ${found.status} by the ledger`]
    : [];
}
