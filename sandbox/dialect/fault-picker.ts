import type { Random } from "../../provider/plain/clock";
import { randomFrom } from "../plain/chance";
import { type FaultKind, faultKinds, type FaultRule, type Faults, type FaultSet, readFaults } from "./faults";

export interface PickedFault {
  readonly kind: FaultKind;
  readonly rule: FaultRule;
}

interface RuleState extends PickedFault {
  readonly random: Random;
  hits: number;
}

/** Picks the fault for a request. Each rule has its own random stream: the same seed gives the same faults. */
export class FaultPicker {
  #armed: Record<"get" | "post", { seen: number; rules: RuleState[] }>;
  #faults: Faults = { get: {}, post: {} };

  constructor(private readonly seed: number) {
    this.#armed = { get: { seen: 0, rules: [] }, post: { seen: 0, rules: [] } };
  }

  get faults(): Faults {
    return this.#faults;
  }

  /** Replaces the rules of the given methods. Their counts start again. */
  set(changes: Partial<Faults>): void {
    const read = readFaults(changes, "faults");
    for (const method of ["get", "post"] as const) {
      const rules = read[method];
      if (rules === undefined) continue;
      this.#armed[method] = { seen: 0, rules: startRules(rules, method, this.seed) };
      this.#faults = { ...this.#faults, [method]: rules };
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
      // Every eligible rule draws, also when another one is picked: a rule's faults do not depend on the other rules.
      if (isEligible && candidate.random() < (rule.probability ?? 1)) picked ??= candidate;
    }
    if (picked !== undefined) picked.hits++;
    return picked;
  }
}

function startRules(rules: FaultSet, method: string, seed: number): RuleState[] {
  return faultKinds.flatMap((kind) => {
    const rule = rules[kind];
    if (rule === undefined) return [];
    const spelled = rule === true ? {} : typeof rule === "number" ? { probability: rule } : rule;
    return [{ kind, rule: spelled, random: randomFrom(seed, method, kind), hits: 0 }];
  });
}
