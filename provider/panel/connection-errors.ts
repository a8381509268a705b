import { type Exchange, PanelError } from "./errors";

export class CertificateError extends PanelError {
  readonly kind = "certificate";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    readonly code: string,
  ) {
    super(
      exchange,
      `the panel's certificate is not trusted (${code}); nothing was sent`,
      "Give the certificate authority's file, or use the name in the certificate as the endpoint's host.",
    );
  }
}

export class NameNotResolvedError extends PanelError {
  readonly kind = "nameNotResolved";
  readonly transient = true;
  constructor(
    exchange: Exchange,
    readonly code: string,
  ) {
    super(
      exchange,
      `the panel's host name cannot be resolved (${code}); nothing was sent`,
      "Check the endpoint's host name and this machine's name servers.",
    );
  }
}

export class ConnectionError extends PanelError {
  readonly kind = "connection";
  readonly transient = true;
  constructor(
    exchange: Exchange,
    readonly code: string,
    /** False if the request certainly never left. */
    readonly requestWritten: boolean,
  ) {
    super(
      exchange,
      requestWritten
        ? `the connection broke after the request was sent (${code})`
        : `no connection to the panel (${code}); nothing was sent`,
      code === "EPROTO"
        ? "Check the endpoint: this looks like https to a port that speaks something else."
        : "Check that the panel is up, and that no proxy or firewall on the way cuts connections.",
    );
  }
}

/** The time limit that passed. */
export type TimeoutPhase = "connect" | "firstByte" | "whole";

export class TimeoutError extends PanelError {
  readonly kind = "timeout";
  readonly transient = true;
  constructor(
    exchange: Exchange,
    readonly phase: TimeoutPhase,
    readonly limitMs: number,
    /** False if the request certainly never left. */
    readonly requestWritten: boolean,
  ) {
    const limit = `${String(limitMs / 1000)} s`;
    super(
      exchange,
      phase === "connect"
        ? `no connection to the panel within ${limit}; nothing was sent`
        : phase === "firstByte"
          ? `the panel did not begin to answer within ${limit}`
          : `no complete answer within ${limit}`,
      "Check the load of the panel and of the network. A slow panel needs a longer request time-out.",
    );
  }
}

/** The caller's signal ended the request. */
export class AbortedError extends PanelError {
  readonly kind = "aborted";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    /** False if the request certainly never left. */
    readonly requestWritten: boolean,
  ) {
    super(
      exchange,
      requestWritten ? "given up while the answer was awaited" : "given up before anything was sent",
      "The run was cancelled.",
    );
  }
}
