import { randomUUID } from "node:crypto";
import { containsUnknown } from "../inputs/read-values";
import { isObject, type Properties, deepEqual } from "../plain/plain";
import { failsTheRun, verdictOfRun, type AssessedRun } from "../plan/verdict";
import type { StoredVerdict, StoredWave } from "../plan/stored";
import type { Operations } from "./sanitize";
import { StoredPlanFailure } from "./outputs";
import { checkPlanResource } from "./plan-check";

const programInputs = ["of", "waves", "__provider"] as const;

/**
 * The operations of a plan's last resource, which judges what the waves have stored. It needs no panel and sends
 * nothing. A verdict that fails the run is stored all the same, and every run repeats it until its cause has changed.
 */
export const planVerdictOperations: Operations = {
  check: checkPlanResource(() => undefined),

  diff: (_id: string, olds: Properties, news: Properties) => ({
    changes:
      isFailing(olds, news) ||
      programInputs.some((name) => isDifferent(olds[name], withKnownHashes(news[name], olds[name]))),
  }),

  create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    const id = `verdict-${randomUUID()}`;
    return asPromise(() => ({ id, outs: verdictOutputs(id, inputs) }));
  },

  update(id: string, _olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    return asPromise(() => ({ outs: verdictOutputs(id, news) }));
  },

  read: (id: string, outputs: Properties) => Promise.resolve({ id, props: outputs }),
  delete: () => Promise.resolve(),
};

function isDifferent(stored: unknown, wanted: unknown): boolean {
  return containsUnknown(wanted) || !deepEqual(stored, wanted);
}

/** Of an output of the run that is not known yet, the stored value stands. */
function withKnownHashes(wanted: unknown, stored: unknown): unknown {
  if (!isObject(wanted) || !isObject(stored) || !containsUnknown(wanted["hashes"])) return wanted;
  return { ...wanted, hashes: stored["hashes"] };
}

function verdictOutputs(id: string, inputs: Properties): Properties {
  const verdict = verdictOfRun(
    inputs["of"] as AssessedRun,
    inputs["waves"] as readonly StoredWave[],
    new Date().toISOString(),
  );
  const outputs = { ...inputs, ...verdict };
  if (!failsTheRun(verdict, onMissedGoalOf(inputs))) return outputs;
  throw new StoredPlanFailure(id, outputs, [
    `plan "${verdict.plan}", run "${verdict.run}": ${verdict.verdict}. The verdict is evaluated again by every \`pulumi up\`, ` +
      "which posts nothing for it; a new run starts the plan anew.",
    ...verdict.reasons,
  ]);
}

function isFailing(olds: Properties, news: Properties): boolean {
  const { verdict, counts } = olds as Partial<StoredVerdict>;
  if (verdict === undefined || counts === undefined) return true;
  return failsTheRun({ verdict, counts }, onMissedGoalOf(news));
}

function onMissedGoalOf(inputs: Properties): "fail" | "warn" {
  const run = inputs["of"] as Partial<AssessedRun> | undefined;
  return run?.asGiven?.onMissedGoal === "warn" ? "warn" : "fail";
}

function asPromise<T>(work: () => T): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error("the verdict could not be evaluated"));
  }
}
