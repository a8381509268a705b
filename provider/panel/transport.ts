import type { Clock } from "../plain/clock";
import type { TimeoutPhase } from "./connection-errors";

/** One request as it goes out. */
export interface TransportRequest {
  readonly method: "GET" | "POST";
  /** Begins with "/", includes the query, relative to the endpoint's path. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request, wherever it is. */
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Why the body ends early, when it does. The status stands all the same: a POST whose status arrived is decided. */
  readonly broken?: TransportFailure;
}

/**
 * Sends one request, once, and follows nothing. Rejects only when no status arrived; what a transport other than
 * the default rejects with may be any error with a Node `code`.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Why there is no answer, or only a part of one. Holds a code and nothing else of the error it came from. */
export class TransportFailure extends Error {
  constructor(
    /** Node's error code, or one of this package's: TOO_LARGE, TIMEOUT, ABORTED. */
    readonly code: string,
    /** False: no byte of the request can have reached the panel. */
    readonly written: boolean,
    readonly timeout?: { readonly phase: TimeoutPhase; readonly limitMs: number },
  ) {
    super(code);
    this.name = "TransportFailure";
  }
}

export function isNameFailure(code: string): boolean {
  return code === "ENOTFOUND" || code.startsWith("EAI_");
}

/** Node names certificate failures after OpenSSL's and adds its own ERR_TLS_CERT_… */
export function isCertificateFailure(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)/.test(
    code,
  );
}

/** What any transport rejected with, as a failure of this package's own kind. */
function asTransportFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const code = codeOf(error);
  // Codes that cannot come from a standing connection. Others (EHOSTUNREACH, ETIMEDOUT) can, so they count as written.
  const unwritten = isNameFailure(code) || isCertificateFailure(code) || code === "ECONNREFUSED";
  return new TransportFailure(code, !unwritten);
}

export function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return "UNKNOWN";
}

/** What became of one request: an answer (perhaps with a body that ends early), or none. */
export type RequestOutcome =
  | { readonly kind: "answered"; readonly response: TransportResponse }
  | { readonly kind: "failed"; readonly failure: TransportFailure };

interface SendOnceOptions {
  readonly clock: Clock;
  /** The longest this one request may take in all, whatever drips in meanwhile. */
  readonly limitMs: number;
  readonly signal?: AbortSignal;
}

/** Sends one request, once, and ends it when the time is up or the caller gives up. Never rejects. */
export async function sendOnce(
  transport: Transport,
  request: Omit<TransportRequest, "signal">,
  { clock, limitMs, signal }: SendOnceOptions,
): Promise<RequestOutcome> {
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
  const withReason = (failure: TransportFailure): TransportFailure => {
    if (!stop.signal.aborted || failure.timeout !== undefined || failure.code === "TOO_LARGE") return failure;
    return timedOut
      ? new TransportFailure("TIMEOUT", failure.written, { phase: "whole", limitMs })
      : new TransportFailure("ABORTED", failure.written);
  };
  try {
    const response = await Promise.race([
      transport({ ...request, signal: stop.signal }),
      rejectAfterAbort(stop.signal),
    ]);
    const { status, headers, body, broken } = response;
    return {
      kind: "answered",
      response: {
        status,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        body,
        ...(broken === undefined ? {} : { broken: withReason(broken) }),
      },
    };
  } catch (error) {
    return { kind: "failed", failure: withReason(asTransportFailure(error)) };
  } finally {
    cancelLimit();
    signal?.removeEventListener("abort", onAbort);
  }
}

/**
 * Rejects a little after the signal. By then a transport has said whether the request was written; one that ignores signals
 * keeps nobody waiting.
 */
function rejectAfterAbort(signal: AbortSignal): Promise<never> {
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
