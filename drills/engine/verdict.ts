import { randomUUID } from "node:crypto";
import { StoredFailure } from "../../provider/engine/outputs";
import type { Operations } from "../../provider/engine/sanitize";
import { asList, deepEqual, isObject, omit, type Properties } from "../../provider/plain/plain";
import { judge, type Verdict } from "../judge/judge";
import { required } from "../judge/read";
import { readPlanText, readRun } from "../judge/stored";
import { judgedWave } from "../judge/state";
import { Deleted, isKnown, ownOf, verdictText } from "./parts";

/** `pulumi-recovery report` shows all reasons, because it judges the state again. */
const mostReasons = 50;

/** The verdict fails the `up` of a run that has not passed. Reports judge the state again, with the same function. */
export function verdictOperations(): Operations {
  const deleted = new Deleted();
  return {
    check: (_olds, news) => ({ inputs: isObject(news) ? news : {}, failures: [] }),

    diff(_id, olds, news) {
      if (!isKnown(news)) return { changes: true };
      const { outputs, isFailing } = judged(news);
      // A verdict that has failed one `up` also fails later ones until it improves.
      return { changes: isFailing || Object.entries(outputs).some(([name, value]) => !deepEqual(olds[name], value)) };
    },

    create(inputs) {
      const id = `verdict-${randomUUID()}`;
      return Promise.resolve({ id, outs: verdictOutputs(id, inputs) });
    },

    update: (id, _olds, news) => Promise.resolve({ outs: verdictOutputs(id, news) }),

    read: deleted.read,
    delete: deleted.delete,
  };
}

function verdictOutputs(id: string, inputs: Properties): Properties {
  const { outputs, isFailing, verdict, plan } = judged(inputs);
  const outs = { ...ownOf(inputs), ...outputs };
  if (isFailing) throw new StoredFailure(id, outs, verdictText(plan, verdict));
  return outs;
}

function shortReasons({ reasons }: Verdict): readonly string[] {
  const more = reasons.length - mostReasons;
  return more > 0 ? [...reasons.slice(0, mostReasons), `and ${String(more)} more`] : reasons;
}

function judged(inputs: Properties) {
  const { __plan: text, __ofRun: ofRun, __waves: waves } = inputs;
  const plan = required(readPlanText(text), "the plan");
  const run = required(readRun(ofRun), "the plan's run");
  const stored = asList(waves)
    .filter(isObject)
    .map(({ name, intentRun, restores, run: waveRun, record }) =>
      judgedWave(String(name), { run: intentRun, restores }, { run: waveRun, record }),
    );
  const verdict = judge({ ...run, plan }, stored);
  const outputs: Properties = { run: plan.run, ...omit(verdict, "goals"), reasons: shortReasons(verdict) };
  const isFailing = verdict.verdict === "failed" || verdict.verdict === "incomplete";
  return { outputs, verdict, plan, isFailing };
}
