import type { VerdictWord } from "../model/model";
import { knownFormat, ofRun } from "./plan-parts";
import type { StoredPlanRun } from "./plan-run";
import type { State } from "./read";
import { amountOf, fieldsOf, known, stampOf, textsOf } from "./values";

export interface StoredPlanVerdict {
  readonly result: VerdictWord | undefined;
  readonly reasons: readonly string[];
  readonly recoveryTimeSeconds?: number;
  readonly planned?: number;
  readonly decidedAt?: string;
}

const words: readonly VerdictWord[] = ["passed", "passed with warnings", "failed", "incomplete"];

/** The verdict of this very run. */
export function verdictOf(run: StoredPlanRun, state: State): StoredPlanVerdict | undefined {
  const [resource] = ofRun("planVerdict", run, state);
  if (resource === undefined) return undefined;
  const { outputs } = resource;
  return known({
    result: outputs["formatVersion"] === knownFormat ? words.find((word) => word === outputs["verdict"]) : undefined,
    reasons: textsOf(outputs["reasons"]),
    recoveryTimeSeconds: amountOf(outputs["recoveryTimeSeconds"]),
    planned: amountOf(fieldsOf(outputs["counts"])["planned"]),
    decidedAt: stampOf(outputs["decidedAt"]),
  });
}
