import { Problems, type Reader } from "../plan/read/problems";
import type { CheckResult } from "../inputs/check-restore";
import type { Properties } from "./outputs";
import { withoutUndefined } from "../plain/without-undefined";
import { isObject } from "../plain/is-object";
import { containsUnknown } from "../inputs/unknown";

/** `check` of a plan's resource: its inputs as they are, and what is found wrong in values that the program did not know yet. */
export function checkPlanPart(read: (inputs: Properties, reader: Reader) => void) {
  return (_olds: unknown, news: unknown): CheckResult => {
    const inputs = isObject(news) ? { ...news } : {};
    const problems = new Problems();
    read(inputs, { isOpen: containsUnknown, problems });
    return { inputs: withoutUndefined(inputs) as Properties, failures: [...problems.all] };
  };
}
