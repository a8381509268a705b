import { formatUtc } from "../plain/clock";
import { definedEntries, isObject } from "../plain/plain";
import { onOneLine, showValue } from "../plain/text";
import { durationWithin, formatDuration } from "./duration";
import { didYouMean, isGiven, oneOf, type ReadResult, type ValueReader } from "./problems";
import { timeProblem } from "./read-values";

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

export const readBefore: ValueReader<string> = (given) => {
  const problem = timeProblem(given);
  return problem === undefined ? { value: formatUtc(Date.parse(String(given))) } : { problem };
};

/** Allows far more than any time limit, because backups are kept for years. */
export const readWithin = durationWithin({ minSeconds: 1, maxSeconds: 3_660 * 86_400 });

const parts = { before: readBefore, within: readWithin, pick: oneOf<PointPick>("newest", "oldest", "random") };

/** `"newest"`, or `{ before, within, pick }`, each part optional. */
export function readPointRule(value: unknown): ReadResult<PointRule> {
  if (value === "newest") return { value: { pick: "newest" } };
  if (!isObject(value) || Object.prototype.toString.call(value) !== "[object Object]") {
    const wanted = '{ before: "2026-11-20T09:30:00Z", within: "7d", pick: "oldest" }';
    return { problem: ` is ${showValue(value)}: expected "newest", or an object like ${wanted}` };
  }
  const names = Object.keys(parts);
  const unknown = definedEntries(value).find(([name]) => !names.includes(name))?.[0];
  if (unknown !== undefined) {
    return {
      problem: ` may have only ${names.join(", ")}, but has ${onOneLine(unknown)}${didYouMean(unknown, names)}`,
    };
  }
  const read: Record<string, unknown> = { pick: "newest" };
  for (const [name, reader] of Object.entries<ValueReader<unknown>>(parts)) {
    if (!isGiven(value[name])) continue;
    const reading = reader(value[name]);
    if ("problem" in reading) return { problem: `.${name}${reading.problem}` };
    read[name] = reading.value;
  }
  return { value: read as unknown as PointRule };
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
