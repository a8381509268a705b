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
