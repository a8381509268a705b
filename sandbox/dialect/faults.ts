import { anyBoolean, anyText, mapOf, notNegative, objectOf, oneOf, type Reader, SandboxError } from "../plain/input";

/**
 * Faults between a client and the panel. If two apply at once, the first in this list wins. "Handled" matters to a POST: the restore
 * was queued, whatever the answer says.
 */
export const faultKinds = [
  /** Not handled: the connection is cut before. */
  "resetBefore",
  /** Handled: the connection is cut instead of an answer. */
  "resetAfter",
  /** No answer ever. Not handled, unless `handled` is set. */
  "timeout",
  /** Not handled: 401. */
  "unauthorized",
  /** Not handled: 429 with `Retry-After`. */
  "rateLimit",
  /** Not handled: a redirect. */
  "redirect",
  /** Not handled: 422, or another `status`. */
  "refuse",
  /** Not handled: 503, or another `status`, with a page of HTML. */
  "serverError",
  /** Not handled: 200 with a login form. */
  "loginPage",
  /** Handled: 500 with a page of HTML. */
  "acceptThen500",
  /** Handled: the answer claims to be text/html. */
  "wrongContentType",
  /** Handled: half of the body arrives. */
  "truncate",
  /** Handled: the body arrives slowly, byte by byte. */
  "drip",
  /** Handled, after a delay. */
  "delay",
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface FaultRule {
  /** Probability of the fault for a request within the counts below. @default 1 */
  readonly probability?: number;
  /** Only the first requests of the method, counted from the setting of the rules. */
  readonly first?: number;
  /** Only requests after this many: `after: 11` means from request 12 on. */
  readonly after?: number;
  /** Maximum number of faults by this rule. */
  readonly times?: number;
  /** Only requests whose path contains this text. */
  readonly path?: string;
  /** The answer's status; for `refuse`, `serverError` and `redirect`. */
  readonly status?: number;
  /** For `timeout`: the request is handled all the same. */
  readonly handled?: boolean;
  /** For `delay`, and the `Retry-After` of `rateLimit`. @default 1 */
  readonly seconds?: number;
  /** For `rateLimit`: the form of `Retry-After`. @default "seconds" */
  readonly retryAfter?: "seconds" | "date" | "absent";
  /** For `redirect`: the new address. @default "/login" */
  readonly location?: string;
  /** For `drip`. @default 10 */
  readonly bytesPerSecond?: number;
  /** For `truncate`: `full` declares the whole body and cuts the connection, `cut` declares the half. @default "full" */
  readonly contentLength?: "full" | "cut";
}

/** A rule per kind of fault. A number is short for a probability, `true` for always. */
export type FaultSet = { readonly [Kind in FaultKind]?: FaultRule | number | true };

export interface Faults {
  readonly get: FaultSet;
  readonly post: FaultSet;
}

/** Reads faults from outside. Every method, kind and key of a rule has to be known. */
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
