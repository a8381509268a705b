import { randomUUID } from "node:crypto";
import { containsUnknown } from "../inputs/read-values";
import { deepEqual, entriesOf, isObject, omit, type Properties } from "../plain/plain";
import type { JudgedRun, JudgedWave } from "../plan/judged";
import { failsTheRun, verdictOfRun } from "../plan/verdict";
import type { StoredVerdict } from "../plan/stored";
import type { Operations } from "./sanitize";
import { StoredFailure } from "./outputs";
import { checkPlanResource } from "./plan-check";

/**
 * The operations of a plan's last resource, which judges what the waves have stored. It needs no panel and sends
 * nothing. A verdict that fails the run is stored all the same, and every run repeats it until its cause has changed.
 * What it is about stands in its inputs alone, which each run hands it anew.
 */
export const planVerdictOperations: Operations = {
  check: checkPlanResource(() => undefined),

  diff: (_id: string, olds: Properties, news: Properties) => ({
    changes: !deepEqual(olds["__provider"], news["__provider"]) || isJudgedAnew(olds, news),
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

/** True if the verdict fails the run, is another one now, or may be: something that it rests on is not known yet. */
function isJudgedAnew(olds: Properties, news: Properties): boolean {
  const inputs = withoutUnsettled(news);
  if (containsUnknown(inputs)) return true;
  const verdict = verdictOn(inputs);
  const stored = omit(olds, "decidedAt", "of", "waves", "__provider");
  return failsTheRun(verdict, onMissedGoalOf(inputs)) || !deepEqual(stored, omit(verdict, "decidedAt"));
}

/**
 * What the run computes is unknown in a preview in which it changes, and so are the posting of a restore that is replaced and what that one
 * overwrites: the records are judged without. An incident that the run does not have is unknown in every preview.
 */
function withoutUnsettled(news: Properties): Properties {
  const { of: run } = news;
  if (!isObject(run)) return news;
  const known = (of: unknown): Properties =>
    Object.fromEntries(entriesOf(of).filter(([, one]) => !containsUnknown(one)));
  const unsettled = (["revisions", "history", "startedAt", "incidentAt"] as const).filter((name) =>
    containsUnknown(run[name]),
  );
  return {
    ...news,
    of: { ...omit(run, ...unsettled), postings: known(run["postings"]), overwritten: known(run["overwritten"]) },
  };
}

/** To the engine null is absent, too. */
function verdictOn({ of, waves }: Properties): StoredVerdict {
  const { incidentAt, ...run } = of as JudgedRun;
  const judged = { ...run, ...(typeof incidentAt === "string" && { incidentAt }) };
  return verdictOfRun(judged, waves as readonly JudgedWave[], new Date().toISOString());
}

function verdictOutputs(id: string, inputs: Properties): Properties {
  const verdict = verdictOn(inputs);
  const outputs = { ...omit(inputs, "of", "waves"), ...verdict };
  if (!failsTheRun(verdict, onMissedGoalOf(inputs))) return outputs;
  throw new StoredFailure(id, outputs, [
    `plan "${verdict.plan}", run "${verdict.run}": ${verdict.verdict}. The verdict is evaluated again by every \`pulumi up\`, ` +
      "which posts nothing for it; a new run starts the plan anew.",
    ...verdict.reasons,
  ]);
}

function onMissedGoalOf(inputs: Properties): "fail" | "warn" {
  const run = inputs["of"] as Partial<JudgedRun> | undefined;
  return run?.asked?.onMissedGoal === "warn" ? "warn" : "fail";
}

function asPromise<T>(work: () => T): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error("the verdict could not be evaluated"));
  }
}
