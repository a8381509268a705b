import type { CheckResult } from "../inputs/check-restore";
import { Problems, type Reader } from "../inputs/problems";
import { containsUnknown } from "../inputs/rules";
import { isObject, type Properties, omitUndefinedDeep } from "../plain/plain";

/** `check` of a plan's resource: its inputs as they are, and what is found wrong in values that the program did not know yet. */
export function checkPlanPart(read: (inputs: Properties, reader: Reader) => void) {
  return (_olds: unknown, news: unknown): CheckResult => {
    const inputs = isObject(news) ? { ...news } : {};
    const problems = new Problems();
    read(inputs, { isOpen: containsUnknown, problems });
    return { inputs: omitUndefinedDeep(inputs) as Properties, failures: [...problems.all] };
  };
}
