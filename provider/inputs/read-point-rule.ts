import { formatUtc } from "../plain/clock";
import { definedEntries, isObject } from "../plain/plain";
import { onOneLine, showValue } from "../plain/text";
import { durationWithin, formatDuration } from "./duration";
import { didYouMean, isGiven, type ReadResult } from "./problems";
import { timeProblem } from "./read-values";

const picks = ["newest", "oldest", "random"] as const;

export type PointPick = PointRule["pick"];

// Different ways of writing a rule result in this form, which is itself valid input.
/** A rule as stored, with its time in UTC and its duration in seconds. */
export interface PointRule {
  /** Which matching point to use. */
  readonly pick: "newest" | "oldest" | "random";
  /** Only points taken before this time, in UTC. */
  readonly before?: string;
  /** Only points taken at most this many seconds before the choice. */
  readonly within?: number;
}

/** Far longer than any time limit, because backups are kept for years. */
const longestWithinSeconds = 3_660 * 86_400;
const ruleParts = ["before", "within", "pick"] as const;

/** `"newest"`, or `{ before, within, pick }`, each part optional. */
export function readPointRule(value: unknown): ReadResult<PointRule> {
  if (value === "newest") return { value: { pick: "newest" } };
  const isPlain = isObject(value) && Object.prototype.toString.call(value) === "[object Object]";
  if (!isPlain) {
    const meant = picks.find((pick) => pick === value);
    const wanted = meant === undefined ? '{ before: "2026-11-20T09:30:00Z", within: "7d" }' : `{ pick: "${meant}" }`;
    return { problem: ` is ${showValue(value)}: expected "newest", or an object like ${wanted}` };
  }
  const given = definedEntries(value);
  const unknown = given.find(([name]) => !ruleParts.some((known) => known === name))?.[0];
  if (unknown !== undefined) {
    return {
      problem: ` may have only ${ruleParts.join(", ")}, but has ${onOneLine(unknown)}${didYouMean(unknown, ruleParts)}`,
    };
  }
  const { before, within, pick = "newest" } = Object.fromEntries(given);
  const picked = picks.find((known) => known === pick);
  if (picked === undefined) return { problem: `.pick is ${showValue(pick)}: expected "newest", "oldest" or "random"` };
  const window = readWindow({ before, within });
  return "problem" in window ? { problem: `.${window.problem}` } : { value: { pick: picked, ...window.value } };
}

type PointWindow = Omit<PointRule, "pick">;

const readWithin = durationWithin({ minSeconds: 1, maxSeconds: longestWithinSeconds });

/** Reads the two parts of a rule that limit when a point was taken. A problem begins with the name of the part. */
export function readWindow({ before, within }: { before?: unknown; within?: unknown }): ReadResult<PointWindow> {
  const problem = isGiven(before) ? timeProblem(before) : undefined;
  if (problem !== undefined) return { problem: `before${problem}` };
  const span = isGiven(within) ? readWithin(within) : undefined;
  if (span !== undefined && "problem" in span) return { problem: `within${span.problem}` };
  return {
    value: {
      ...(typeof before === "string" && { before: formatUtc(Date.parse(before)) }),
      ...(span !== undefined && { within: span.value }),
    },
  };
}

/** The rule as applied by a plan with an `incidentAt`. The rule is still stored and compared as written. */
export function ruleForIncident(rule: PointRule, incidentAt: string | undefined): PointRule {
  if (rule.before !== undefined || incidentAt === undefined) return rule;
  return { ...rule, before: formatUtc(Date.parse(incidentAt)) };
}

/** `the newest before 2026-11-20T09:30:00Z, at most 7d old`; with a noun, `the newest recovery point before …` */
export function ruleText({ pick, before, within }: PointRule, noun?: string): string {
  const span = within === undefined ? "" : `, at most ${formatDuration(within)} old`;
  const which = pick === "random" ? `any ${noun ?? "one"}` : `the ${pick}${noun === undefined ? "" : ` ${noun}`}`;
  return `${which}${before === undefined ? "" : ` before ${before}`}${span}`;
}
