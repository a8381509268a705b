import type { Random } from "../../provider/plain/clock";
import { randomFrom } from "../plain/clock";
import { anyBoolean, anyText, isNumber, notNegative, objectOf, type Reader, valueThat } from "../plain/input";

/**
 * Faults between a client and the panel. If several apply to a request, the first in this list wins. "Handled" means that the panel carries out the
 * request, such as queuing a restore, whatever the answer says.
 */
const faultKinds = [
  "resetBefore", // Not handled: the connection is cut before the request.
  "resetAfter", // Handled: the connection is cut before the answer.
  "timeout", // Never answered. Not handled, unless `handled` is set.
  "unauthorized", // Not handled: 401.
  "rateLimit", // Not handled: 429 with `Retry-After`.
  "redirect", // Not handled: a redirect.
  "refuse", // Not handled: 422, or another `status`.
  "serverError", // Not handled: 503, or another `status`, with an HTML page.
  "loginPage", // Not handled: 200 with a login form.
  "acceptThen500", // Handled: 500 with an HTML page.
  "wrongContentType", // Handled: the answer claims to be text/html.
  "truncate", // Handled: only half of the body arrives.
  "drip", // Handled: the body arrives slowly, byte by byte.
  "delay", // Handled, after a delay.
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface FaultRule {
  /** Probability of the fault for each request that meets the conditions below. @default 1 */
  readonly probability?: number;
  /** Applies only to the first n requests with the rule's method (GET or POST), counted since the rules were set. */
  readonly first?: number;
  /** Skips the first n requests: with `after: 11`, the rule applies from request 12 on. */
  readonly after?: number;
  /** Maximum number of faults from this rule. */
  readonly times?: number;
  /** Applies only to requests whose path contains this text. */
  readonly path?: string;
  /** For `refuse`, `serverError` and `redirect`: the answer's status. */
  readonly status?: number;
  /** For `timeout`: the request is handled although it is never answered. */
  readonly handled?: boolean;
  /** For `delay`: its length. For `rateLimit`: the value of the `Retry-After` header. @default 1 */
  readonly seconds?: number;
  /** For `redirect`: the new address. @default "/login" */
  readonly location?: string;
  /** For `drip`: the speed of the body. @default 10 */
  readonly bytesPerSecond?: number;
}

/** A rule for each kind of fault. A number is a probability; `true` means always. */
export type FaultSet = { readonly [Kind in FaultKind]?: FaultRule | number | true };

/** A `FaultSet` in which every rule is an object. */
export type RuleSet = { readonly [Kind in FaultKind]?: FaultRule };

export interface Faults {
  readonly get: FaultSet;
  readonly post: FaultSet;
}

function between(from: number, to: number, what: string): Reader<number> {
  const rule = `must be ${what} from ${String(from)} to ${String(to)}`;
  return valueThat(rule, (value) => isNumber(value) && value >= from && value <= to);
}

const readRule = objectOf<FaultRule>({
  probability: between(0, 1, "a number"),
  first: notNegative,
  after: notNegative,
  times: notNegative,
  path: anyText,
  status: between(200, 599, "an HTTP status"),
  handled: anyBoolean,
  seconds: notNegative,
  location: anyText,
  bytesPerSecond: notNegative,
});

const readSet = objectOf<RuleSet>(
  Object.fromEntries(faultKinds.map((kind) => [kind, readSpelled])) as Record<FaultKind, Reader<FaultRule>>,
);

function readSpelled(value: unknown, key: string): FaultRule {
  return readRule(value === true ? {} : typeof value === "number" ? { probability: value } : value, key);
}

/** Reads faults. Rejects unknown methods, kinds and rule keys. */
export const readFaults = objectOf<{ readonly get?: RuleSet; readonly post?: RuleSet }>({
  get: readSet,
  post: readSet,
});

export interface PickedFault {
  readonly kind: FaultKind;
  readonly rule: FaultRule;
}

interface RuleState extends PickedFault {
  readonly random: Random;
  hits: number;
}

/** Picks the fault for a request. Each rule has its own random stream, so the same seed gives the same faults. */
export class FaultPicker {
  readonly #armed: Record<"get" | "post", { seen: number; rules: RuleState[] }> = {
    get: { seen: 0, rules: [] },
    post: { seen: 0, rules: [] },
  };

  constructor(private readonly seed: number) {}

  get faults(): Faults {
    const setOf = (rules: readonly RuleState[]): FaultSet =>
      Object.fromEntries(rules.map(({ kind, rule }) => [kind, rule]));
    return { get: setOf(this.#armed.get.rules), post: setOf(this.#armed.post.rules) };
  }

  /** Replaces the rules for the given methods, and restarts their counts. */
  set(changes: Partial<Faults>): void {
    const read = readFaults(changes, "faults");
    for (const method of ["get", "post"] as const) {
      const set = read[method];
      if (set === undefined) continue;
      const rules = faultKinds.flatMap((kind) => {
        const rule = set[kind];
        return rule === undefined ? [] : [{ kind, rule, random: randomFrom(this.seed, method, kind), hits: 0 }];
      });
      this.#armed[method] = { seen: 0, rules };
    }
  }

  pick(method: string, path: string): PickedFault | undefined {
    const rulesByMethod = this.#armed[method === "POST" ? "post" : "get"];
    const count = ++rulesByMethod.seen;
    let picked: RuleState | undefined;
    for (const candidate of rulesByMethod.rules) {
      const { rule } = candidate;
      const isEligible =
        count > (rule.after ?? 0) &&
        count <= (rule.first ?? Infinity) &&
        candidate.hits < (rule.times ?? Infinity) &&
        path.includes(rule.path ?? "");
      // Every eligible rule draws a random number, even if another rule was picked, so that a rule's faults do not depend on other rules.
      if (isEligible && candidate.random() < (rule.probability ?? 1)) picked ??= candidate;
    }
    if (picked !== undefined) picked.hits++;
    return picked;
  }
}
