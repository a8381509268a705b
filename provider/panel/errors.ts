import { type HelpWord, MessageError } from "../plain/message";

/**
 * One class per cause. No error keeps the request, its headers or another library's error. Printed with every hidden
 * property, it shows no password.
 */

/** The request of an error, and as much of its answer as arrived. */
export interface Exchange {
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  /** The panel's own messages, shortened and cleaned for a terminal. */
  readonly panelMessages?: readonly string[];
  readonly requestId?: string;
  /** The names of the rows' fields, where it is about these. */
  readonly names?: string;
  readonly setElsewhere?: SetElsewhere | undefined;
}

/** By setting, how to change a value that is not in the stack's configuration. */
export type SetElsewhere = Readonly<Record<string, { readonly variable: string } | { readonly provider: string }>>;

/** Advice with each setting as its value is changed where it comes from: in the stack's configuration it would be overridden, or be there twice. */
function adviceWhereSet(advice: string, setElsewhere: SetElsewhere = {}): string {
  return advice.replace(
    /`pulumi config set (?:--secret )?recovery:(\w+)(?: ([^`]*))?`/g,
    (line, name: string, value: string | undefined) => {
      const place = setElsewhere[name];
      if (place === undefined) return line;
      if ("variable" in place) return `\`export ${place.variable}=${value ?? "…"}\``;
      return `\`${name}${value === undefined ? "" : `: ${value}`}\` of ${place.provider}`;
    },
  );
}

export abstract class PanelError extends MessageError {
  abstract readonly kind: PanelErrorKind;
  /** True if the same request may succeed a little later. */
  abstract readonly transient: boolean;
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly panelMessages: readonly string[];
  readonly requestId?: string;
  /** The wait that the answer's `Retry-After` asks for, within bounds. */
  readonly retryAfterMs?: number | undefined;

  constructor(exchange: Exchange, problem: string, usualAdvice: string, help: HelpWord = "connection") {
    const { status, panelMessages = [], requestId, names } = exchange;
    const advice = adviceWhereSet(usualAdvice, exchange.setElsewhere);
    const what = status === undefined ? problem : `${problem} (status ${String(status)})`;
    const lines = [
      ...requestLine(exchange),
      ...panelMessages.map((word) => `the panel's words: "${word}"`),
      ...(names === undefined ? [] : [names]),
      ...(requestId === undefined ? [] : [`request id: ${requestId}`]),
    ];
    super({ what, next: advice, lines, help }, [`${capitalized(what)}. ${advice}.`, ...inParentheses(lines)].join(" "));
    this.name = new.target.name;
    this.address = exchange.address;
    this.method = exchange.method;
    this.path = exchange.path;
    if (status !== undefined) this.status = status;
    this.panelMessages = panelMessages;
    if (requestId !== undefined) this.requestId = requestId;
  }
}

/** The request, as far as there is one: an unusable endpoint gives none, an unusable value gives no path. */
function requestLine({ method, path, address }: Exchange): readonly string[] {
  if (method === "-") return [];
  return [`${path === "-" ? method : `${method} ${path}`} on ${address}`];
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function inParentheses(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`(${lines.join("; ")})`];
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
  | "unusable"
  | "tooLarge"
  | "cutShort"
  | "aborted"
  | "unsendable"
  | "endpoint";

export const correctEndpoint =
  "Correct the address (host, port and path): `pulumi config set recovery:endpoint <address>`";

/** A class of errors whose text depends on the exchange alone. */
function panelError<Kind extends PanelErrorKind>(
  kind: Kind,
  { transient }: { readonly transient: boolean },
  problem: string,
  advice: string | ((exchange: Exchange) => string),
) {
  return class extends PanelError {
    readonly kind = kind;
    readonly transient = transient;
    constructor(exchange: Exchange) {
      super(exchange, problem, typeof advice === "string" ? advice : advice(exchange));
    }
  };
}

/** A page that asks for a login, sent with a status of success. */
export class LoginPageError extends panelError(
  "loginPage",
  { transient: true },
  "the answer is a login page for browsers, not the panel's interface",
  `${correctEndpoint}; a single sign-on or a proxy may be in front of the panel`,
) {}

/** Another HTML page sent with a status of success: maintenance, another service, a web server's welcome page. */
export class NotThePanelError extends panelError(
  "notThePanel",
  { transient: true },
  "the answer is an HTML page, not the panel's interface",
  `${correctEndpoint}, or wait until the panel is no longer under maintenance`,
) {}

/** A status of success with a body that is not the list: cut off, another format, another shape. */
export class UnreadableError extends PanelError {
  readonly kind = "unreadable";
  readonly transient = true;
  constructor(
    exchange: Exchange,
    /** The fault of the body, in a few words. */
    readonly reason: string,
  ) {
    super(exchange, `the answer cannot be read: ${reason}`, readableAdvice(reason));
  }
}

function readableAdvice(reason: string): string {
  const other = /is XML/.test(reason) ? "xml" : /is JSON/.test(reason) ? "json" : undefined;
  if (other !== undefined) return `Ask for its format: \`pulumi config set recovery:format ${other}\``;
  return `${correctEndpoint}, or set \`pulumi config set recovery:format <json or xml>\``;
}

/** A list whose rows have no id or no status, as far as it is known where this panel has them. A setting fixes it; a retry does not. */
export class UnusableListError extends PanelError {
  readonly kind = "unusable";
  readonly transient = false;
  readonly permanent = true;
  constructor(exchange: Exchange, problem: string, advice: string) {
    super(exchange, problem, advice, "fields");
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
      "Ask for fewer rows per page: `pulumi config set recovery:pageSize 20`, or `perPage` of a function",
    );
  }
}

/** A list that continues, or may continue, but this panel offers no way to read further. A part must not pass for the whole. */
export class CutShortError extends PanelError {
  readonly kind = "cutShort";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    /** The number of newest rows that can be read. */
    readonly rows: number,
  ) {
    super(
      exchange,
      `the list cannot be read beyond its newest ${String(rows)} rows, because the panel gives no larger page and no further one`,
      "Ask for no more rows than that, or have the panel answer /page/<number> as its interface describes",
    );
  }
}

/** A list whose end may not have been read: a missing row may be the row in question. */
export class NotWholeError extends PanelError {
  readonly kind = "cutShort";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    /** The evidence in the list, in a few words. */
    readonly reason: string,
  ) {
    super(exchange, `the list is not known to be whole: ${reason}`, "Look at the whole list on the panel itself");
  }
}

/** 5xx, and the 4xx of a server or proxy that gave up waiting (408, 425, 499). */
export class ServerError extends PanelError {
  readonly kind = "serverError";
  readonly transient = true;
  constructor(
    exchange: Exchange,
    override readonly retryAfterMs?: number | undefined,
  ) {
    super(
      exchange,
      "the panel, or a server in front of it, failed",
      "Look at the panel's state and at its log of this time, then run again",
    );
  }
}

/** 429 */
export class RateLimitedError extends PanelError {
  readonly kind = "rateLimited";
  readonly transient = true;
  constructor(
    exchange: Exchange,
    override readonly retryAfterMs?: number | undefined,
  ) {
    super(exchange, "too many requests", "Start fewer runs against this panel at the same time");
  }
}

/** 401 */
export class CredentialsError extends panelError(
  "credentials",
  { transient: false },
  "the panel did not accept the user name and password",
  "Correct them: `pulumi config set recovery:username <name>`, `pulumi config set --secret recovery:password` (or e-mail address and API key)",
) {}

/** 403 */
export class ForbiddenError extends panelError(
  "forbidden",
  { transient: false },
  "the panel knows this user but does not let it do this",
  "Let the role of this user do it, or set another user: `pulumi config set recovery:username <name>`",
) {}

/** 404, 410 */
export class NotFoundError extends panelError(
  "notFound",
  { transient: false },
  "the panel has nothing under this path",
  ({ path }) =>
    path.startsWith("/transactions")
      ? correctEndpoint
      : "Correct the ids of the machine and its recovery point; for a panel before 5.9: `pulumi config set recovery:apiVersion 5.8`",
) {}

/** 422 */
export class InvalidRequestError extends panelError(
  "invalid",
  { transient: false },
  "the panel does not take this request, or cannot carry it out now",
  "Correct the recovery point or the paths, or wait until the machine is no longer busy or locked",
) {}

/** Any other 4xx */
export class RefusedRequestError extends panelError(
  "refusedRequest",
  { transient: false },
  "the panel refused the request",
  `${correctEndpoint}, and look at any proxy or firewall between this machine and the panel`,
) {}

/** 3xx. Redirects are never followed, because the next address would get the password. */
export class RedirectError extends PanelError {
  readonly kind = "redirect";
  readonly transient = false;
  /** The redirect's target, without query and user name. */
  readonly location?: string;
  constructor(exchange: Exchange, location?: string) {
    super(
      exchange,
      `the answer is a redirect${location === undefined ? "" : ` to ${location}`}, which is not followed, so that the password goes nowhere else`,
      "Set the panel's final address (https, host, port and path): `pulumi config set recovery:endpoint <address>`",
    );
    if (location !== undefined) this.location = location;
  }
}

/** True for the only errors that prove a missing page. A server's failure proves nothing about the list. */
export function meansNoSuchPage({ kind }: PanelError): boolean {
  return kind === "notFound" || kind === "invalid" || kind === "refusedRequest";
}

/** A request this client refuses to build: the panel's interface cannot carry the id or path. */
export class UnsendableError extends PanelError {
  readonly kind = "unsendable";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    readonly reason: string,
  ) {
    super(exchange, `not sent: ${reason}`, "Correct the value and run again");
  }
}

/** The base address is unusable. The message does not show it, because it may hold a password. */
export class EndpointError extends PanelError {
  readonly kind = "endpoint";
  readonly transient = false;
  constructor(readonly reason: string) {
    super(
      { address: "the endpoint", method: "-", path: "-" },
      `the panel's endpoint cannot be used: ${reason}`,
      "Write it as `pulumi config set recovery:endpoint https://host[:port][/path]`; user name and password have settings of their own",
      "settings",
    );
  }
}
