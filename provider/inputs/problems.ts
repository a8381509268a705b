import { isObject } from "../plain/plain";
import { show } from "../plain/text";
import type { CheckFailure } from "./check-restore";
import { closestName } from "./rules";

/**
 * Collects everything that is wrong with a plan, each named by the full path of the property as the program wrote it, so that it is told
 * at once and not one by one.
 */
export class Problems {
  readonly #found: CheckFailure[] = [];

  /** `problem` reads on right after the path: `waves` + ` is missing`. */
  add(property: string, problem: string): void {
    this.#found.push({ property, reason: `${property}${problem}` });
  }

  get all(): readonly CheckFailure[] {
    return this.#found;
  }
}

/** Whether a value is not there yet: an output in a program, a placeholder in the provider process. */
export type IsOpen = (value: unknown) => boolean;

/** What all readers are handed. */
export interface Reader {
  readonly isOpen: IsOpen;
  readonly problems: Problems;
}

/** The path of a property within another: `waves[1]`, `waves[1].restores`, `restores["web 1"]`. */
export function at(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${String(key)}]`;
  const segment = /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) ? key : undefined;
  if (segment === undefined) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? segment : `${path}.${segment}`;
}

export type Properties = Readonly<Record<string, unknown>>;

/** An object that has no properties but the known ones. One whose value is undefined or null counts as absent. */
export function readObject(
  value: unknown,
  path: string,
  known: readonly string[],
  reader: Reader,
): Properties | undefined {
  if (reader.isOpen(value)) {
    mustBePlain(path, reader);
    return undefined;
  }
  const { problems } = reader;
  const given = propertiesOf(value, path, "an object", problems);
  if (given === undefined) return undefined;
  for (const key of Object.keys(given)) {
    if (given[key] === undefined || given[key] === null || known.includes(key)) continue;
    problems.add(at(path, key), ` is no property that is known here${closestName(key, known)}`);
  }
  return given;
}

/**
 * The properties of an object; `wanted` is what to give instead of anything else. A map, a date and the like are objects too, but what they
 * hold are no properties: a goal in a map would be passed over.
 */
export function propertiesOf(value: unknown, path: string, wanted: string, problems: Problems): Properties | undefined {
  if (!isObject(value)) {
    problems.add(path, ` is ${show(value)}: give ${wanted}`);
    return undefined;
  }
  if (Object.prototype.toString.call(value) !== "[object Object]") {
    problems.add(path, " is an object of another kind: give a plain one, like { name: … }");
    return undefined;
  }
  return value;
}

export function mustBePlain(path: string, { problems }: Reader): void {
  problems.add(path, " is not known before the run: give a plain value here, no output of a resource");
}

/** One of a few words. */
export function readWord<Word extends string>(
  value: unknown,
  path: string,
  words: readonly Word[],
  reader: Reader,
): Word | undefined {
  const { isOpen, problems } = reader;
  if (isOpen(value)) {
    mustBePlain(path, reader);
    return undefined;
  }
  const word = words.find((known) => known === value);
  if (word !== undefined) return word;
  problems.add(path, ` is ${show(value)}: give ${words.map((known) => `"${known}"`).join(" or ")}`);
  return undefined;
}

const controls = /[\p{Cc}\p{Cs}]/u;

export function textProblem(value: unknown, longest: number): string | undefined {
  if (typeof value !== "string" || value.trim() === "") return ` is ${show(value)}: give a text`;
  if (value.length > longest) return ` is longer than ${String(longest)} characters`;
  return controls.test(value) ? " holds a control character" : undefined;
}
