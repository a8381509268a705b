import type { Transaction } from "../../panel/terms/types";

/** What a row says about the machine somebody asks for. `untold`: nothing, so the machine's own log has to tell. */
export type Tie = "ours" | "another's" | "untold";

/** Machine ids by identifier, learned from rows that carry both; null where rows have shown it beside several machines. */
export type Identifiers = ReadonlyMap<string, string | null>;

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
 *
 * A row's own identifier can only speak for us. It may be its target's, a backup's for example, so one that is not this
 * machine's does not make the row another's.
 */
export function tieOf(row: Named, machine: string, identifiers: Identifiers): Tie {
  const verdicts = machinesNamed(row).map((name) => sameMachine(name, machine, identifiers));
  if (verdicts.includes(true) || identifierOf(row) === machine) return "ours";
  if (verdicts.includes(false)) return "another's";
  const identifier = identifierOf(row);
  return identifier !== undefined && sameMachine(identifier, machine, identifiers) === true ? "ours" : "untold";
}

/** The machines that a row names as such. */
function machinesNamed(row: Named): readonly string[] {
  const names = paramsNamed(row.params, machineParam);
  if (row.associatedObjectId !== undefined && machineType.test(row.associatedObjectType ?? "")) {
    names.push(row.associatedObjectId);
  }
  if (row.parentId !== undefined && machineType.test(row.parentType ?? "")) names.push(row.parentId);
  return names;
}

/** A decimal identifier is a machine's only where the row works on nothing else: backup 42 has the number of machine 42. */
function identifierOf(row: Named): string | undefined {
  const { identifier } = row;
  if (identifier === undefined || identifier === "") return undefined;
  return decimal.test(identifier) && worksOnSomethingElse(row) ? undefined : identifier;
}

/** Whether the direct target is not a machine, so that the identifier may be that target's. */
function worksOnSomethingElse({ parentId, parentType = "" }: Named): boolean {
  return parentId !== undefined && !machineType.test(parentType);
}

/** True or false when it is certain; undefined when the two are names of different kinds and nothing links them. */
function sameMachine(name: string, machine: string, identifiers: Identifiers): boolean | undefined {
  if (name === machine) return true;
  if (decimal.test(name) === decimal.test(machine)) return false;
  const [identifier, id] = decimal.test(name) ? [machine, name] : [name, machine];
  const known = identifiers.get(identifier);
  return typeof known === "string" ? known === id : undefined;
}

/** Remembers a pair of names for one machine, where a row that works on the machine itself carries both. */
export function learnNames(identifiers: Map<string, string | null>, row: Named): void {
  const { identifier } = row;
  if (identifier === undefined || identifier === "" || decimal.test(identifier) || worksOnSomethingElse(row)) return;
  const id = machineType.test(row.associatedObjectType ?? "") ? row.associatedObjectId : row.parentId;
  if (id === undefined || !decimal.test(id)) return;
  const known = identifiers.get(identifier);
  identifiers.set(identifier, known === undefined || known === id ? id : null);
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
