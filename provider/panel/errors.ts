/**
 * One class per cause. None of them keeps the request, its headers or another library's error: what they hold is
 * what they show, so that printing one with every hidden property shows no password.
 */

/** The request an error speaks of and what came back, as far as anything did. */
export interface Exchange {
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  /** The panel's own words, cut and cleaned for a terminal. */
  readonly panelMessages?: readonly string[];
  readonly requestId?: string;
}

export abstract class PanelError extends Error {
  abstract readonly kind: PanelErrorKind;
  /** Whether the same request may well succeed a little later. */
  abstract readonly transient: boolean;
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly panelMessages: readonly string[];
  readonly requestId?: string;
  /** What to do about it, one or two sentences. */
  readonly advice: string;

  constructor(exchange: Exchange, what: string, advice: string) {
    super(sentence(exchange, what, advice));
    this.name = new.target.name;
    this.address = exchange.address;
    this.method = exchange.method;
    this.path = exchange.path;
    if (exchange.status !== undefined) this.status = exchange.status;
    this.panelMessages = exchange.panelMessages ?? [];
    if (exchange.requestId !== undefined) this.requestId = exchange.requestId;
    this.advice = advice;
  }
}

function sentence(exchange: Exchange, what: string, advice: string): string {
  const status = exchange.status === undefined ? "" : ` (status ${String(exchange.status)})`;
  const words = exchange.panelMessages ?? [];
  const said = words.length === 0 ? "" : ` The panel says: ${words.map((word) => `"${word}"`).join("; ")}.`;
  const id = exchange.requestId === undefined ? "" : ` Request id: ${exchange.requestId}.`;
  return `${exchange.method} ${exchange.path} on ${exchange.address}: ${what}${status}.${said} ${advice}${id}`;
}

/** 401 */
export class CredentialsError extends PanelError {
  readonly kind = "credentials";
  readonly transient = false;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the panel did not accept the user name and password",
      "Check both for this panel; where it wants an API key, the e-mail address is the user name and the key the password.",
    );
  }
}

/** 403 */
export class ForbiddenError extends PanelError {
  readonly kind = "forbidden";
  readonly transient = false;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the panel knows this user but does not let it do this",
      "Check the permissions of the user's role, and whether the machine is in a state that allows it.",
    );
  }
}

/** 404, 410 */
export class NotFoundError extends PanelError {
  readonly kind = "notFound";
  readonly transient = false;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the panel has nothing under this path",
      "Check the ids of the machine and of the recovery point, the endpoint's path, and the API version: panels before 5.9 restore under virtual_servers.",
    );
  }
}

/** 422 */
export class InvalidRequestError extends PanelError {
  readonly kind = "invalid";
  readonly transient = false;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the panel does not take this request, or cannot carry it out now",
      "Check the recovery point and the paths, and whether the machine is busy or locked.",
    );
  }
}

/** Any other 4xx */
export class RefusedRequestError extends PanelError {
  readonly kind = "refusedRequest";
  readonly transient = false;
  constructor(exchange: Exchange) {
    super(exchange, "the panel refused the request", "Check the endpoint and what stands between here and the panel.");
  }
}

/** 3xx: never followed, because the next address would be given the password. */
export class RedirectError extends PanelError {
  readonly kind = "redirect";
  readonly transient = false;
  /** Where it pointed, without query and userinfo. */
  readonly location?: string;
  constructor(exchange: Exchange, location?: string) {
    super(
      exchange,
      location === undefined ? "the answer is a redirect" : `the answer is a redirect to ${location}`,
      "Redirects are not followed, so that the password goes nowhere else. Set the endpoint to the panel's final address (https, host, port and path).",
    );
    if (location !== undefined) this.location = location;
  }
}

/** A page that asks for a login, with a status of success. */
export class LoginPageError extends PanelError {
  readonly kind = "loginPage";
  readonly transient = true;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the answer is a login page for browsers, not the panel's interface",
      "Check the endpoint's path, and whether a single sign-on or a proxy stands in front of the panel.",
    );
  }
}

/** Another HTML page with a status of success: maintenance, another service, a web server's welcome. */
export class NotThePanelError extends PanelError {
  readonly kind = "notThePanel";
  readonly transient = true;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the answer is an HTML page, not the panel's interface",
      "Check the endpoint (host, port and path), and whether the panel is under maintenance.",
    );
  }
}

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
      "Give the certificate authority's file, or an endpoint with the name that the certificate is made out to.",
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
    /** False: the request certainly never left. */
    readonly requestWritten: boolean,
  ) {
    super(
      exchange,
      requestWritten
        ? `the connection broke after the request was sent (${code})`
        : `no connection to the panel (${code}); nothing was sent`,
      code === "EPROTO"
        ? "Check the endpoint: this looks like https to a port that speaks something else."
        : "Check that the panel is up and that nothing between here and there cuts connections.",
    );
  }
}

/** Which of the time limits passed. */
export type TimeoutPhase = "connect" | "firstByte" | "whole";

export class TimeoutError extends PanelError {
  readonly kind = "timeout";
  readonly transient = true;
  constructor(
    exchange: Exchange,
    readonly phase: TimeoutPhase,
    readonly limitMs: number,
    /** False: the request certainly never left. */
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
      "Check how busy the panel and the way to it are; a longer request time-out helps a slow panel.",
    );
  }
}

/** 5xx, and the 4xx that speak of the server's or a proxy's impatience (408, 425, 499). */
export class ServerError extends PanelError {
  readonly kind = "serverError";
  readonly transient = true;
  /** What the answer's `Retry-After` asks for, within bounds. */
  readonly retryAfterMs?: number;
  constructor(exchange: Exchange, retryAfterMs?: number) {
    super(
      exchange,
      "the panel, or a server in front of it, failed",
      "Look at the panel's state and its logs at this time.",
    );
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

/** 429 */
export class RateLimitedError extends PanelError {
  readonly kind = "rateLimited";
  readonly transient = true;
  /** What the answer's `Retry-After` asks for, within bounds. */
  readonly retryAfterMs?: number;
  constructor(exchange: Exchange, retryAfterMs?: number) {
    super(exchange, "too many requests", "Fewer runs against this panel at the same time help.");
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

/** A good status with a body that is not the list that was asked for: cut off, another format, another shape. */
export class UnreadableError extends PanelError {
  readonly kind = "unreadable";
  readonly transient = true;
  constructor(
    exchange: Exchange,
    /** What is wrong with the body, in a few words. */
    readonly reason: string,
  ) {
    super(
      exchange,
      `the answer cannot be read: ${reason}`,
      "Check the endpoint, or try the other format (json or xml).",
    );
  }
}

export class TooLargeError extends PanelError {
  readonly kind = "tooLarge";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    readonly limitBytes: number,
  ) {
    super(
      exchange,
      `the answer is larger than ${String(limitBytes)} bytes and was not read to its end`,
      "Ask for fewer rows per page.",
    );
  }
}

/** The caller's signal. */
export class AbortedError extends PanelError {
  readonly kind = "aborted";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    /** False: the request certainly never left. */
    readonly requestWritten: boolean,
  ) {
    super(
      exchange,
      requestWritten ? "given up while the answer was awaited" : "given up before anything was sent",
      "The run was cancelled.",
    );
  }
}

/** A request that this client does not put together: an id or a path that the panel's interface cannot carry. */
export class UnsendableError extends PanelError {
  readonly kind = "unsendable";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    readonly reason: string,
  ) {
    super(exchange, `not sent: ${reason}`, "Nothing was sent. Correct the value and run again.");
  }
}

/** The base address cannot be used. It is not shown, because it may hold a password. */
export class EndpointError extends PanelError {
  readonly kind = "endpoint";
  readonly transient = false;
  constructor(readonly reason: string) {
    super(
      { address: "the endpoint", method: "-", path: "-" },
      `the panel's endpoint cannot be used: ${reason}`,
      "Give it as https://host[:port][/path], and user name and password apart from it.",
    );
  }
}

/** Every error this client throws or hands back; `kind` tells them apart. */
export type PanelFailure =
  | CredentialsError
  | ForbiddenError
  | NotFoundError
  | InvalidRequestError
  | RefusedRequestError
  | RedirectError
  | LoginPageError
  | NotThePanelError
  | CertificateError
  | NameNotResolvedError
  | ConnectionError
  | TimeoutError
  | ServerError
  | RateLimitedError
  | UnreadableError
  | TooLargeError
  | AbortedError
  | UnsendableError
  | EndpointError;

export type PanelErrorKind =
  | "credentials"
  | "forbidden"
  | "notFound"
  | "invalid"
  | "refusedRequest"
  | "redirect"
  | "loginPage"
  | "notThePanel"
  | "certificate"
  | "nameNotResolved"
  | "connection"
  | "timeout"
  | "serverError"
  | "rateLimited"
  | "unreadable"
  | "tooLarge"
  | "aborted"
  | "unsendable"
  | "endpoint";
