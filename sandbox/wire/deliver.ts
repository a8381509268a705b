import type { Dialect } from "../dialect/dialect";
import { type Answer, errorAnswer, htmlAnswer, withHeaders } from "./answers";
import type { Format } from "./encode";
import type { PickedFault } from "../dialect/faults";

/** Applies a fault to a request. It calls `handle` or does not: an answer is lost, or the request was never handled. */
export function deliver(
  fault: PickedFault | undefined,
  handle: () => Answer,
  context: { readonly format: Format; readonly dialect: Dialect; readonly panelNow: number },
): Delivery {
  const answered = (answer: Answer): Delivery => ({ kind: "answer", answer });
  if (fault === undefined) return answered(handle());
  const { rule } = fault;
  const error = (status: number, message: string): Answer =>
    errorAnswer(status, message, context.format, context.dialect);
  switch (fault.kind) {
    case "resetBefore":
      return { kind: "cut" };
    case "resetAfter":
      handle();
      return { kind: "cut" };
    case "timeout":
      if (rule.handled === true) handle();
      return { kind: "silence" };
    case "unauthorized":
      return answered(error(401, "Authorization is required"));
    case "rateLimit": {
      const seconds = rule.seconds ?? 1;
      const date = new Date(context.panelNow + seconds * 1000).toUTCString();
      const retryAfter = rule.retryAfter === "date" ? date : String(seconds);
      const headers: Answer["headers"] = rule.retryAfter === "absent" ? {} : { "retry-after": retryAfter };
      return answered(withHeaders(error(429, "Too many requests"), headers));
    }
    case "redirect": {
      const answer = htmlAnswer(rule.status ?? 302, "You are being redirected");
      return answered(withHeaders(answer, { location: rule.location ?? "/login" }));
    }
    case "refuse":
      return answered(error(rule.status ?? 422, "The action cannot be performed now"));
    case "serverError":
      return answered(htmlAnswer(rule.status ?? 503, "Service temporarily unavailable"));
    case "loginPage":
      return answered(htmlAnswer(200, "Please log in"));
    case "acceptThen500":
      handle();
      return answered(htmlAnswer(500, "We're sorry, but something went wrong"));
    case "wrongContentType":
      return answered(withHeaders(handle(), { "content-type": "text/html; charset=utf-8" }));
    case "truncate":
      return { kind: "half", answer: handle(), declare: rule.contentLength ?? "full" };
    case "drip":
      return { kind: "drip", answer: handle(), bytesPerSecond: Math.max(rule.bytesPerSecond ?? 10, 0.001) };
    case "delay":
      return { kind: "later", handle, afterMs: (rule.seconds ?? 1) * 1000 };
  }
}

/** The way in which an answer reaches the client, or does not. */
export type Delivery =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "later"; readonly afterMs: number; readonly handle: () => Answer }
  | { readonly kind: "cut" }
  | { readonly kind: "silence" }
  | { readonly kind: "drip"; readonly answer: Answer; readonly bytesPerSecond: number }
  | { readonly kind: "half"; readonly answer: Answer; readonly declare: "full" | "cut" };
