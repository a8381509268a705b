import type { Transaction } from "../panel/types";

/** What a row says about the machine somebody asks for. `untold`: nothing, so the machine's own log has to tell. */
export type Tie = "ours" | "another's" | "untold";

/** Machine ids by identifier, learned from rows that carry both. */
export type Identifiers = ReadonlyMap<string, string>;

type Named = Pick<
  Transaction,
  "associatedObjectId" | "associatedObjectType" | "parentId" | "parentType" | "identifier" | "params"
>;

const machineType = /^virtual[-_ ]?(machine|server)$/i;
const pointType = /recovery[-_ ]?point/i;
const machineParam = /^(virtual[-_]?(machine|server)|vm)[-_]?id$/i;
const pointParam = /^(backups?[-_]?)?recovery[-_]?point([-_]?id)?$/i;
const decimal = /^[0-9]+$/;

/**
 * The direct target of a transaction (`parent_*`) is often a disk or a backup, so the associated object counts as
 * much, and either may be missing. A machine has two names, a decimal id and an alphanumeric identifier; a row
 * that uses the other one than the program tells nothing until some row has shown that both are one machine.
 */
export function tieOf(row: Named, machine: string, identifiers: Identifiers): Tie {
  const names: string[] = [];
  if (row.associatedObjectId !== undefined && machineType.test(row.associatedObjectType ?? "")) {
    names.push(row.associatedObjectId);
  }
  if (row.parentId !== undefined && machineType.test(row.parentType ?? "")) names.push(row.parentId);
  names.push(...paramsNamed(row.params, machineParam));
  const identifier = row.identifier === "" ? undefined : row.identifier;
  if (identifier === machine) return "ours";
  // Asked for a machine by a name, a row's differing one is another machine's only where rows have shown that
  // identifiers are names of machines here: elsewhere it may be the row's own.
  const namesMachines = decimal.test(machine) || identifiers.has(machine);
  if (identifier !== undefined && (namesMachines || identifiers.has(identifier))) names.push(identifier);

  let another = false;
  for (const name of names) {
    const verdict = sameMachine(name, machine, identifiers);
    if (verdict === true) return "ours";
    if (verdict === false) another = true;
  }
  return another ? "another's" : "untold";
}

/** True or false when it is certain; undefined when the two are names of different kinds and nothing links them. */
function sameMachine(name: string, machine: string, identifiers: Identifiers): boolean | undefined {
  if (name === machine) return true;
  if (decimal.test(name) === decimal.test(machine)) return false;
  const [identifier, id] = decimal.test(name) ? [machine, name] : [name, machine];
  const known = identifiers.get(identifier);
  if (known !== undefined) return known === id;
  for (const owner of identifiers.values()) if (owner === id) return false;
  return undefined;
}

/** A pair of names for one machine, where a row carries both. */
export function namesLearned(row: Named): readonly [identifier: string, id: string] | undefined {
  if (row.identifier === undefined || row.identifier === "" || decimal.test(row.identifier)) return undefined;
  const id = machineType.test(row.associatedObjectType ?? "")
    ? row.associatedObjectId
    : machineType.test(row.parentType ?? "")
      ? row.parentId
      : undefined;
  return id !== undefined && decimal.test(id) ? [row.identifier, id] : undefined;
}

/** Recovery points a row names. A restore of another point than ours is somebody else's. */
export function pointsNamed(row: Named): readonly string[] {
  const points = [...paramsNamed(row.params, pointParam)];
  if (row.parentId !== undefined && pointType.test(row.parentType ?? "")) points.push(row.parentId);
  if (row.associatedObjectId !== undefined && pointType.test(row.associatedObjectType ?? "")) {
    points.push(row.associatedObjectId);
  }
  return points;
}

function paramsNamed(params: Transaction["params"], name: RegExp): string[] {
  const found: string[] = [];
  for (const [key, value] of Object.entries(params ?? {})) {
    if (name.test(key) && (typeof value === "string" || typeof value === "number") && String(value) !== "") {
      found.push(String(value));
    }
  }
  return found;
}
