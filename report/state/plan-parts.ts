import type { Check } from "../model/model";
import type { Resource, State } from "./read";
import { kindOf } from "./types";
import { amountOf, fieldsOf, known, listOf, nameOf, textOf } from "./values";

/** The newest form in which runs, waves and verdicts are stored that this release reads. */
export const knownFormat = 1;

export interface StepGoals {
  readonly recoveryTimeSeconds?: number;
  readonly dataAgeSeconds?: number;
}

export function goalsFrom(value: unknown): StepGoals {
  const fields = fieldsOf(value);
  return known({
    recoveryTimeSeconds: amountOf(fields["recoveryTimeSeconds"]),
    dataAgeSeconds: amountOf(fields["dataAgeSeconds"]),
  });
}

const mostChecks = 100;

export function checksFrom(value: unknown): readonly Check[] {
  return listOf(value)
    .slice(0, mostChecks)
    .map((item) => {
      const fields = fieldsOf(item);
      const { result } = fields;
      return known({
        kind: nameOf(fields["kind"]) ?? "check",
        target: textOf(fields["target"], 500) ?? "not stored",
        // What did not say that it passed did not pass.
        result: result === "passed" || result === "failed" ? result : "not run",
        tries: amountOf(fields["tries"]),
        seconds: amountOf(fields["seconds"]),
        withinSeconds: amountOf(fields["withinSeconds"]),
        reason: textOf(fields["reason"]),
      });
    });
}

/** What belongs to one run of one plan: what an earlier run left says nothing about this one. */
export function ofRun(
  kind: "planWave" | "planVerdict",
  { plan, run, parent }: { readonly plan: string; readonly run: string; readonly parent?: string | undefined },
  state: State,
): readonly Resource[] {
  return state.resources.filter(
    (resource) =>
      kindOf(resource.type) === kind &&
      resource.parent === parent &&
      nameOf(resource.outputs["plan"]) === plan &&
      nameOf(resource.outputs["run"]) === run,
  );
}
