import { formatElapsed } from "../plain/clock";
import { correctEndpoint, type Exchange, PanelError } from "./errors";

export class CertificateError extends PanelError {
  readonly kind = "certificate";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    readonly code: string,
  ) {
    super(exchange, `the panel's certificate is not trusted (${code})`, certificateAdvice(code, exchange.address));
  }
}

function certificateAdvice(code: string, address: string): string {
  if (/ALTNAME/.test(code))
    return "Use a name in the certificate as the host: `pulumi config set recovery:endpoint https://<name>`";
  if (/EXPIRED|NOT_YET_VALID/.test(code)) return "Renew the certificate on the panel, or correct this machine's clock";
  const trust = "`pulumi config set recovery:caFile ./panel-ca.pem`";
  // Only such a chain holds the authority itself.
  if (!/SELF_SIGNED/.test(code))
    return `Ask whoever runs the panel for its certificate authority's file (PEM), and trust it: ${trust}`;
  const { hostname, port } = new URL(address);
  const fetch = `openssl s_client -showcerts -connect ${hostname}:${port === "" ? "443" : port} </dev/null | sed -n '/BEGIN/,/END/p' > panel-ca.pem`;
  return `Fetch it, compare it with the panel's own, and trust it: \`${fetch}\`, then ${trust}`;
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
      `the panel's host name cannot be resolved (${code})`,
      "Correct the host: `pulumi config set recovery:endpoint <address>`, or this machine's name servers",
    );
  }
}

const startOrCorrect =
  "Look whether the panel is up and no firewall is in the way, or correct its address: `pulumi config set recovery:endpoint <address>`";

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
        : `no connection to the panel (${code})`,
      code === "EPROTO"
        ? `${correctEndpoint}; this looks like https to a port that speaks something else`
        : requestWritten
          ? "Look whether the panel is up, and whether a proxy or firewall on the way cuts connections"
          : startOrCorrect,
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
    const limit = limitMs < 60_000 ? `${String(limitMs / 1_000)}s` : formatElapsed(limitMs);
    super(
      exchange,
      phase === "connect"
        ? `no connection to the panel within ${limit}`
        : phase === "firstByte"
          ? `the panel did not begin to answer within ${limit}`
          : `no complete answer within ${limit}`,
      phase === "connect"
        ? startOrCorrect
        : "Look at the load of the panel; for a slow panel: `pulumi config set recovery:requestTimeout 2m`",
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
      "The run was cancelled",
    );
  }
}
