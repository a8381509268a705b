import { asSent } from "../panel/secrets";
import { isDecimalId } from "../panel/types";
import { isObject } from "../plain/plain";
import type { Row } from "./order";

/**
 * Which machine a row belongs to, as one machine sees it. `not said`: the row names no machine, or only by the other kind of name, letters against
 * digits.
 */
export type Whose = "this machine" | "another machine" | "not said";

/** The names in a row. Only names of the kind that the program uses count: a number, or letters. Names of machines are in lower case. */
interface Names {
  /** The best names of machines that the row has. */
  readonly machines: readonly string[];
  /** Its other names of machines: a panel may have a number of its own beside the number of its paths. */
  readonly further: readonly string[];
  /** A server, a guest or an instance may be the hypervisor that does the work, or a node: it counts for a machine, never against a machine. */
  readonly perhaps: readonly string[];
  /** A `machine`: that of the program, or the host. It counts against a machine once a restore of this program was named by it. */
  readonly machineOrHost: readonly string[];
  /** A machine's, or the row's own: it counts for a machine, never against a machine. */
  readonly identifier: readonly string[];
  readonly points: readonly string[];
  readonly paths: readonly string[] | undefined;
}

/** The best first. */
const machineNames = [/^virtual ?(machine|server)( ?id)?$/, /^vm( ?id)?$/];
const hostOrMachineNames = /^machine( ?id)?$/;
const perhapsNames = /^(server|guest|instance)( ?id)?$/;
const machineType = /^(virtual ?(machine|server)|vm|machine)s?$/;
const pointName = /^(backups? ?)?recovery ?point( ?id)?$/;
const pointType = /recovery ?point/;
/** SPEC.md addresses a machine by this segment of a path. */
const machinePath = /(?:^|\/)virtual[-_](?:machines|servers)\/([\w-]+)/;
const pointPath = /(?:^|\/)recovery[-_]points\/([\w-]+)/;

export function whoseRow(row: Row, machine: string): Whose {
  const { machines, further, perhaps, machineOrHost, identifier } = namesOf(row);
  const own = machine.toLowerCase();
  if (machines.includes(own) || further.includes(own)) return "this machine";
  if (machines.some((name) => isOfKind(name, machine))) return "another machine";
  return [...machineOrHost, ...perhaps, ...identifier].includes(own) ? "this machine" : "not said";
}

/** Whether a row that names no machine for certain names another machine, or its host, as `machine`. */
export function mayNameAnother(row: Row, machine: string): boolean {
  const { machineOrHost } = namesOf(row);
  return machineOrHost.some((name) => isOfKind(name, machine)) && whoseRow(row, machine) === "not said";
}

/** Whether this machine is named as `machine`, and by nothing better. */
export const isNamedAsMachine = (row: Row, machine: string): boolean =>
  namesOf(row).machineOrHost.includes(machine.toLowerCase());

/** Whether a row has this machine among its names, and a better name is another. */
export function namesAnotherBefore(row: Row, machine: string): boolean {
  const { machines, further } = namesOf(row);
  const own = machine.toLowerCase();
  return !machines.includes(own) && further.includes(own) && machines.some((name) => isOfKind(name, machine));
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

/** What rows that thousands of restores look at have named: each read is gone through once. */
export class Listed {
  readonly #reads = new WeakMap<readonly Row[], ReadRows>();
  readonly #byKey = new Map<string, readonly string[]>();

  /** `keysOf`: the keys under which others may link to a row. */
  constructor(private readonly keysOf: (row: Row) => readonly string[]) {}

  /** The rows of a read, newest first, but for those of other machines. */
  of(rows: readonly Row[], machine: string): readonly Row[] {
    const { byName, withoutNumber, withoutLetters } = this.#read(rows);
    const unnamed = isDecimalId(machine) ? withoutNumber : withoutLetters;
    const places = [...(byName.get(machine.toLowerCase()) ?? []), ...unnamed].sort((a, b) => a - b);
    return places.flatMap((place) => rows[place] ?? []);
  }

  shows(rows: readonly Row[], id: string): boolean {
    return this.#read(rows).ids.has(id);
  }

  /** Whether a link leads to a row, of this read or of an earlier read, that is another machine's. */
  isForeign(link: string, machine: string): boolean {
    const names = this.#byKey.get(link) ?? [];
    return !names.includes(machine.toLowerCase()) && names.some((name) => isOfKind(name, machine));
  }

  #read(rows: readonly Row[]): ReadRows {
    const found = this.#reads.get(rows);
    if (found !== undefined) return found;
    const read: ReadRows = { ids: new Set(), byName: new Map(), withoutNumber: [], withoutLetters: [] };
    this.#reads.set(rows, read);
    for (const [place, row] of rows.entries()) {
      const { machines: best, further } = namesOf(row);
      const machines = [...best, ...further];
      read.ids.add(row.id);
      for (const name of new Set(machines)) {
        const places = read.byName.get(name) ?? [];
        read.byName.set(name, places);
        places.push(place);
      }
      if (!machines.some(isDecimalId)) read.withoutNumber.push(place);
      if (machines.every(isDecimalId)) read.withoutLetters.push(place);
      for (const key of this.keysOf(row)) {
        const before = this.#byKey.get(key) ?? [];
        const more = machines.filter((name) => !before.includes(name));
        if (more.length > 0) this.#byKey.set(key, [...before, ...more]);
      }
    }
    return read;
  }
}

/** The places of rows in a read. */
interface ReadRows {
  readonly ids: Set<string>;
  readonly byName: Map<string, number[]>;
  readonly withoutNumber: number[];
  readonly withoutLetters: number[];
}

/** The recovery points that a row names, by names of the kind that the program uses. */
export function pointsIn(row: Row, point: string): readonly string[] {
  return namesOf(row).points.filter((name) => isOfKind(name, point));
}

/** Whether any of the rows names this recovery point. */
export const namePoint = (rows: readonly Row[], point: string): boolean =>
  rows.some((row) => pointsIn(row, point).includes(point));

/** The paths that a row lists. */
export function pathsIn(row: Row): readonly string[] | undefined {
  return namesOf(row).paths;
}

const isOfKind = (name: string, wanted: string): boolean => isDecimalId(name) === isDecimalId(wanted);

/** Every wait on a panel looks at the same rows. */
const known = new WeakMap<Row, Names>();

function namesOf(row: Row): Names {
  const names = known.get(row) ?? readNames(asSent(row));
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
  const all = [
    row.named?.machine === undefined ? [] : [row.named.machine],
    targets(machineType),
    ...machineNames.map(named),
    inPaths(machinePath),
  ].filter((names) => names.length > 0);
  const [best = [], ...further] = row.named?.machine === undefined ? all : all.slice(0, 1);
  // Elsewhere it may be a worker's.
  const { params } = row.fields;
  const own = Object.entries({ ...(isObject(params) && params), ...row.fields }).flatMap(([key, value]) =>
    hostOrMachineNames.test(spaced(key)) ? (idIn(value) ?? []) : [],
  );
  const identifier = lowered(identifierOf(row));
  const paths = members.find(([name, value]) => name === "paths" && Array.isArray(value))?.[1] as unknown[] | undefined;
  return {
    machines: lowered(best),
    further: lowered(further.flat()),
    perhaps: best.length > 0 ? [] : lowered(named(perhapsNames)),
    machineOrHost: best.length > 0 ? [] : lowered(own),
    identifier,
    points: [
      ...(row.named?.point === undefined ? [] : [row.named.point]),
      ...targets(pointType),
      ...named(pointName),
      ...inPaths(pointPath),
    ],
    paths: paths && pathTexts(paths),
  };
}

/** An entry is a path or has one. Other texts say nothing of what is restored. */
function pathTexts(entries: readonly unknown[]): readonly string[] | undefined {
  const texts = entries.map((entry) => (isObject(entry) ? textIn(entry, "path") : String(entry)) ?? "");
  return texts.length > 0 && texts.every((text) => text.startsWith("/")) ? texts : undefined;
}

const lowered = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());

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
