import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../plain/clock";
import type { TimeoutPhase } from "./errors";

export interface TransportRequest {
  readonly method: "GET" | "POST";
  /** Begins with "/", includes the query, and is relative to the endpoint's path. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Why the body ended early. The status is nevertheless valid, and decides whether a POST was accepted. */
  readonly broken?: TransportFailure;
}

/** Sends one request, once. Rejects only if no status arrived; the error then has a Node `code`. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Why a response is missing or incomplete. Keeps only the code of the original error. */
export class TransportFailure extends Error {
  constructor(
    /** Node's error code, or one of this package's: TOO_LARGE, TIMEOUT, ABORTED. */
    readonly code: string,
    /** False if no byte of the request can have reached the panel. */
    readonly written: boolean,
    readonly timeout?: { readonly phase: TimeoutPhase; readonly limitMs: number },
  ) {
    super(code);
    this.name = "TransportFailure";
  }
}

export const isNameFailure = (code: string): boolean => code === "ENOTFOUND" || code.startsWith("EAI_");

/** Node.js uses OpenSSL's names for certificate failures, and adds its own ERR_TLS_CERT_… */
export const isCertificateFailure = (code: string): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)/.test(code);

function asTransportFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const code = errorCodeOf(error);
  // These codes cannot come from an open connection. Others (EHOSTUNREACH, ETIMEDOUT) can, so the request is then assumed to have been written.
  const unwritten = isNameFailure(code) || isCertificateFailure(code) || code === "ECONNREFUSED";
  return new TransportFailure(code, !unwritten);
}

export function errorCodeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return "UNKNOWN";
}

interface SendOnceOptions {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export async function sendOnce(
  transport: Transport,
  request: Omit<TransportRequest, "signal">,
  { clock, limitMs, signal }: SendOnceOptions,
): Promise<TransportResponse | TransportFailure> {
  if (signal?.aborted === true) return new TransportFailure("ABORTED", false);
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
  /** A transport sees only that it was aborted; the reason is known here. */
  const withReason = (failure: TransportFailure, phase: TimeoutPhase): TransportFailure => {
    if (!stop.signal.aborted || failure.code === "TOO_LARGE") return failure;
    return timedOut
      ? new TransportFailure("TIMEOUT", failure.written, { phase, limitMs })
      : new TransportFailure("ABORTED", failure.written);
  };
  try {
    const response = await Promise.race([
      transport({ ...request, signal: stop.signal }),
      rejectAfterAbort(stop.signal),
    ]);
    const { headers, broken } = response;
    return {
      ...response,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      ...(broken && { broken: withReason(broken, "whole") }),
    };
  } catch (error) {
    const failure = asTransportFailure(error);
    return withReason(failure, failure.written ? "firstByte" : "connect");
  } finally {
    cancelLimit();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Rejects shortly after the signal, so that a transport can still report whether the request was written, but cannot block the caller by ignoring it. */
async function rejectAfterAbort(signal: AbortSignal): Promise<never> {
  await once(signal, "abort");
  await setImmediate();
  throw new TransportFailure("ABORTED", true);
}
