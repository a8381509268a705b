import type { Random } from "../../provider/plain/clock";
import { randomFrom } from "../chance/random";
import { type FaultKind, faultKinds, type FaultRule, type Faults, type FaultSet } from "./faults";
import { readFaults } from "./read-faults";

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
    const read = readFaults(changes, "faults");
    for (const method of ["get", "post"] as const) {
      const rules = read[method];
      if (rules === undefined) continue;
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
      // Every rule draws for every request it counts, also when another one strikes: what a rule does is its own
      // affair, whichever rules there are besides.
      if (counted && candidate.random() < (rule.probability ?? 1)) struck ??= candidate;
    }
    if (struck !== undefined) struck.strikes++;
    return struck;
  }
}

function arm(rules: FaultSet, method: string, seed: number): Armed[] {
  return faultKinds.flatMap((kind) => {
    const rule = rules[kind];
    if (rule === undefined) return [];
    const spelled = rule === true ? {} : typeof rule === "number" ? { probability: rule } : rule;
    return [{ kind, rule: spelled, random: randomFrom(seed, method, kind), strikes: 0 }];
  });
}
