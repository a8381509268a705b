import { type Exchange, type PanelError, panelError, type PanelErrorKind } from "./errors";
import { cleanText, isHtml, isPage, panelMessagesIn } from "./panel-messages";
import type { Redact } from "./secrets";
import { isCertificateFailure, isNameFailure, type TransportFailure, type TransportResponse } from "./transport";

type StatusKind = Extract<
  PanelErrorKind,
  "redirect" | "credentials" | "forbidden" | "notFound" | "invalid" | "rateLimited" | "serverError"
>;

/** What each status other than success means. The first matching row applies. "refused" means that a POST was certainly not carried out. */
const outcomes: readonly (readonly [from: number, to: number, kind: StatusKind, post: "refused" | "unknown"])[] = [
  // The request must be sent elsewhere.
  [301, 301, "redirect", "refused"],
  [307, 308, "redirect", "refused"],
  // Web frameworks answer a successful POST with 302 or 303.
  [300, 399, "redirect", "unknown"],
  [401, 401, "credentials", "refused"],
  [403, 403, "forbidden", "refused"],
  [404, 404, "notFound", "refused"],
  [410, 410, "notFound", "refused"],
  [429, 429, "rateLimited", "refused"],
  // The panel or a proxy gave up waiting for the request or the answer.
  [408, 408, "serverError", "unknown"],
  [425, 425, "serverError", "unknown"],
  [499, 499, "serverError", "unknown"],
  [400, 499, "invalid", "refused"],
];

function outcomeOf(status: number): { readonly kind: StatusKind; readonly post: "refused" | "unknown" } {
  const [, , kind = "serverError", post = "unknown"] =
    outcomes.find(([from, to]) => from <= status && status <= to) ?? [];
  return { kind, post };
}

export const isRefusal = (status: number): boolean => outcomeOf(status).post === "refused";

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The request id sent by the panel or a proxy, for searching the logs. */
export function requestIdOf(response: TransportResponse, redact: Redact): string | undefined {
  const id = response.headers["x-request-id"] ?? response.headers["x-correlation-id"];
  return id === undefined ? undefined : cleanText(id, redact) || undefined;
}

export function answeredExchange(sent: Exchange, response: TransportResponse, redact: Redact): Exchange {
  return { ...sent, status: response.status, requestId: requestIdOf(response, redact) };
}

export function statusError(sent: Exchange, response: TransportResponse, redact: Redact): PanelError {
  const { status, headers } = response;
  return panelError(outcomeOf(status).kind, {
    ...answeredExchange(sent, response, redact),
    panelMessages: panelMessagesIn(bodyText(response), redact),
    location: redirectTarget(headers["location"], redact),
    retryAfterMs: retryAfterMs(headers["retry-after"]),
  });
}

/** The error for a web page, or undefined if the body is not a web page. Callers already know that the body is not a list. */
export function pageError(sent: Exchange, response: TransportResponse, redact: Redact): PanelError | undefined {
  const body = bodyText(response);
  if (!isPage(body, response.headers["content-type"] ?? "")) return undefined;
  const panelMessages = isHtml(body) ? panelMessagesIn(body, redact) : [];
  return panelError("notThePanel", { ...answeredExchange(sent, response, redact), panelMessages });
}

export function transportError(sent: Exchange, failure: TransportFailure, maxResponseBytes: number): PanelError {
  const { code, written, timeout } = failure;
  if (code === "ABORTED") return panelError("aborted", sent, written);
  if (code === "TOO_LARGE") return panelError("tooLarge", sent, maxResponseBytes);
  if (timeout !== undefined) return panelError("timeout", sent, timeout.phase, timeout.limitMs);
  if (!written && isNameFailure(code)) return panelError("nameNotResolved", sent, code);
  if (!written && isCertificateFailure(code)) return panelError("certificate", sent, code);
  return panelError("connection", sent, code, written);
}

export function bodyText(response: TransportResponse): string {
  return typeof response.body === "string" ? response.body : response.body.toString("utf8");
}

/** The target of a redirect, without the parts that may contain secrets. */
function redirectTarget(header: string | undefined, redact: Redact): string | undefined {
  if (header === undefined) return undefined;
  const bare = header.replace(/[?#][^]*$/, "").replace(/\/\/[^/@]*@/, "//");
  return cleanText(bare, redact);
}

/** If the panel requests a longer wait (an hour, a week), the client waits only this long, and gives up if the request keeps failing. */
const maxRetryAfterMs = 10_000;

/** The wait that a `Retry-After` header requests in seconds. A header with a date is ignored, so the usual pause applies. */
function retryAfterMs(header = ""): number | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(header.trim())) return undefined;
  return Math.min(Number(header) * 1_000, maxRetryAfterMs);
}
