import { childPath, isGiven, type ReadContext, readPlainObject } from "../../provider/inputs/problems";
import type { Properties } from "../../provider/plain/plain";

export interface AttemptResult {
  /** Why the attempt did not pass, in a few words, without quoting anything received. Undefined if it passed. */
  readonly problem?: string;
  readonly output?: string;
}

/** Makes one attempt within `limitMs`; cleaning up may take a little longer. Never rejects. */
export type CheckAttempt = (limitMs: number) => Promise<AttemptResult>;

/** The number of bytes to read from a response or a command's output. */
export const maxOutputBytes = 1024 * 1024;

/** Returns a system error's code, or else the error's name. Neither quotes the request. */
export function codeOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name;
}

/** A kind of check: everything that plans, waves and the schema need to know about it. */
export interface CheckKind<Probe extends object> {
  readonly description: string;
  /** The properties that only this kind of check has, apart from the property that selects the kind, such as `http`. */
  readonly options: readonly string[];
  /** Reads what the check sends and expects. Returns undefined while a part is unknown, or if there is a problem. */
  readonly read: (given: Properties, path: string, context: ReadContext) => Probe | undefined;
  readonly attempt: (probe: Probe) => CheckAttempt;
  /** The host, for the default name of a check. `given` has not been validated, so it may be anything. */
  readonly host?: (given: unknown) => string | undefined;
  /** The strings in the probe that must not be shown. */
  readonly secrets: (probe: Probe) => readonly string[];
}

/** A value that is unknown or invalid. */
export const unusable = Symbol("unusable");
export type Reading<Value> = Value | typeof unusable;

/** Returns why a value is invalid, as text to append to the value's path. */
type ProblemOf = (value: unknown) => string | undefined;

export function readLeaf(
  value: unknown,
  path: string,
  problemOf: ProblemOf,
  { isUnknown, problems }: ReadContext,
): Reading<string> {
  if (isUnknown(value)) return unusable;
  const problem = problemOf(value);
  if (problem === undefined) return value as string;
  problems.add(path, problem);
  return unusable;
}

export function readNamedTexts(
  value: unknown,
  path: string,
  problemOf: (name: string, text: unknown) => string | undefined,
  context: ReadContext,
): Reading<Readonly<Record<string, string>>> {
  if (!isGiven(value)) return {};
  if (context.isUnknown(value)) return unusable;
  const given = readPlainObject(value, path, "an object of strings", context.problems);
  if (given === undefined) return unusable;
  const texts = Object.entries(given).map(([name, text]) =>
    readLeaf(text, childPath(path, name), (known) => problemOf(name, known), context),
  );
  return texts.includes(unusable) ? unusable : (given as Readonly<Record<string, string>>);
}

/** The engine's protocol cannot carry lone surrogates, so sending one would end the run. */
export function surrogateProblem(text: string): string | undefined {
  return /\p{Cs}/u.test(text) ? " contains half a character: perhaps the text was cut off" : undefined;
}
