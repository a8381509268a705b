import {
  CredentialsError,
  type Exchange,
  ForbiddenError,
  InvalidRequestError,
  LoginPageError,
  NotFoundError,
  NotThePanelError,
  type PanelError,
  RateLimitedError,
  RedirectError,
  RefusedRequestError,
  ServerError,
  TooLargeError,
} from "./errors";
import {
  AbortedError,
  CertificateError,
  ConnectionError,
  NameNotResolvedError,
  TimeoutError,
} from "./connection-errors";
import { cleanText, isHtml, isLoginPage, isPage, panelMessagesIn } from "./panel-messages";
import type { Redact } from "./secrets";
import { isCertificateFailure, isNameFailure, type TransportFailure, type TransportResponse } from "./transport";

/** The outcome of an unsuccessful answer. */
interface Outcome {
  /** Its error class, which decides whether the same GET is retried (`transient`). */
  readonly error: (
    exchange: Exchange,
    headers: TransportResponse["headers"],
    now: number,
    redact: Redact,
  ) => PanelError;
  /** True if a POST was certainly not carried out. */
  readonly post: "refused" | "unknown";
}

const redirect: Outcome["error"] = (exchange, headers, _now, redact) =>
  new RedirectError(exchange, redirectTarget(headers["location"], redact));
const serverError: Outcome["error"] = (exchange, headers, now) => new ServerError(exchange, waitIn(headers, now));

/** Every status other than success; the first matching row counts. A POST is never sent again, whatever the status. */
const outcomes: readonly (readonly [statuses: readonly [from: number, to?: number], Outcome])[] = [
  // The same request, elsewhere.
  [[301], { error: redirect, post: "refused" }],
  [[307, 308], { error: redirect, post: "refused" }],
  // Web frameworks answer a POST that has succeeded with 302 or 303.
  [[300, 399], { error: redirect, post: "unknown" }],
  [[401], { error: (exchange) => new CredentialsError(exchange), post: "refused" }],
  [[403], { error: (exchange) => new ForbiddenError(exchange), post: "refused" }],
  [[404], { error: (exchange) => new NotFoundError(exchange), post: "refused" }],
  [[410], { error: (exchange) => new NotFoundError(exchange), post: "refused" }],
  [[422], { error: (exchange) => new InvalidRequestError(exchange), post: "refused" }],
  [[429], { error: (exchange, headers, now) => new RateLimitedError(exchange, waitIn(headers, now)), post: "refused" }],
  // With these, the panel gave up waiting for the request.
  [[408], { error: serverError, post: "unknown" }],
  [[425], { error: serverError, post: "unknown" }],
  [[499], { error: serverError, post: "unknown" }],
  [[400, 499], { error: (exchange) => new RefusedRequestError(exchange), post: "refused" }],
];

function outcomeOf(status: number): Outcome {
  const row = outcomes.find(([[from, to = from]]) => from <= status && status <= to);
  return row?.[1] ?? { error: serverError, post: "unknown" };
}

/** True if this status proves that the panel did not carry out the request. */
export function isRefusal(status: number): boolean {
  return outcomeOf(status).post === "refused";
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The request id of the panel or a proxy, for a search in its logs. */
export function requestIdOf(response: TransportResponse, redact: Redact): string | undefined {
  const id = response.headers["x-request-id"] ?? response.headers["x-correlation-id"];
  return id === undefined || id.trim() === "" ? undefined : cleanText(id, redact).slice(0, 100);
}

/** The error for a status other than success. */
export function statusError(sent: Exchange, response: TransportResponse, redact: Redact, now: number): PanelError {
  const { status, headers } = response;
  const requestId = requestIdOf(response, redact);
  const exchange: Exchange = {
    ...sent,
    status,
    panelMessages: panelMessagesIn(bodyText(response), redact),
    ...(requestId === undefined ? {} : { requestId }),
  };
  return outcomeOf(status).error(exchange, headers, now, redact);
}

/** The error for a page for browsers, or undefined if the body is no such page. Callers already know that it is not a list. */
export function pageError(sent: Exchange, response: TransportResponse, redact: Redact): PanelError | undefined {
  const body = bodyText(response);
  if (!isPage(body, response.headers["content-type"] ?? "")) return undefined;
  const requestId = requestIdOf(response, redact);
  const exchange: Exchange = {
    ...sent,
    status: response.status,
    panelMessages: isHtml(body) ? panelMessagesIn(body, redact) : [],
    ...(requestId === undefined ? {} : { requestId }),
  };
  return isLoginPage(body) ? new LoginPageError(exchange) : new NotThePanelError(exchange);
}

/** The error for a missing or partial answer. */
export function transportError(sent: Exchange, failure: TransportFailure, maxResponseBytes: number): PanelError {
  const { code, written, timeout } = failure;
  if (code === "ABORTED") return new AbortedError(sent, written);
  if (code === "TOO_LARGE") return new TooLargeError(sent, maxResponseBytes);
  if (timeout !== undefined) return new TimeoutError(sent, timeout.phase, timeout.limitMs, written);
  if (!written && isNameFailure(code)) return new NameNotResolvedError(sent, code);
  if (!written && isCertificateFailure(code)) return new CertificateError(sent, code);
  return new ConnectionError(sent, code, written);
}

export function bodyText(response: TransportResponse): string {
  return typeof response.body === "string" ? response.body : response.body.toString("utf8");
}

/** The redirect's target, without the parts that may hold secrets. */
function redirectTarget(header: string | undefined, redact: Redact): string | undefined {
  if (header === undefined) return undefined;
  const bare = header.replace(/[?#][^]*$/, "").replace(/\/\/[^/@]*@/, "//");
  return cleanText(bare, redact);
}

function waitIn(headers: TransportResponse["headers"], now: number): number | undefined {
  return retryAfterMs(headers["retry-after"], headers["date"], now);
}

const minRetryAfterMs = 250;
/** No request is repeated more often than this anyway. If the panel asks for a longer wait (an hour, a week), the request is given up. */
const maxRetryAfterMs = 10_000;

/**
 * The wait a `Retry-After` header asks for, in milliseconds within bounds. The header holds seconds, or a date by the
 * panel's clock (its `Date` header, if there is one). Undefined if the header is missing or unreadable.
 */
function retryAfterMs(header: string | undefined, dateHeader: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  const wish = /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : msUntil(text, dateHeader, now);
  return wish === undefined ? undefined : Math.min(Math.max(wish, minRetryAfterMs), maxRetryAfterMs);
}

function msUntil(text: string, dateHeader: string | undefined, now: number): number | undefined {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  const panelNow = Date.parse(dateHeader ?? "");
  return at - (Number.isNaN(panelNow) ? now : panelNow);
}
