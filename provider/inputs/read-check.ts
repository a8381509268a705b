import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { isObject, type Properties } from "../plain/plain";
import { showValue } from "../plain/text";
import {
  childPath,
  isGiven,
  readPlainObject,
  type ReadContext,
  readObject,
  reportUnknown,
  textProblem,
} from "./problems";
import { readDuration } from "./read-goals";

/** How often and how long a check is tried. */
export type CheckTimes = Pick<StoredCheckPlan, "everySeconds" | "withinSeconds" | "afterSeconds">;

/** Everything that is needed to run a check. May contain secrets. */
export type Probe =
  | {
      readonly kind: "http";
      readonly url: string;
      /** Empty: any from 200 to 299. */
      readonly statuses: readonly number[];
      readonly contains?: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly caFile?: string;
    }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "command"; readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> };

export interface ParsedCheck {
  readonly kind: StoredCheckPlan["kind"];
  readonly name?: string;
  readonly times: CheckTimes;
  /** Absent while a part of it is unknown. */
  readonly probe?: Probe;
}

export const checkKinds = ["http", "tcp", "command"] as const;
const optionsByKind: Readonly<Record<StoredCheckPlan["kind"], readonly string[]>> = {
  http: ["status", "contains", "headers", "caFile"],
  tcp: [],
  command: ["env"],
};
const timeProperties = ["every", "within", "after"];
const allProperties = ["name", ...checkKinds, ...timeProperties, ...Object.values(optionsByKind).flat()];

const defaultTimes: CheckTimes = { everySeconds: 5, withinSeconds: 300, afterSeconds: 0 };

/** Reads one check of a restore. If it is invalid, adds a problem and returns undefined. */
export function readCheck(value: unknown, path: string, context: ReadContext): ParsedCheck | undefined {
  const given = readObject(value, path, allProperties, context);
  if (given === undefined) return undefined;
  const named = checkKinds.filter((kind) => isGiven(given[kind]));
  const [kind] = named;
  if (kind === undefined) {
    context.problems.add(path, ' needs one of "http", "tcp" or "command"');
    return undefined;
  }
  if (named.length > 1) {
    context.problems.add(path, ` has ${named.join(" and ")}: give one of them, and a second check for the other`);
    return undefined;
  }
  for (const option of Object.values(optionsByKind).flat()) {
    if (!isGiven(given[option]) || optionsByKind[kind].includes(option)) continue;
    context.problems.add(childPath(path, option), ` does not apply to a check with ${kind}`);
  }
  const seconds = (name: string, minSeconds: number): number | undefined =>
    readDuration(given[name], childPath(path, name), { minSeconds }, context);
  const probe = probeReaders[kind](given, path, context);
  const name = readName(given["name"], childPath(path, "name"), context);
  return {
    kind,
    ...(name !== undefined && { name }),
    times: {
      everySeconds: seconds("every", 1) ?? defaultTimes.everySeconds,
      withinSeconds: seconds("within", 1) ?? defaultTimes.withinSeconds,
      afterSeconds: seconds("after", 0) ?? defaultTimes.afterSeconds,
    },
    ...(probe && { probe }),
  };
}

/** It is part of sentences and tables, so it is short and known before anything is sent. */
function readName(value: unknown, path: string, context: ReadContext): string | undefined {
  if (!isGiven(value)) return undefined;
  if (context.isUnknown(value)) {
    reportUnknown(path, context);
    return undefined;
  }
  const problem = textProblem(value, 100);
  if (problem === undefined) return value as string;
  context.problems.add(path, problem);
  return undefined;
}

const probeReaders: Readonly<
  Record<StoredCheckPlan["kind"], (given: Properties, path: string, context: ReadContext) => Probe | undefined>
> = {
  http(given, path, context) {
    const url = readLeaf(given["http"], childPath(path, "http"), urlProblem, context);
    const statuses = readStatuses(given["status"], childPath(path, "status"), context);
    const contains = readOptional(
      given["contains"],
      childPath(path, "contains"),
      (value) => longTextProblem(value, 10_000),
      context,
    );
    const headers = readTexts(given["headers"], childPath(path, "headers"), headerProblem, context);
    const caFile = readOptional(given["caFile"], childPath(path, "caFile"), fileProblem, context);
    if (
      url === unusable ||
      statuses === unusable ||
      contains === unusable ||
      headers === unusable ||
      caFile === unusable
    )
      return undefined;
    return {
      kind: "http",
      url,
      statuses,
      headers,
      ...(contains !== undefined && { contains }),
      ...(caFile !== undefined && { caFile }),
    };
  },
  tcp(given, path, context) {
    const address = readLeaf(given["tcp"], childPath(path, "tcp"), tcpProblem, context);
    const place = address === unusable ? undefined : hostAndPort(address);
    return place && { kind: "tcp", ...place };
  },
  command(given, path, context) {
    const argv = readArgv(given["command"], childPath(path, "command"), context);
    const env = readTexts(given["env"], childPath(path, "env"), variableProblem, context);
    return argv === unusable || env === unusable ? undefined : { kind: "command", argv, env };
  },
};

/** A value that is unknown or invalid. */
const unusable = Symbol("open");

function readLeaf(
  value: unknown,
  path: string,
  problemOf: (value: unknown) => string | undefined,
  { isUnknown, problems }: ReadContext,
): string | typeof unusable {
  if (isUnknown(value)) return unusable;
  const problem = problemOf(value);
  if (problem === undefined) return value as string;
  problems.add(path, problem);
  return unusable;
}

function readOptional(
  value: unknown,
  path: string,
  problemOf: (value: unknown) => string | undefined,
  context: ReadContext,
): string | undefined | typeof unusable {
  return isGiven(value) ? readLeaf(value, path, problemOf, context) : undefined;
}

function readStatuses(
  value: unknown,
  path: string,
  { isUnknown, problems }: ReadContext,
): readonly number[] | typeof unusable {
  if (!isGiven(value)) return [];
  if (isUnknown(value)) return unusable;
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (given.some(isUnknown)) return unusable;
  const wrong = given.find((status) => !(Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599));
  if (wrong === undefined && given.length > 0) return given as readonly number[];
  problems.add(path, ` is ${shownOrEmpty(wrong ?? value)}: give a status like 200, or a list of them`);
  return unusable;
}

function shownOrEmpty(value: unknown): string {
  return Array.isArray(value) && value.length === 0 ? "empty" : showValue(value);
}

function readTexts(
  value: unknown,
  path: string,
  problemOf: (name: string, text: unknown) => string | undefined,
  { isUnknown, problems }: ReadContext,
): Readonly<Record<string, string>> | typeof unusable {
  if (!isGiven(value)) return {};
  if (isUnknown(value)) return unusable;
  const given = readPlainObject(value, path, "an object of texts", problems);
  if (given === undefined) return unusable;
  let complete = true;
  for (const [name, text] of Object.entries(given)) {
    const problem = isUnknown(text) ? undefined : problemOf(name, text);
    if (problem !== undefined) problems.add(childPath(path, name), problem);
    if (isUnknown(text) || problem !== undefined) complete = false;
  }
  return complete ? (given as Readonly<Record<string, string>>) : unusable;
}

function readArgv(
  value: unknown,
  path: string,
  { isUnknown, problems }: ReadContext,
): readonly string[] | typeof unusable {
  if (isUnknown(value)) return unusable;
  if (!Array.isArray(value) || value.length === 0) {
    // No message repeats a word of a command, which may be a password.
    const what = Array.isArray(value) ? "an empty list" : "no list";
    problems.add(path, ` is ${what}: give the command and its arguments as a list, like ["ssh", "web", "true"]`);
    return unusable;
  }
  const words: readonly unknown[] = value;
  let complete = true;
  for (const [index, word] of words.entries()) {
    if (isUnknown(word)) {
      complete = false;
      continue;
    }
    const problem =
      typeof word !== "string"
        ? " is no text"
        : word.includes("\0")
          ? " holds a null character, which a command cannot have"
          : loneSurrogate.test(word)
            ? surrogateProblem
            : index === 0 && word.trim() === ""
              ? " is empty: name the command"
              : undefined;
    if (problem === undefined) continue;
    complete = false;
    problems.add(childPath(path, index), problem);
  }
  return complete ? (words as readonly string[]) : unusable;
}

function urlProblem(value: unknown): string | undefined {
  const wanted = ': give an address like "https://shop.example.com/health"';
  if (typeof value !== "string" || !URL.canParse(value)) return ` is ${showValue(value)}${wanted}`;
  if (loneSurrogate.test(value)) return surrogateProblem;
  const { protocol, username, password } = new URL(value);
  if (protocol !== "http:" && protocol !== "https:") return ` is ${showValue(value)}${wanted}`;
  if (username !== "" || password !== "") {
    return " holds a user name or a password: give them in headers, { authorization: … }, where they are kept as a secret";
  }
  return undefined;
}

function tcpProblem(value: unknown): string | undefined {
  if (typeof value === "string" && hostAndPort(value) !== undefined) return undefined;
  return ` is ${showValue(value)}: give a host and a port, like "10.0.0.43:5432" or "[2001:db8::43]:5432"`;
}

function hostAndPort(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, six, name, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? name;
  const port = Number(digits);
  if (host === undefined || !(port >= 1 && port <= 65_535)) return undefined;
  return six !== undefined && isIP(six) !== 6 ? undefined : { host, port };
}

function longTextProblem(value: unknown, longest: number): string | undefined {
  if (typeof value !== "string" || value === "") return ` is ${showValue(value)}: give a text`;
  if (value.length > longest) return ` is longer than ${String(longest)} characters`;
  return loneSurrogate.test(value) ? surrogateProblem : undefined;
}

/** The engine's protocol cannot carry half of a surrogate pair: the run would end there. */
const loneSurrogate = /\p{Cs}/u;
const surrogateProblem = " holds half a character: perhaps the text was cut";

function fileProblem(value: unknown): string | undefined {
  const problem = textProblem(value, 4_096);
  if (problem !== undefined) return problem;
  // The provider process and the program may have different working folders.
  return isAbsolute(String(value)) || String(value).startsWith("./")
    ? undefined
    : ` is ${showValue(value)}: give a full path, or one from the project's folder that starts with "./"`;
}

/** The values are secrets, so no message repeats one. */
function headerProblem(name: string, text: unknown): string | undefined {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}$/.test(name)) return " is not a valid header name";
  if (typeof text !== "string") return ` is ${showValue(typeof text === "object" ? {} : text)}: give a text`;
  return /[^\t\u0020-\u007e\u0080-\u00ff]/.test(text) ? " holds a character that a header cannot have" : undefined;
}

function variableProblem(name: string, text: unknown): string | undefined {
  if (name === "" || /[=\0]/.test(name)) return " is not a valid variable name";
  if (typeof text !== "string") return " is not a text";
  if (loneSurrogate.test(text)) return surrogateProblem;
  return text.includes("\0") ? " holds a null character, which a variable cannot have" : undefined;
}

/** A command's program. Earlier versions stored all words of the command. */
export function programOf(command: string): string {
  return command.split(" ", 1)[0] ?? "";
}

/** The check as one of today, without the words of a command. */
export function withProgramAlone<Check extends { readonly kind?: unknown; readonly target?: unknown }>(
  check: Check,
): Check {
  const { kind, target } = check;
  return kind === "command" && typeof target === "string" ? { ...check, target: programOf(target) } : check;
}

/** The same of all checks of a stored plan. */
export function withProgramsAlone(plan: unknown): unknown {
  const change = (value: unknown, name: string, by: (part: unknown) => unknown): unknown =>
    isObject(value) && value[name] !== undefined ? { ...value, [name]: by(value[name]) } : value;
  const each = (value: unknown, by: (part: unknown) => unknown): unknown =>
    Array.isArray(value) ? value.map(by) : value;
  const ofRestore = (restore: unknown): unknown =>
    change(restore, "checks", (checks) => each(checks, (check) => (isObject(check) ? withProgramAlone(check) : check)));
  const ofRestores = (restores: unknown): unknown =>
    isObject(restores)
      ? Object.fromEntries(Object.entries(restores).map(([name, restore]) => [name, ofRestore(restore)]))
      : restores;
  return change(plan, "waves", (waves) => each(waves, (wave) => change(wave, "restores", ofRestores)));
}

/** A check in sentences and tables: `command psql`, or `orders are there, command psql`. */
export function checkLabel({
  kind,
  target,
  name,
}: {
  readonly kind: string;
  readonly target: string;
  readonly name?: string;
}): string {
  return name === undefined ? `${kind} ${target}` : `${name}, ${kind} ${target}`;
}

export interface StoredCheckPlan {
  /** The kind of check. */
  readonly kind: "http" | "tcp" | "command";
  /** The name that the plan gives it. */
  readonly name?: string;
  /**
   * The target: an address without credentials, `host:port`, or the program of a command; `[secret]` if the program
   * marks it secret.
   */
  readonly target: string;
  /** Seconds from the start of one try to the start of the next. */
  readonly everySeconds: number;
  /** How long the check is repeated. */
  readonly withinSeconds: number;
  /** The pause before the first try. */
  readonly afterSeconds: number;
}

/** A check and its result. Its output is in the wave's secret output `checkOutput`, a restore's log in `logOutput`. */
export interface StoredCheck extends StoredCheckPlan {
  /** Tells the check from the restore's others, and from those that the plan had before. Earlier releases stored none. */
  readonly id?: string;
  /** The answer that an http check expects, if the plan says so; `[secret]` if the program marks it secret. */
  readonly expects?: string;
  /** The result. An unknown result never counts as passed. */
  readonly result: "passed" | "failed" | "not run";
  /** The number of tries. */
  readonly tries: number;
  /** When the first try began, by the runner's clock. */
  readonly startedAt?: string;
  /** When the last try ended, by the runner's clock. */
  readonly endedAt?: string;
  /** From `startedAt` to `endedAt`. */
  readonly seconds?: number;
  /** The result of the last try in words, without any output. */
  readonly reason?: string;
  /** The check was added after the restore had been looked at. Its time counts separately and makes no restore late. */
  readonly addedLater?: boolean;
}
