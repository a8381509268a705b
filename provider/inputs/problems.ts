import { isObject, type Properties } from "../plain/plain";
import { showValue, onOneLine } from "../plain/text";

/** A value in its stored form, or a problem. A problem is appended to the value's path: `paths` + `[2] is given twice`. */
export type ReadResult<Value> = { readonly value: Value } | { readonly problem: string };
export type ValueReader<Value, Given = unknown> = (given: Given) => ReadResult<Value>;

/** One problem in the engine's form. Both fields contain the whole path. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** Collects problems, so that all are reported at once. Each names its property by the full path, as the program wrote it. */
export class Problems {
  readonly #found: CheckFailure[] = [];
  /** Values that no message may show. */
  readonly #hidden = new Set<string>();

  /** Hides all text in this value from later messages, because it may be a secret. */
  hide(value: unknown): void {
    if (typeof value === "string") {
      const shown = onOneLine(value);
      if (shown.length > 3) this.#hidden.add(shown);
    } else if (typeof value === "object" && value !== null && !(value instanceof Promise)) {
      for (const part of Object.values(value)) this.hide(part);
    }
  }

  /** `problem` is appended to the path: `waves` + ` is missing`. */
  add(property: string, problem: string): void {
    // The plan's own object has an empty path.
    const subject = property === "" && problem.startsWith(" ") ? "the plan" : property;
    const hidden = [...this.#hidden].reduce((text, secret) => text.replaceAll(secret, "…"), problem);
    this.#found.push({ property, reason: `${subject}${hidden}` });
  }

  get all(): readonly CheckFailure[] {
    return this.#found;
  }
}

/** True for an unknown value: an output in a program, a placeholder in the provider process. */
type IsUnknown = (value: unknown) => boolean;

/** Passed to every function that reads nested values. */
export interface ReadContext {
  readonly isUnknown: IsUnknown;
  readonly problems: Problems;
}

/** The path of a property within another: `waves[1]`, `waves[1].restores`, `restores["web 1"]`. */
export function childPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${String(key)}]`;
  if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** Reads an object that may have only known properties. A property that is undefined or null is treated as absent. */
export function readObject(
  value: unknown,
  path: string,
  known: readonly string[],
  context: ReadContext,
): Properties | undefined {
  if (context.isUnknown(value)) {
    reportUnknown(path, context);
    return undefined;
  }
  const { problems } = context;
  const given = readPlainObject(value, path, "an object", problems);
  if (given === undefined) return undefined;
  for (const key of Object.keys(given)) {
    if (given[key] === undefined || given[key] === null || known.includes(key)) continue;
    problems.add(childPath(path, key), ` is not a known property${didYouMean(key, known)}`);
  }
  return given;
}

/** Reads a plain object. For any other value, the problem names what is `wanted`. Maps and dates are rejected, because their contents would be ignored. */
export function readPlainObject(
  value: unknown,
  path: string,
  wanted: string,
  problems: Problems,
): Properties | undefined {
  if (!isObject(value)) {
    problems.add(path, ` is ${showValue(value)}: expected ${wanted}`);
    return undefined;
  }
  if (Object.prototype.toString.call(value) !== "[object Object]") {
    problems.add(path, " is not a plain object: pass an object like { name: … }");
    return undefined;
  }
  return value;
}

export function reportUnknown(path: string, { problems }: ReadContext): void {
  problems.add(path, " is not known before the run: use a plain value here, not a resource output");
}

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Reads a value that must be one of a few words. */
export function oneOf<Word extends string>(...words: readonly Word[]): ValueReader<Word> {
  const quoted = words.map((word) => `"${word}"`);
  const choice = [quoted.slice(0, -1).join(", "), ...quoted.slice(-1)].join(" or ");
  return (given) => {
    const value = words.find((word) => word === given);
    return value === undefined ? { problem: ` is ${showValue(given)}: expected ${choice}` } : { value };
  };
}

/** Reads a value that must be known before the run. Undefined if the value is absent or has a problem. */
export function readPlain<Value>(
  value: unknown,
  path: string,
  read: ValueReader<Value>,
  context: ReadContext,
): Value | undefined {
  if (!isGiven(value)) return undefined;
  if (context.isUnknown(value)) {
    reportUnknown(path, context);
    return undefined;
  }
  const reading = read(value);
  if ("value" in reading) return reading.value;
  context.problems.add(path, reading.problem);
  return undefined;
}

export const readBoolean: ValueReader<boolean> = (given) => {
  if (typeof given === "boolean") return { value: given };
  const hint = given === "true" || given === "false" ? ", without quotes" : "";
  return { problem: ` is ${showValue(given)}, but must be true or false${hint}` };
};

/** Reads a whole number, at least 1. */
export function wholeNumberUpTo(largest?: number): ValueReader<number> {
  const allowed = largest === undefined ? "of at least 1" : `from 1 to ${String(largest)}`;
  return (given) => {
    const value = typeof given === "number" && Number.isSafeInteger(given) ? given : 0;
    if (value >= 1 && value <= (largest ?? value)) return { value };
    return { problem: ` is ${showValue(given)}, but must be a whole number ${allowed}` };
  };
}

const controlCharacters = /[\p{Cc}\p{Cs}]/u;

export function textProblem(value: unknown, longest: number): string | undefined {
  if (typeof value !== "string" || value.trim() === "") return ` is ${showValue(value)}: expected a string`;
  if (value.length > longest) return ` is longer than ${String(longest)} characters`;
  return controlCharacters.test(value) ? " contains a control character" : undefined;
}

/** `, did you mean "timeouts"?` if a known name is one typo away. Otherwise, all known names, if `what` they are is given. */
export function didYouMean(name: string, known: readonly string[], what?: string): string {
  const meant = nearestName(name, known);
  if (meant !== undefined) return `, did you mean "${meant}"?`;
  return what === undefined ? "" : `: the ${what} are ${known.join(", ")}`;
}

/** The known name that is one typo away, if there is one. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const spelled = name.toLowerCase();
  const [best] = known
    .map((candidate) => ({ candidate, differing: differingLetters(spelled, candidate.toLowerCase()) }))
    .sort((a, b) => a.differing - b.differing);
  if (best === undefined || best.differing > Math.max(1, Math.floor(best.candidate.length / 4))) return undefined;
  return best.candidate;
}

/** Counts the letters between the two words' common prefix and their common suffix, because a typo affects only one place in a word. */
function differingLetters(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end;
}
