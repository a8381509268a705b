import { isDeepStrictEqual } from "node:util";
import { inertData } from "../model/inert";
import type { VerdictWord } from "../model/model";
import { knownFormat } from "./plan-parts";
import { resourcesOf, type StoredPlanRun } from "./plan-run";
import type { State } from "./read";
import { amountOf, fieldsOf, isFields, isSecret, known, stampOf, textsOf, type Fields } from "./values";

export interface StoredPlanVerdict {
  readonly result: VerdictWord | undefined;
  readonly reasons: readonly string[];
  readonly planned?: number;
  readonly decidedAt?: string;
  /** What was judged: the plan as the run has it now, or as it was before somebody changed it in the same run. */
  readonly about: "the plan as it is" | "an earlier plan";
}

const words: readonly VerdictWord[] = ["passed", "passed with warnings", "failed", "incomplete"];

/** The verdict of this very run. */
export function verdictOf(run: StoredPlanRun, state: State): StoredPlanVerdict | undefined {
  const [resource] = resourcesOf(run, "planVerdict", state);
  if (resource === undefined) return undefined;
  const { outputs } = resource;
  return known({
    result: outputs["formatVersion"] === knownFormat ? words.find((word) => word === outputs["verdict"]) : undefined,
    reasons: textsOf(outputs["reasons"]),
    planned: amountOf(fieldsOf(outputs["counts"])["planned"]),
    decidedAt: stampOf(outputs["decidedAt"]),
    about: isAboutNow(run, fieldsOf(outputs["of"])) ? ("the plan as it is" as const) : ("an earlier plan" as const),
  });
}

/** A verdict repeats what it has judged. The run is saved first of all, so it may be ahead of a verdict that was not given anew. */
function isAboutNow({ about, waves, incidentAt }: StoredPlanRun, judged: Fields): boolean {
  const plan = judged["asGiven"];
  if (waves === undefined || !isFields(plan) || isSecret(plan)) return true;
  return isDeepStrictEqual(inertData(plan), about.asGiven) && stampOf(judged["incidentAt"]) === incidentAt;
}
