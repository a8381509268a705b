import { once } from "node:events";
import { abortReason, pause } from "../../provider/plain/clock";
import type { Dialect } from "../dialect/dialect";
import type { PickedFault } from "../dialect/faults";
import type { PanelClock } from "../plain/clock";
import { type PanelResponse, errorAnswer, type WireFormat, htmlAnswer, withHeaders } from "./answers";

/** An answer, and how it reaches the client. */
export interface Delivery {
  readonly answer: PanelResponse;
  /** Present if the body arrives slowly. */
  readonly bytesPerSecond?: number;
  /** Present if only half of the body arrives, although the header announces all of it. */
  readonly isHalf?: true;
}

interface Context {
  readonly format: WireFormat;
  readonly dialect: Dialect;
  readonly clock: PanelClock;
  /** Aborts when the client stops waiting. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Applies a fault to a request. The fault decides whether `handle` is called, so a request without an answer may have been handled. Throws if the fault cuts
 * the connection. If there is no answer, throws only after the client has stopped waiting.
 */
export async function deliver(
  fault: PickedFault | undefined,
  handle: () => PanelResponse,
  { format, dialect, clock, signal }: Context,
): Promise<Delivery> {
  if (fault === undefined) return { answer: handle() };
  const { rule } = fault;
  const error = (status: number, message: string): PanelResponse => errorAnswer(status, message, format, dialect);
  switch (fault.kind) {
    case "resetBefore":
      throw connectionReset();
    case "resetAfter":
      handle();
      throw connectionReset();
    case "timeout":
      if (rule.handled === true) handle();
      return noAnswer(signal);
    case "unauthorized":
      return { answer: error(401, "Authorization is required") };
    case "rateLimit": {
      const seconds = rule.seconds ?? 1;
      return { answer: withHeaders(error(429, "Too many requests"), { "retry-after": String(seconds) }) };
    }
    case "redirect": {
      const answer = htmlAnswer(rule.status ?? 302, "You are being redirected");
      return { answer: withHeaders(answer, { location: rule.location ?? "/login" }) };
    }
    case "refuse":
      return { answer: error(rule.status ?? 422, "The action cannot be performed now") };
    case "serverError":
      return { answer: htmlAnswer(rule.status ?? 503, "Service temporarily unavailable") };
    case "loginPage":
      return { answer: htmlAnswer(200, "Please log in") };
    case "acceptThen500":
      handle();
      return { answer: htmlAnswer(500, "We're sorry, but something went wrong") };
    case "wrongContentType":
      return { answer: withHeaders(handle(), { "content-type": "text/html; charset=utf-8" }) };
    case "truncate":
      return { answer: handle(), isHalf: true };
    case "drip":
      return { answer: handle(), bytesPerSecond: Math.max(rule.bytesPerSecond ?? 10, 0.001) };
    case "delay":
      await pause(clock, (rule.seconds ?? 1) * 1000, signal);
      return { answer: handle() };
  }
}

async function noAnswer(signal: AbortSignal | undefined): Promise<never> {
  if (signal === undefined) return new Promise(() => undefined);
  if (!signal.aborted) await once(signal, "abort");
  throw abortReason(signal);
}

export function connectionReset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}
