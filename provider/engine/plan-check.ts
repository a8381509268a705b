import type { CheckResult } from "../inputs/check-restore";
import { Problems, type ReadContext } from "../inputs/problems";
import { containsUnknown } from "../inputs/read-values";
import { isObject, type Properties, omitUndefinedDeep } from "../plain/plain";

/** `check` of a plan's resource: passes the inputs on, and reports wrong values that the program did not know yet. */
export function checkPlanResource(read: (inputs: Properties, context: ReadContext) => void) {
  return (_olds: unknown, news: unknown): CheckResult => {
    const inputs = isObject(news) ? { ...news } : {};
    const problems = new Problems();
    read(inputs, { isUnknown: containsUnknown, problems });
    return { inputs: omitUndefinedDeep(inputs) as Properties, failures: [...problems.all] };
  };
}
