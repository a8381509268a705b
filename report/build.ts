import { ReportError, readState, type State, kindOf, restoreKindOf } from "./state/read-state";
import { withLedger } from "./findings/ledger";
import { withEarlierRun } from "./history/earlier-report";
import type { Report } from "./model/model";
import type { ReportOptions } from "./options";
import { reportOfPlan } from "./of-plan";
import { reportOfRestores } from "./of-restores";
import { planRunsIn } from "./state/plan-run";
import { intentsIn, restoresIn } from "./state/restores";

/** A subject of a report: a run of a plan, or the restores without a plan. */
interface Subject {
  readonly name: string;
  make(options: ReportOptions): Report;
}

/** The names that a state can be reported on: those of its plans, and the stack's for restores without a plan. */
export function subjectsOf(exported: unknown, options: ReportOptions = {}): readonly string[] {
  return subjectsIn(readState(exported), options).map(({ name }) => name);
}

/**
 * Reports the last run in a stack's state, as `pulumi stack export` prints it. Throws a `ReportError` if the value is no state, or if the
 * state holds several subjects and `subject` names none of them.
 */
export function report(exported: unknown, options: ReportOptions = {}): Report {
  const subjects = subjectsIn(readState(exported), options);
  const names = subjects.map(({ name }) => name).join(", ");
  const named = subjects.find(({ name }) => name === options.subject);
  const [only, ...others] = subjects;
  if (options.subject !== undefined && named === undefined) {
    throw new ReportError(`the state holds no ${options.subject}; it holds ${names}`);
  }
  if (named === undefined && others.length > 0) {
    throw new ReportError(`the state holds ${names}: say which with subject`);
  }
  const chosen = named ?? only;
  if (chosen === undefined) throw new ReportError("the state holds nothing to report about");
  return withEarlierRun(chosen.make(options), options.earlier ?? []);
}

function subjectsIn(state: State, options: ReportOptions): readonly Subject[] {
  const runs = planRunsIn(state);
  const ofPlans = new Set(runs.map(({ parent }) => parent));
  const isOutsidePlans = ({ parent }: { readonly parent?: string }): boolean => !ofPlans.has(parent);
  const others = state.resources.filter(isOutsidePlans);
  const plans = runs.map((run, index): Subject => {
    const same = runs.filter(({ plan }) => plan === run.plan).length > 1;
    return {
      name: same ? `${run.plan}-${String(index + 1)}` : run.plan,
      make: (given) => withLedger(reportOfPlan(state, run, given), state, run),
    };
  });
  if (plans.length > 0 && !others.some(({ type }) => restoreKindOf(type) !== undefined || kindOf(type) === "intent")) {
    return plans;
  }
  const stack = state.stack ?? options.stack ?? "restores";
  const name = plans.some((plan) => plan.name === stack) ? `${stack}-restores` : stack;
  const make = (given: ReportOptions): Report =>
    reportOfRestores(
      state,
      {
        restores: restoresIn(state.resources, given.logs ?? "without logs").filter(isOutsidePlans),
        intents: intentsIn(others),
        pending: state.pending.filter(isOutsidePlans),
      },
      given,
    );
  return [...plans, { name, make }];
}
