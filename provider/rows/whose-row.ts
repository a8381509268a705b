import { isDecimalId, type Transaction } from "../panel/types";

/** Whose a row is, seen from one machine. `not said`: the row names no machine, so only the machine's own log tells. */
export type Whose = "this machine" | "another machine" | "not said";

type NamingFields = Pick<
  Transaction,
  "associatedObjectId" | "associatedObjectType" | "parentId" | "parentType" | "identifier" | "params"
>;

const machineType = /^virtual[-_ ]?(machine|server)$/i;
const pointType = /recovery[-_ ]?point/i;
const partType = /disk|backup|recovery[-_ ]?point/i;
const machineParam = /^(virtual[-_]?(machine|server)|vm)[-_]?id$/i;
const pointParam = /^(backups?[-_]?)?recovery[-_]?point([-_]?id)?$/i;

/**
 * Tells whose a row is. Its direct target (`parent_*`) is often a disk or a backup, so the associated object counts as much; either may be
 * missing. A machine has two names, a decimal id and an alphanumeric identifier: the kind that the program does not use proves nothing. A
 * row's own identifier may be its target's, such as a backup's: it speaks for the machine, never against it.
 */
export function whoseRow(row: NamingFields, machine: string): Whose {
  return machineIdentifier(row) === machine ? "this machine" : whoseNames(namedMachines(row), machine);
}

/** True if the target of a row can be a machine or a part of one. */
export function mayConcernMachine({ parentType }: Pick<Transaction, "parentType">): boolean {
  return parentType === undefined || machineType.test(parentType) || partType.test(parentType);
}

/** True if a row names a machine as such. */
export function namesMachine(row: NamingFields): boolean {
  return namedMachines(row).length > 0;
}

/** True if two rows name two machines. Names of two kinds, letters and digits, may be of one. */
export function nameTwoMachines(one: NamingFields, other: NamingFields): boolean {
  const names = namedMachines(other);
  return (
    names.length > 0 &&
    namedMachines(one).length > 0 &&
    namedMachines(one).every((name) => whoseNames(names, name) === "another machine")
  );
}

function whoseNames(names: readonly string[], machine: string): Whose {
  if (names.includes(machine)) return "this machine";
  return names.some((name) => isDecimalId(name) === isDecimalId(machine)) ? "another machine" : "not said";
}

function namedMachines(row: NamingFields): readonly string[] {
  const names = paramValues(row.params, machineParam);
  if (row.associatedObjectId !== undefined && machineType.test(row.associatedObjectType ?? "")) {
    names.push(row.associatedObjectId);
  }
  if (row.parentId !== undefined && machineType.test(row.parentType ?? "")) names.push(row.parentId);
  return names;
}

/** A decimal identifier names a machine only if the row has no other target: backup 42 has the number of machine 42. */
function machineIdentifier({ identifier, parentId, parentType = "" }: NamingFields): string | undefined {
  if (identifier === undefined || identifier === "") return undefined;
  const worksOnSomethingElse = parentId !== undefined && !machineType.test(parentType);
  return isDecimalId(identifier) && worksOnSomethingElse ? undefined : identifier;
}

/** The recovery points that a row names. */
export function namedPoints(row: NamingFields): readonly string[] {
  const points = [...paramValues(row.params, pointParam)];
  if (row.parentId !== undefined && pointType.test(row.parentType ?? "")) points.push(row.parentId);
  if (row.associatedObjectId !== undefined && pointType.test(row.associatedObjectType ?? "")) {
    points.push(row.associatedObjectId);
  }
  return points;
}

function paramValues(params: Transaction["params"], name: RegExp): string[] {
  const found: string[] = [];
  for (const [key, value] of Object.entries(params ?? {})) {
    if (name.test(key) && (typeof value === "string" || typeof value === "number") && String(value) !== "") {
      found.push(String(value));
    }
  }
  return found;
}
