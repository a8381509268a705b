import { anyBoolean, anyText, mapOf, notNegative, objectOf, oneOf, type Reader } from "../input/readers";
import { SandboxError } from "../input/sandbox-error";
import { faultKinds, type FaultRule, type Faults, type FaultSet } from "./faults";

/** Faults as data from outside: every method, kind and key of a rule has to be known. */
export function readFaults(value: unknown, key: string): Partial<Faults> {
  return objectOf<Partial<Faults>>({ get: readSet, post: readSet })(value, key);
}

const count = notNegative;

const readRule = objectOf<FaultRule>({
  probability: (value, key) => {
    const probability = notNegative(value, key);
    if (probability > 1) throw new SandboxError(`${key}: must be a number from 0 to 1, not ${String(probability)}`);
    return probability;
  },
  first: count,
  after: count,
  times: count,
  path: anyText,
  status: (value, key) => {
    const status = notNegative(value, key);
    if (!Number.isInteger(status) || status < 200 || status > 599) {
      throw new SandboxError(`${key}: must be an HTTP status from 200 to 599, not ${String(status)}`);
    }
    return status;
  },
  handled: anyBoolean,
  seconds: count,
  retryAfter: oneOf("seconds", "date", "absent"),
  location: anyText,
  bytesPerSecond: count,
  contentLength: oneOf("full", "cut"),
});

const readSet: Reader<FaultSet> = (value, key) => {
  const set = mapOf((rule, path): FaultRule => {
    if (rule === true) return {};
    return readRule(typeof rule === "number" ? { probability: rule } : rule, path);
  })(value, key);
  const unknown = Object.keys(set).find((kind) => !faultKinds.some((known) => known === kind));
  if (unknown === undefined) return set;
  throw new SandboxError(`${key}.${unknown}: there is no such fault; there are ${faultKinds.join(", ")}`);
};
