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
  return namesIn(row, machineParam, machineType);
}

/** A decimal identifier names a machine only if the row has no other target: backup 42 has the number of machine 42. */
function machineIdentifier({ identifier, parentId, parentType = "" }: NamingFields): string | undefined {
  if (identifier === undefined || identifier === "") return undefined;
  const worksOnSomethingElse = parentId !== undefined && !machineType.test(parentType);
  return isDecimalId(identifier) && worksOnSomethingElse ? undefined : identifier;
}

/** The recovery points that a row names. */
export function namedPoints(row: NamingFields): readonly string[] {
  return namesIn(row, pointParam, pointType);
}

/** Of parameters with such a name, and of targets of such a type. */
function namesIn(row: NamingFields, param: RegExp, type: RegExp): readonly string[] {
  const { params = {}, parentId, parentType = "", associatedObjectId, associatedObjectType = "" } = row;
  const values = Object.entries(params).flatMap(([name, value]) =>
    param.test(name) && (typeof value === "string" || typeof value === "number") ? [String(value)] : [],
  );
  return [
    ...values.filter((value) => value !== ""),
    ...(parentId !== undefined && type.test(parentType) ? [parentId] : []),
    ...(associatedObjectId !== undefined && type.test(associatedObjectType) ? [associatedObjectId] : []),
  ];
}
