import { isDecimalId } from "../panel/types";
import { isObject } from "../plain/plain";
import type { Row } from "./order";

/**
 * Which machine a row belongs to, as one machine sees it. `not said`: the row names no machine, or only by the other kind of name, letters against
 * digits.
 */
export type Whose = "this machine" | "another machine" | "not said";

/** The names in a row. Only names of the kind that the program uses count: a number, or letters. */
interface Names {
  /** The best names of machines that the row has. */
  readonly machines: readonly string[];
  /**
   * Names that may belong to something else: the row's own identifier, or a hypervisor's number. They count for a machine, never against a machine.
   */
  readonly perhaps: readonly string[];
  readonly identifier: readonly string[];
  readonly points: readonly string[];
  readonly paths: readonly string[] | undefined;
}

/** The best first. */
const machineNames = [/^virtual ?(machine|server)( ?id)?$/, /^vm( ?id)?$/];
/** A server may be the hypervisor that does the work. */
const perhapsNames = /^(machine|server|guest|instance)( ?id)?$/;
const machineType = /^(virtual ?(machine|server)|vm|machine)s?$/;
const pointName = /^(backups? ?)?recovery ?point( ?id)?$/;
const pointType = /recovery ?point/;
/** SPEC.md addresses a machine by this segment of a path. */
const machinePath = /(?:^|\/)virtual[-_](?:machines|servers)\/([\w-]+)/;
const pointPath = /(?:^|\/)recovery[-_]points\/([\w-]+)/;

export function whoseRow(row: Row, machine: string): Whose {
  const { machines, perhaps } = namesOf(row);
  const isNamed = (names: readonly string[]): boolean =>
    names.some((name) => name.toLowerCase() === machine.toLowerCase());
  if (isNamed(machines)) return "this machine";
  if (isNamed(perhaps) && !machines.some((name) => isOfKind(name, machine))) return "this machine";
  return machines.some((name) => isOfKind(name, machine)) ? "another machine" : "not said";
}

/** Whether a row names a machine, as far as can be known, by a name of the kind that the program uses: an identifier may be a machine's. */
export function namesMachine(row: Row, machine: string): boolean {
  const { machines, identifier } = namesOf(row);
  return [...machines, ...identifier].some((name) => isOfKind(name, machine));
}

/** Whether two rows name two machines. */
export function nameTwoMachines(one: Row, other: Row): boolean {
  const names = namesOf(other).machines;
  return namesOf(one).machines.some(
    (name) => !names.includes(name) && names.some((another) => isOfKind(another, name)),
  );
}

/** The recovery points that a row names, by names of the kind that the program uses. */
export function pointsIn(row: Row, point: string): readonly string[] {
  return namesOf(row).points.filter((name) => isOfKind(name, point));
}

/** The paths that a row lists. */
export function pathsIn(row: Row): readonly string[] | undefined {
  return namesOf(row).paths;
}

const isOfKind = (name: string, wanted: string): boolean => isDecimalId(name) === isDecimalId(wanted);

/** Every wait on a panel looks at the same rows. */
const known = new WeakMap<Row, Names>();

function namesOf(row: Row): Names {
  const names = known.get(row) ?? readNames(row);
  known.set(row, names);
  return names;
}

function readNames(row: Row): Names {
  const members = membersIn(row.fields, 3);
  const typed = members.flatMap(([name, value, siblings]) => typedTarget(name, value, siblings));
  const targets = (type: RegExp): readonly string[] => typed.filter((one) => type.test(one.type)).map(({ id }) => id);
  const named = (name: RegExp): readonly string[] =>
    members.flatMap(([key, value]) => (name.test(key) ? (idIn(value) ?? []) : []));
  const inPaths = (path: RegExp): readonly string[] =>
    members.flatMap(([, value]) =>
      typeof value === "string" && !/\s/.test(value) ? (path.exec(value)?.[1] ?? []) : [],
    );
  const best = [
    row.named?.machine === undefined ? [] : [row.named.machine],
    targets(machineType),
    ...machineNames.map(named),
    inPaths(machinePath),
  ].find((names) => names.length > 0);
  const identifier = identifierOf(row);
  const paths = members.find(([name, value]) => name === "paths" && Array.isArray(value))?.[1] as unknown[] | undefined;
  return {
    machines: best ?? [],
    perhaps: [...named(perhapsNames), ...identifier],
    identifier,
    points: [
      ...(row.named?.point === undefined ? [] : [row.named.point]),
      ...targets(pointType),
      ...named(pointName),
      ...inPaths(pointPath),
    ],
    paths: paths && paths.length > 0 ? paths.map(String) : undefined,
  };
}

/** A member's name in lower case with spaces, its value, and its siblings. */
type Member = readonly [name: string, value: unknown, siblings: Readonly<Record<string, unknown>>];

function membersIn(fields: Readonly<Record<string, unknown>>, depth: number): readonly Member[] {
  return Object.entries(fields).flatMap(([key, value]): readonly Member[] => {
    const member: Member = [spaced(key), value, fields];
    return depth > 1 && isObject(value) ? [member, ...membersIn(value, depth - 1)] : [member];
  });
}

function spaced(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[-_.:\s]+/g, " ")
    .toLowerCase();
}

/** A pair `<x>_type` and `<x>_id`, or an object with `type` and `id`. */
function typedTarget(
  name: string,
  value: unknown,
  siblings: Readonly<Record<string, unknown>>,
): readonly { readonly type: string; readonly id: string }[] {
  if (isObject(value)) {
    const type = textIn(value, "type") ?? textIn(value, "kind");
    const id = idIn(value);
    return type !== undefined && id !== undefined ? [{ type: spaced(type), id }] : [];
  }
  const stem = / ?type$/.exec(name) && name !== "type" ? name.replace(/ ?type$/, "") : undefined;
  if (stem === undefined || typeof value !== "string") return [];
  const pair = Object.entries(siblings).find(([key]) => spaced(key) === `${stem} id`);
  const id = pair && idIn(pair[1]);
  return id === undefined ? [] : [{ type: spaced(value), id }];
}

/** An id: a string, a number, or an object with an id. */
function idIn(value: unknown): string | undefined {
  if (isObject(value)) return textIn(value, "id") ?? textIn(value, "identifier") ?? textIn(value, "ref");
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
  // No value, as some databases write it.
  if (text === "0") return undefined;
  return /^[\w.:-]{1,128}$/.test(text) ? text : (machinePath.exec(text)?.[1] ?? pointPath.exec(text)?.[1]);
}

function textIn(value: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const found = Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "number" ? String(found) : typeof found === "string" && found !== "" ? found : undefined;
}

/** A decimal identifier names a machine only where the row has no other target: backup 42 has the number of machine 42. */
function identifierOf({ identifier, parentId, parentType = "" }: Row): readonly string[] {
  const hasOtherTarget = parentId !== undefined && !machineType.test(spaced(parentType));
  return identifier === undefined || (isDecimalId(identifier) && hasOtherTarget) ? [] : [identifier];
}
