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

  constructor(exchange: Exchange, problem: string, advice: string) {
    super(errorText(exchange, problem, advice));
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

function errorText(exchange: Exchange, problem: string, advice: string): string {
  const status = exchange.status === undefined ? "" : ` (status ${String(exchange.status)})`;
  const words = exchange.panelMessages ?? [];
  const said = words.length === 0 ? "" : ` The panel says: ${words.map((word) => `"${word}"`).join("; ")}.`;
  const id = exchange.requestId === undefined ? "" : ` Request id: ${exchange.requestId}.`;
  return `${exchange.method} ${exchange.path} on ${exchange.address}: ${problem}${status}.${said} ${advice}${id}`;
}

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
  | "cutShort"
  | "aborted"
  | "unsendable"
  | "endpoint";

/** An error that always says the same, and knows nothing but the exchange. */
function panelError<Kind extends PanelErrorKind>(
  kind: Kind,
  { transient }: { readonly transient: boolean },
  problem: string,
  advice: string,
) {
  return class extends PanelError {
    readonly kind = kind;
    readonly transient = transient;
    constructor(exchange: Exchange) {
      super(exchange, problem, advice);
    }
  };
}

/** A page that asks for a login, with a status of success. */
export class LoginPageError extends panelError(
  "loginPage",
  { transient: true },
  "the answer is a login page for browsers, not the panel's interface",
  "Check the endpoint's path, and whether a single sign-on or a proxy stands in front of the panel.",
) {}

/** Another HTML page with a status of success: maintenance, another service, a web server's welcome. */
export class NotThePanelError extends panelError(
  "notThePanel",
  { transient: true },
  "the answer is an HTML page, not the panel's interface",
  "Check the endpoint (host, port and path), and whether the panel is under maintenance.",
) {}

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

/** A list that goes on, or may, where this panel gives no way to read on: what was read must not pass for the whole. */
export class CutShortError extends PanelError {
  readonly kind = "cutShort";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    /** How many of the newest rows can be had. */
    readonly rows: number,
  ) {
    super(
      exchange,
      `the list cannot be read beyond its newest ${String(rows)} rows, because the panel gives no larger page and no further one`,
      "Ask for no more rows than that, or let the panel answer /page/<number> as its interface describes.",
    );
  }
}

/** A list of which it is not known that it was read to its end: a row that is missing may be the one that is meant. */
export class NotWholeError extends PanelError {
  readonly kind = "cutShort";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    /** How the list shows it, in a few words. */
    readonly reason: string,
  ) {
    super(exchange, `the list is not known to be whole: ${reason}`, "Look at the whole list on the panel itself.");
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

/** 401 */
export class CredentialsError extends panelError(
  "credentials",
  { transient: false },
  "the panel did not accept the user name and password",
  "Check both for this panel; where it wants an API key, the e-mail address is the user name and the key the password.",
) {}

/** 403 */
export class ForbiddenError extends panelError(
  "forbidden",
  { transient: false },
  "the panel knows this user but does not let it do this",
  "Check the permissions of the user's role, and whether the machine is in a state that allows it.",
) {}

/** 404, 410 */
export class NotFoundError extends panelError(
  "notFound",
  { transient: false },
  "the panel has nothing under this path",
  "Check the ids of the machine and of the recovery point, the endpoint's path, and the API version: panels before 5.9 restore under virtual_servers.",
) {}

/** 422 */
export class InvalidRequestError extends panelError(
  "invalid",
  { transient: false },
  "the panel does not take this request, or cannot carry it out now",
  "Check the recovery point and the paths, and whether the machine is busy or locked.",
) {}

/** Any other 4xx */
export class RefusedRequestError extends panelError(
  "refusedRequest",
  { transient: false },
  "the panel refused the request",
  "Check the endpoint and what stands between here and the panel.",
) {}

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

/** The only ways to say that there is no page of this number: from a server's failure nothing follows for the list. */
export function meansNoSuchPage({ kind }: PanelError): boolean {
  return kind === "notFound" || kind === "invalid" || kind === "refusedRequest";
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
