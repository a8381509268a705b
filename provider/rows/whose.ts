import { isDecimalId } from "../panel/types";
import type { Row } from "./order";

/**
 * Which machine a row belongs to, from the point of view of one machine. `not said`: the row names no machine, or names machines only in the other form
 * (letters instead of digits, or vice versa).
 */
export type Whose = "this machine" | "another machine" | "not said";

export function whoseRow({ machines, perhaps }: Row, machine: string): Whose {
  const own = machine.toLowerCase();
  if (machines.includes(own)) return "this machine";
  if (machines.some((name) => isOfKind(name, machine))) return "another machine";
  return perhaps.includes(own) ? "this machine" : "not said";
}

/** Whether a row is known to name a machine in the form that the program uses, digits or letters. */
export function namesMachine(row: Row, machine: string): boolean {
  const { machines, identifier } = row;
  const isNamed = [...machines, ...(identifier === undefined ? [] : [identifier])].some((name) =>
    isOfKind(name, machine),
  );
  return isNamed || whoseRow(row, machine) === "this machine";
}

export function nameTwoMachines(one: Row, other: Row): boolean {
  return one.machines.some(
    (name) => !other.machines.includes(name) && other.machines.some((another) => isOfKind(another, name)),
  );
}

/** An index of the names in rows. Thousands of restores use it, so each read is indexed only once. */
export class Listed {
  readonly #reads = new WeakMap<readonly Row[], ReadRows>();
  readonly #byKey = new Map<string, readonly string[]>();

  /** `keysOf`: the keys under which other rows may link to a row. */
  constructor(private readonly keysOf: (row: Row) => readonly string[]) {}

  /** The rows of a read, newest first, without those of other machines. */
  of(rows: readonly Row[], machine: string): readonly Row[] {
    const { byName, withoutNumber, withoutLetters } = this.#read(rows);
    const unnamed = isDecimalId(machine) ? withoutNumber : withoutLetters;
    const places = [...(byName.get(machine.toLowerCase()) ?? []), ...unnamed].sort((a, b) => a - b);
    return places.map((place) => rows[place]).filter((row) => row !== undefined);
  }

  shows(rows: readonly Row[], id: string): boolean {
    return this.#read(rows).ids.has(id);
  }

  /** Whether a link leads to another machine's row, in this read or an earlier read. */
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
      const { machines } = row;
      read.ids.add(row.id);
      for (const name of machines) {
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

interface ReadRows {
  readonly ids: Set<string>;
  readonly byName: Map<string, number[]>;
  readonly withoutNumber: number[];
  readonly withoutLetters: number[];
}

/** The recovery points that a row names in the form that the program uses, digits or letters. */
export function pointsIn(row: Row, point: string): readonly string[] {
  return row.points.filter((name) => isOfKind(name, point));
}

export const namePoint = (rows: readonly Row[], point: string): boolean =>
  rows.some((row) => pointsIn(row, point).includes(point));

const isOfKind = (name: string, wanted: string): boolean => isDecimalId(name) === isDecimalId(wanted);
