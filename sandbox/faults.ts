import type { Random } from "../provider/time/clock";
import { randomFrom } from "./random";
import { SandboxError } from "./sandbox-error";

/**
 * What may go wrong between a client and the panel. Where two strike at once, the first in this list wins.
 * "Handled" is what matters to a POST: whether the restore was queued although the answer says something else.
 */
export const faultKinds = [
  /** The connection is cut before the request is handled. */
  "resetBefore",
  /** Handled, and the connection cut instead of an answer. */
  "resetAfter",
  /** No answer, ever. Not handled, unless `handled` is set. */
  "timeout",
  /** Not handled: 401. */
  "unauthorized",
  /** Not handled: 429 with `Retry-After`. */
  "rateLimit",
  /** Not handled: a redirect. */
  "redirect",
  /** Not handled: 422, or another `status`. */
  "refuse",
  /** Not handled: 503, or another `status`, with a page of HTML. */
  "serverError",
  /** Not handled: 200 with a login form. */
  "loginPage",
  /** Handled, and answered 500 with a page of HTML. */
  "acceptThen500",
  /** Handled; the answer says it is text/html. */
  "wrongContentType",
  /** Handled; half of the body arrives. */
  "truncate",
  /** Handled; the body arrives slowly, byte by byte. */
  "drip",
  /** Handled after a while. */
  "delay",
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface FaultRule {
  /** How likely a request is struck that the counts below let through. @default 1 */
  readonly probability?: number;
  /** Only the first so many requests of the method; requests are counted from when the rules were set. */
  readonly first?: number;
  /** Only requests after the first so many: `after: 11` is "from request 12 on". */
  readonly after?: number;
  /** At most so many strikes. */
  readonly times?: number;
  /** Only requests whose path contains this text. */
  readonly path?: string;
  /** Of `refuse`, `serverError`, `redirect`. */
  readonly status?: number;
  /** Of `timeout`: the request is handled all the same. */
  readonly handled?: boolean;
  /** Of `delay`, and the `Retry-After` of `rateLimit`. @default 1 */
  readonly seconds?: number;
  /** Of `rateLimit`: how `Retry-After` is written. @default "seconds" */
  readonly retryAfter?: "seconds" | "date" | "absent";
  /** Of `redirect`. @default "/login" */
  readonly location?: string;
  /** Of `drip`. @default 10 */
  readonly bytesPerSecond?: number;
  /** Of `truncate`: `full` declares the whole body and cuts the connection, `cut` declares the half. @default "full" */
  readonly contentLength?: "full" | "cut";
}

/** A number is short for a probability, `true` for always. */
export type FaultSet = { readonly [Kind in FaultKind]?: FaultRule | number | true };

export interface Faults {
  readonly get: FaultSet;
  readonly post: FaultSet;
}

export interface Strike {
  readonly kind: FaultKind;
  readonly rule: FaultRule;
}

interface Armed extends Strike {
  readonly random: Random;
  strikes: number;
}

/** Decides which fault strikes a request. Every rule draws from a stream of its own: the same seed, the same strikes. */
export class FaultDice {
  #armed: Record<"get" | "post", { seen: number; rules: Armed[] }>;
  #faults: Faults = { get: {}, post: {} };

  constructor(private readonly seed: number) {
    this.#armed = { get: { seen: 0, rules: [] }, post: { seen: 0, rules: [] } };
  }

  get faults(): Faults {
    return this.#faults;
  }

  /** Replaces the rules of the methods given, whose counts start anew. */
  set(changes: Partial<Faults>): void {
    for (const [method, rules] of Object.entries(changes)) {
      if (method !== "get" && method !== "post") throw new SandboxError(`faults.${method}: there are get and post`);
      this.#armed[method] = { seen: 0, rules: arm(rules, method, this.seed) };
      this.#faults = { ...this.#faults, [method]: rules };
    }
  }

  strike(method: string, path: string): Strike | undefined {
    const armed = this.#armed[method === "POST" ? "post" : "get"];
    const count = ++armed.seen;
    let struck: Armed | undefined;
    for (const candidate of armed.rules) {
      const { rule } = candidate;
      const counted =
        count > (rule.after ?? 0) &&
        count <= (rule.first ?? Infinity) &&
        candidate.strikes < (rule.times ?? Infinity) &&
        path.includes(rule.path ?? "");
      // Every rule draws for every request it counts, also when another one strikes.
      if (counted && candidate.random() < (rule.probability ?? 1)) struck ??= candidate;
    }
    if (struck !== undefined) struck.strikes++;
    return struck;
  }
}

function arm(rules: FaultSet, method: string, seed: number): Armed[] {
  const unknown = Object.keys(rules).find((kind) => !faultKinds.some((known) => known === kind));
  if (unknown !== undefined) {
    throw new SandboxError(`faults.${method}.${unknown}: there is no such fault; there are ${faultKinds.join(", ")}`);
  }
  return faultKinds.flatMap((kind) => {
    const given = rules[kind];
    if (given === undefined) return [];
    const rule: FaultRule = given === true ? {} : typeof given === "number" ? { probability: given } : given;
    checkRule(rule, `faults.${method}.${kind}`);
    return [{ kind, rule, random: randomFrom(seed, method, kind), strikes: 0 }];
  });
}

const counts = ["first", "after", "times", "status", "seconds", "bytesPerSecond"] as const;
const others = ["probability", "path", "handled", "retryAfter", "location", "contentLength"] as const;

function checkRule(rule: FaultRule, key: string): void {
  for (const name of Object.keys(rule)) {
    if (![...counts, ...others].some((known) => known === name))
      throw new SandboxError(`${key}.${name}: there is no such key`);
  }
  const { probability = 1 } = rule;
  if (typeof probability !== "number" || !(probability >= 0 && probability <= 1)) {
    throw new SandboxError(`${key}.probability: must be a number from 0 to 1`);
  }
  for (const name of counts) {
    const value = rule[name];
    if (value !== undefined && !(typeof value === "number" && value >= 0)) {
      throw new SandboxError(`${key}.${name}: must be a number, 0 or more`);
    }
  }
}
