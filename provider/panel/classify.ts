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
} from "./no-answer";
import { cleanWord, isHtml, isLoginPage, isPage, panelWords } from "./panel-words";
import type { Redact } from "./secrets";
import { isCertificateFailure, isNameFailure, type TransportFailure, type TransportResponse } from "./transport";

/** The 4xx that tell of impatience on the panel's side: the request may have been carried out all the same. */
const impatient = new Set([408, 425, 499]);

/** Whether an answer with this status says that the panel certainly did not carry the request out. */
export function isRefusal(status: number): boolean {
  return status >= 300 && status < 500 && !impatient.has(status);
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The request id a panel or a proxy gives, to find the request in its logs. */
export function requestIdOf(response: TransportResponse, redact: Redact): string | undefined {
  const id = response.headers["x-request-id"] ?? response.headers["x-correlation-id"];
  return id === undefined || id.trim() === "" ? undefined : cleanWord(id, redact).slice(0, 100);
}

/** An answer that is not a success, as the error of its cause. */
export function statusError(asked: Exchange, response: TransportResponse, redact: Redact, now: number): PanelFailure {
  const { status, headers } = response;
  const requestId = requestIdOf(response, redact);
  const exchange: Exchange = {
    ...asked,
    status,
    panelMessages: panelWords(textOf(response), redact),
    ...(requestId === undefined ? {} : { requestId }),
  };
  const wait = retryAfterMs(headers["retry-after"], headers["date"], now);
  if (status === 429) return new RateLimitedError(exchange, wait);
  if (!isRefusal(status)) return new ServerError(exchange, wait);
  if (status < 400) return new RedirectError(exchange, locationOf(headers["location"], redact));
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

/** A page for browsers where a list was asked for; undefined when the answer is none. Asked only of what is no list. */
export function pageError(asked: Exchange, response: TransportResponse, redact: Redact): PanelFailure | undefined {
  const body = textOf(response);
  if (!isPage(body, response.headers["content-type"] ?? "")) return undefined;
  const requestId = requestIdOf(response, redact);
  const exchange: Exchange = {
    ...asked,
    status: response.status,
    panelMessages: isHtml(body) ? panelWords(body, redact) : [],
    ...(requestId === undefined ? {} : { requestId }),
  };
  return isLoginPage(body) ? new LoginPageError(exchange) : new NotThePanelError(exchange);
}

/** No answer, or only a part of one. */
export function failureError(asked: Exchange, failure: TransportFailure, maxResponseBytes: number): PanelFailure {
  const { code, written, timeout } = failure;
  if (code === "ABORTED") return new AbortedError(asked, written);
  if (code === "TOO_LARGE") return new TooLargeError(asked, maxResponseBytes);
  if (timeout !== undefined) return new TimeoutError(asked, timeout.phase, timeout.limitMs, written);
  if (!written && isNameFailure(code)) return new NameNotResolvedError(asked, code);
  if (!written && isCertificateFailure(code)) return new CertificateError(asked, code);
  return new ConnectionError(asked, code, written);
}

export function textOf(response: TransportResponse): string {
  return typeof response.body === "string" ? response.body : response.body.toString("utf8");
}

/** Where a redirect points, without the parts that may hold secrets. */
function locationOf(header: string | undefined, redact: Redact): string | undefined {
  if (header === undefined) return undefined;
  const bare = header.replace(/[?#][^]*$/, "").replace(/\/\/[^/@]*@/, "//");
  return cleanWord(bare, redact);
}

const shortestMs = 250;
/** Nothing here asks more often than this anyway, so a longer wish (an hour, a week) is met by not asking again. */
const longestMs = 10_000;

/**
 * What a `Retry-After` header asks for, in milliseconds within bounds: seconds, or a date by the panel's own clock
 * (its `Date` header) where it says what time it has. Undefined when there is none, or none that can be read.
 */
export function retryAfterMs(
  header: string | undefined,
  dateHeader: string | undefined,
  now: number,
): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  const wish = /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : untilDate(text, dateHeader, now);
  return wish === undefined ? undefined : Math.min(Math.max(wish, shortestMs), longestMs);
}

function untilDate(text: string, dateHeader: string | undefined, now: number): number | undefined {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  const panelNow = Date.parse(dateHeader ?? "");
  return at - (Number.isNaN(panelNow) ? now : panelNow);
}
