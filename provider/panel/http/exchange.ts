import type { Clock } from "../../time/clock";
import {
  asTransportFailure,
  TransportFailure,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "./transport";

/** What became of one request: an answer (perhaps with a body that ends early), or none. */
export type Outcome =
  | { readonly kind: "answered"; readonly response: TransportResponse }
  | { readonly kind: "failed"; readonly failure: TransportFailure };

export interface ExchangeOptions {
  readonly clock: Clock;
  /** The longest this one request may take in all, whatever drips in meanwhile. */
  readonly limitMs: number;
  readonly signal?: AbortSignal;
}

/** Sends one request, once, and ends it when the time is up or the caller gives up. Never rejects. */
export async function exchange(
  transport: Transport,
  request: Omit<TransportRequest, "signal">,
  { clock, limitMs, signal }: ExchangeOptions,
): Promise<Outcome> {
  if (signal?.aborted === true) return { kind: "failed", failure: new TransportFailure("ABORTED", false) };
  const stop = new AbortController();
  let timedOut = false;
  const cancelLimit = clock.after(limitMs, () => {
    timedOut = true;
    stop.abort();
  });
  const onAbort = (): void => {
    stop.abort();
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  /** A transport only knows that it was stopped; why is known here. */
  const explained = (failure: TransportFailure): TransportFailure => {
    if (!stop.signal.aborted || failure.timeout !== undefined || failure.code === "TOO_LARGE") return failure;
    return timedOut
      ? new TransportFailure("TIMEOUT", failure.written, { phase: "whole", limitMs })
      : new TransportFailure("ABORTED", failure.written);
  };
  try {
    const response = await Promise.race([transport({ ...request, signal: stop.signal }), givenUp(stop.signal)]);
    const { status, headers, body, broken } = response;
    return {
      kind: "answered",
      response: {
        status,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        body,
        ...(broken === undefined ? {} : { broken: explained(broken) }),
      },
    };
  } catch (error) {
    return { kind: "failed", failure: explained(asTransportFailure(error)) };
  } finally {
    cancelLimit();
    signal?.removeEventListener("abort", onAbort);
  }
}

/**
 * Rejects a little after the signal: a transport that minds it has then said whether the request was written, and
 * one that does not mind it keeps nobody waiting.
 */
function givenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener(
      "abort",
      () => {
        setImmediate(() => {
          reject(new TransportFailure("ABORTED", true));
        });
      },
      { once: true },
    );
  });
}
