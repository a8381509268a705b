import {
  AbortedError,
  CertificateError,
  ConnectionError,
  CredentialsError,
  ForbiddenError,
  InvalidRequestError,
  LoginPageError,
  NameNotResolvedError,
  NotFoundError,
  NotThePanelError,
  RateLimitedError,
  RedirectError,
  RefusedRequestError,
  ServerError,
  TimeoutError,
  TooLargeError,
  type Exchange,
  type PanelFailure,
} from "../errors";
import type { Redact } from "../secrets/redact";
import { retryAfterMs } from "../http/retry-after";
import { isCertificateFailure, isNameFailure, type TransportFailure, type TransportResponse } from "../http/transport";
import { cleanWord, isHtml, isLoginPage, isPage, panelWords } from "./panel-words";

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
