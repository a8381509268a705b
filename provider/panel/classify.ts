import {
  CredentialsError,
  type Exchange,
  ForbiddenError,
  InvalidRequestError,
  LoginPageError,
  NotFoundError,
  NotThePanelError,
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
  type PanelFailure,
  TimeoutError,
} from "./connection-errors";
import { cleanText, isHtml, isLoginPage, isPage, panelMessagesIn } from "./panel-messages";
import type { Redact } from "./secrets";
import { isCertificateFailure, isNameFailure, type TransportFailure, type TransportResponse } from "./transport";

/** 4xx statuses of a server or proxy that lost patience: the request may have been carried out all the same. */
const undecidedStatuses = new Set([408, 425, 499]);

/** "See other": web frameworks answer a successful POST with it. */
const seeOther = 303;

/** True if this status proves that the panel did not carry out the request. */
export function isRefusal(status: number): boolean {
  return status >= 300 && status < 500 && !undecidedStatuses.has(status) && status !== seeOther;
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
export function statusError(sent: Exchange, response: TransportResponse, redact: Redact, now: number): PanelFailure {
  const { status, headers } = response;
  const requestId = requestIdOf(response, redact);
  const exchange: Exchange = {
    ...sent,
    status,
    panelMessages: panelMessagesIn(bodyText(response), redact),
    ...(requestId === undefined ? {} : { requestId }),
  };
  const wait = retryAfterMs(headers["retry-after"], headers["date"], now);
  if (status === 429) return new RateLimitedError(exchange, wait);
  if (status >= 300 && status < 400) return new RedirectError(exchange, redirectTarget(headers["location"], redact));
  if (!isRefusal(status)) return new ServerError(exchange, wait);
  switch (status) {
    case 401:
      return new CredentialsError(exchange);
    case 403:
      return new ForbiddenError(exchange);
    case 404:
    case 410:
      return new NotFoundError(exchange);
    case 422:
      return new InvalidRequestError(exchange);
    default:
      return new RefusedRequestError(exchange);
  }
}

/** The error for a page for browsers, or undefined if the body is none. Callers know already that it is no list. */
export function pageError(sent: Exchange, response: TransportResponse, redact: Redact): PanelFailure | undefined {
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
export function transportError(sent: Exchange, failure: TransportFailure, maxResponseBytes: number): PanelFailure {
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

const minRetryAfterMs = 250;
/** No request is repeated more often than this anyway. A longer wish (an hour, a week) is met by giving up. */
const maxRetryAfterMs = 10_000;

/**
 * The wait a `Retry-After` header asks for, in milliseconds within bounds. The header holds seconds, or a date by the
 * panel's clock (its `Date` header, if there is one). Undefined if the header is missing or unreadable.
 */
export function retryAfterMs(
  header: string | undefined,
  dateHeader: string | undefined,
  now: number,
): number | undefined {
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
