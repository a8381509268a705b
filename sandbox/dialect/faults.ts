import { anyBoolean, anyText, mapOf, notNegative, objectOf, oneOf, type Reader, SandboxError } from "../plain/input";

/**
 * What may go wrong between a client and the panel. Where two strike at once, the first in this list wins.
 * "Handled" is what matters to a POST: whether the restore was queued although the answer says something else.
 */
export const faultKinds = [
  /** The connection is cut before the request is handled. */
  "resetBefore",
  /** Handled, and the connection cut instead of an answer. */
  "resetAfter",
  /** No answer, ever. Not handled, unless `handled` is set. */
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
  /** Handled, and answered 500 with a page of HTML. */
  "acceptThen500",
  /** Handled; the answer says it is text/html. */
  "wrongContentType",
  /** Handled; half of the body arrives. */
  "truncate",
  /** Handled; the body arrives slowly, byte by byte. */
  "drip",
  /** Handled after a while. */
  "delay",
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface FaultRule {
  /** How likely a request is struck that the counts below let through. @default 1 */
  readonly probability?: number;
  /** Only the first so many requests of the method; requests are counted from when the rules were set. */
  readonly first?: number;
  /** Only requests after the first so many: `after: 11` is "from request 12 on". */
  readonly after?: number;
  /** At most so many strikes. */
  readonly times?: number;
  /** Only requests whose path contains this text. */
  readonly path?: string;
  /** Of `refuse`, `serverError`, `redirect`. */
  readonly status?: number;
  /** Of `timeout`: the request is handled all the same. */
  readonly handled?: boolean;
  /** Of `delay`, and the `Retry-After` of `rateLimit`. @default 1 */
  readonly seconds?: number;
  /** Of `rateLimit`: how `Retry-After` is written. @default "seconds" */
  readonly retryAfter?: "seconds" | "date" | "absent";
  /** Of `redirect`. @default "/login" */
  readonly location?: string;
  /** Of `drip`. @default 10 */
  readonly bytesPerSecond?: number;
  /** Of `truncate`: `full` declares the whole body and cuts the connection, `cut` declares the half. @default "full" */
  readonly contentLength?: "full" | "cut";
}

/** A number is short for a probability, `true` for always. */
export type FaultSet = { readonly [Kind in FaultKind]?: FaultRule | number | true };

export interface Faults {
  readonly get: FaultSet;
  readonly post: FaultSet;
}

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
