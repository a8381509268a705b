import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import type { Properties } from "../plain/plain";
import { showValue } from "../plain/text";
import { at, isGiven, propertiesOf, type Reader, readObject, textProblem } from "./problems";
import { readDuration } from "./read-goals";

/** How often and how long a check is tried. */
export type CheckTimes = Pick<StoredCheckPlan, "everySeconds" | "withinSeconds" | "afterSeconds">;

/** What a check asks, with everything it needs for it. May hold secrets. */
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

export interface ReadCheck {
  readonly kind: StoredCheckPlan["kind"];
  readonly times: CheckTimes;
  /** Absent while a part of it is not known yet. */
  readonly probe?: Probe;
}

const kinds = ["http", "tcp", "command"] as const;
const options: Readonly<Record<StoredCheckPlan["kind"], readonly string[]>> = {
  http: ["status", "contains", "headers", "caFile"],
  tcp: [],
  command: ["env"],
};
const times = ["every", "within", "after"];
const everything = [...kinds, ...times, ...Object.values(options).flat()];

const defaultTimes: CheckTimes = { everySeconds: 5, withinSeconds: 300, afterSeconds: 0 };

/** One check of a restore. Undefined when it cannot be right; then a problem says why. */
export function readCheck(value: unknown, path: string, reader: Reader): ReadCheck | undefined {
  const given = readObject(value, path, everything, reader);
  if (given === undefined) return undefined;
  const named = kinds.filter((kind) => isGiven(given[kind]));
  const [kind] = named;
  if (kind === undefined) {
    reader.problems.add(path, ' needs one of "http", "tcp" and "command"');
    return undefined;
  }
  if (named.length > 1) {
    reader.problems.add(path, ` has ${named.join(" and ")}: a check is one of them, give a second one for the other`);
    return undefined;
  }
  for (const option of Object.values(options).flat()) {
    if (!isGiven(given[option]) || options[kind].includes(option)) continue;
    reader.problems.add(at(path, option), ` is nothing that a check with ${kind} has`);
  }
  const seconds = (name: string, minSeconds: number): number | undefined =>
    readDuration(given[name], at(path, name), { minSeconds }, reader);
  const probe = probes[kind](given, path, reader);
  return {
    kind,
    times: {
      everySeconds: seconds("every", 1) ?? defaultTimes.everySeconds,
      withinSeconds: seconds("within", 1) ?? defaultTimes.withinSeconds,
      afterSeconds: seconds("after", 0) ?? defaultTimes.afterSeconds,
    },
    ...(probe && { probe }),
  };
}

const probes: Readonly<
  Record<StoredCheckPlan["kind"], (given: Properties, path: string, reader: Reader) => Probe | undefined>
> = {
  http(given, path, reader) {
    const url = leaf(given["http"], at(path, "http"), urlProblem, reader);
    const statuses = readStatuses(given["status"], at(path, "status"), reader);
    const contains = optional(given["contains"], at(path, "contains"), (value) => textual(value, 10_000), reader);
    const headers = readTexts(given["headers"], at(path, "headers"), headerProblem, reader);
    const caFile = optional(given["caFile"], at(path, "caFile"), fileProblem, reader);
    if (url === open || statuses === open || contains === open || headers === open || caFile === open) return undefined;
    return {
      kind: "http",
      url,
      statuses,
      headers,
      ...(contains !== undefined && { contains }),
      ...(caFile !== undefined && { caFile }),
    };
  },
  tcp(given, path, reader) {
    const address = leaf(given["tcp"], at(path, "tcp"), tcpProblem, reader);
    const place = address === open ? undefined : hostAndPort(address);
    return place && { kind: "tcp", ...place };
  },
  command(given, path, reader) {
    const argv = readArgv(given["command"], at(path, "command"), reader);
    const env = readTexts(given["env"], at(path, "env"), variableProblem, reader);
    return argv === open || env === open ? undefined : { kind: "command", argv, env };
  },
};

/** Not known yet, or not right. */
const open = Symbol("open");

function leaf(
  value: unknown,
  path: string,
  problemOf: (value: unknown) => string | undefined,
  { isOpen, problems }: Reader,
): string | typeof open {
  if (isOpen(value)) return open;
  const problem = problemOf(value);
  if (problem === undefined) return value as string;
  problems.add(path, problem);
  return open;
}

function optional(
  value: unknown,
  path: string,
  problemOf: (value: unknown) => string | undefined,
  reader: Reader,
): string | undefined | typeof open {
  return isGiven(value) ? leaf(value, path, problemOf, reader) : undefined;
}

function readStatuses(value: unknown, path: string, { isOpen, problems }: Reader): readonly number[] | typeof open {
  if (!isGiven(value)) return [];
  if (isOpen(value)) return open;
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (given.some(isOpen)) return open;
  const wrong = given.find((status) => !(Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599));
  if (wrong === undefined && given.length > 0) return given as readonly number[];
  problems.add(path, ` is ${showValue(wrong ?? value)}: give a status like 200, or a list of them`);
  return open;
}

function readTexts(
  value: unknown,
  path: string,
  problemOf: (name: string, text: unknown) => string | undefined,
  { isOpen, problems }: Reader,
): Readonly<Record<string, string>> | typeof open {
  if (!isGiven(value)) return {};
  if (isOpen(value)) return open;
  const given = propertiesOf(value, path, "an object of texts", problems);
  if (given === undefined) return open;
  let complete = true;
  for (const [name, text] of Object.entries(given)) {
    const problem = isOpen(text) ? undefined : problemOf(name, text);
    if (problem !== undefined) problems.add(at(path, name), problem);
    if (isOpen(text) || problem !== undefined) complete = false;
  }
  return complete ? (given as Readonly<Record<string, string>>) : open;
}

function readArgv(value: unknown, path: string, { isOpen, problems }: Reader): readonly string[] | typeof open {
  if (isOpen(value)) return open;
  if (!Array.isArray(value) || value.length === 0) {
    problems.add(
      path,
      ` is ${showValue(value)}: give the command and its arguments as a list, like ["ssh", "web", "true"]`,
    );
    return open;
  }
  const words: readonly unknown[] = value;
  let complete = true;
  for (const [index, word] of words.entries()) {
    if (isOpen(word)) {
      complete = false;
      continue;
    }
    const problem =
      typeof word !== "string"
        ? ` is ${showValue(word)}: give a text`
        : word.includes("\0")
          ? " holds a character that no command can be given"
          : halved.test(word)
            ? halfProblem
            : index === 0 && word.trim() === ""
              ? " is empty: name the command"
              : undefined;
    if (problem === undefined) continue;
    complete = false;
    problems.add(at(path, index), problem);
  }
  return complete ? (words as readonly string[]) : open;
}

function urlProblem(value: unknown): string | undefined {
  const wanted = ': give an address like "https://shop.example.com/health"';
  if (typeof value !== "string" || !URL.canParse(value)) return ` is ${showValue(value)}${wanted}`;
  if (halved.test(value)) return halfProblem;
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

function textual(value: unknown, longest: number): string | undefined {
  if (typeof value !== "string" || value === "") return ` is ${showValue(value)}: give a text`;
  if (value.length > longest) return ` is longer than ${String(longest)} characters`;
  return halved.test(value) ? halfProblem : undefined;
}

/** The engine's protocol carries no half of a character pair, and the run would end on the way there. */
const halved = /\p{Cs}/u;
const halfProblem = " holds half a character, as a text that was cut may";

function fileProblem(value: unknown): string | undefined {
  const problem = textProblem(value, 4_096);
  if (problem !== undefined) return problem;
  // The provider process and the program do not always stand in the same folder.
  return isAbsolute(String(value)) || String(value).startsWith("./")
    ? undefined
    : ` is ${showValue(value)}: give a full path, or one from the project's folder that starts with "./"`;
}

/** The values are secrets: no message repeats one. */
function headerProblem(name: string, text: unknown): string | undefined {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}$/.test(name)) return " is no name of a header";
  if (typeof text !== "string") return ` is ${showValue(typeof text === "object" ? {} : text)}: give a text`;
  return /[^\t\u0020-\u007e\u0080-\u00ff]/.test(text) ? " holds a character that a header cannot have" : undefined;
}

function variableProblem(name: string, text: unknown): string | undefined {
  if (name === "" || /[=\0]/.test(name)) return " is no name of a variable";
  if (typeof text !== "string") return " is no text";
  if (halved.test(text)) return halfProblem;
  return text.includes("\0") ? " holds a character that a variable cannot have" : undefined;
}

export interface StoredCheckPlan {
  /** What kind of check it is. */
  readonly kind: "http" | "tcp" | "command";
  /** What is asked: an address without credentials, `host:port`, the words of a command; `[secret]` when the program marks it secret. */
  readonly target: string;
  /** From the beginning of one try to the next. */
  readonly everySeconds: number;
  /** How long it is tried. */
  readonly withinSeconds: number;
  /** The pause before the first try. */
  readonly afterSeconds: number;
}

/** What a check printed lies in the wave's secret output `checkOutput`, a restore's log in its secret output `logOutput`. */
export interface StoredCheck extends StoredCheckPlan {
  /** What an http check expects of the answer, where the plan says so; `[secret]` when the program marks it secret. */
  readonly expects?: string;
  /** What it came to. What is unknown never passes. */
  readonly result: "passed" | "failed" | "not run";
  /** How often it was tried. */
  readonly tries: number;
  /** Runner: when the first try began. */
  readonly startedAt?: string;
  /** Runner: when the last try ended. */
  readonly endedAt?: string;
  /** From `startedAt` to `endedAt`. */
  readonly seconds?: number;
  /** What the last try came to, without any output. */
  readonly reason?: string;
  /** Whether it was asked for only after the restore had been looked at: it is measured by itself, and makes no restore late. */
  readonly addedLater?: boolean;
}
