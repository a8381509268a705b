import { formatElapsed } from "../plain/clock";
import { MessageError } from "../plain/message";
import { capitalized } from "../plain/text";
import type { Format } from "./types";

export interface Exchange {
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  /** The panel's own messages, shortened and cleaned for a terminal. */
  readonly panelMessages?: readonly string[];
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The target of a redirect, without query and user name. */
  readonly location?: string | undefined;
  /** The rows' field names, if the error is about the rows. */
  readonly names?: string;
  readonly setElsewhere?: SetElsewhere | undefined;
}

/** How to change the value of each setting that is not in the stack's configuration. */
export type SetElsewhere = Readonly<Record<string, { readonly variable: string } | { readonly provider: string }>>;

/** Rewrites advice so that each setting is changed where its value comes from: a value set in the stack's configuration instead might be overridden. */
export function adviceWhereSet(advice: string, setElsewhere: SetElsewhere = {}): string {
  return advice.replace(
    // oxlint-disable-next-line own/plain -- a command in backquotes, wherever a sentence contains it
    /`pulumi config set (?:--secret )?recovery:(\w+)(?: ([^`]*))?`/g,
    (line, name: string, value: string | undefined) => {
      const place = setElsewhere[name];
      if (place === undefined) return line;
      if ("variable" in place) return `\`export ${place.variable}=${value ?? "…"}\``;
      const [, words, json = value] = /^(?:"(.*)"|'(.*)')$/.exec(value ?? "") ?? [];
      const given = words === undefined || name === "fields" ? json : JSON.stringify(words.split(","));
      return `\`${name}${given === undefined ? "" : `: ${given}`}\` of ${place.provider}`;
    },
  );
}

type Texts = readonly [problem: string, advice: string];

const correctEndpoint = "Correct the address (host, port and path): `pulumi config set recovery:endpoint <address>`";
const refusedRead = `${correctEndpoint}, request fewer rows per page (recovery:pageSize), or check any proxy or firewall between this machine and the panel`;
const startOrCorrect =
  "Check that the panel is up and that no firewall is in the way, or correct the panel's address: `pulumi config set recovery:endpoint <address>`";
const correctPoint =
  "Correct the id of the machine or its recovery point; or set the panel's version, 5.8 for any older than 5.9: `pulumi config set recovery:apiVersion <version>`";

/** The texts for each kind of error. The parameters after the exchange are known only where the error is created. */
const textsByKind = {
  credentials: () => [
    "the panel did not accept the user name and password",
    "Correct them: `pulumi config set recovery:username <name>`, `pulumi config set --secret recovery:password` (or e-mail address and API key)",
  ],
  forbidden: () => [
    "the panel knows this user but does not permit this request",
    "Allow it in this user's role, or set another user: `pulumi config set recovery:username <name>`",
  ],
  notFound: ({ path }) => [
    "the panel has nothing at this path",
    path.startsWith("/transactions")
      ? correctEndpoint
      : path.includes("/backups/")
        ? correctPoint
        : "Correct the id of the machine",
  ],
  /** Any other 4xx, and a success status with an error in the body. */
  invalid: ({ method }) => [
    "the panel does not accept this request, or cannot carry it out now",
    method === "POST" ? "Correct the recovery point or the paths, or wait until the machine is free" : refusedRead,
  ],
  /** 3xx. Redirects are never followed, because the password would be sent to the next address. */
  redirect: ({ location }) => [
    `the response is a redirect${location === undefined ? "" : ` to ${location}`}, which is not followed, so that the password is not sent anywhere else`,
    "Set the panel's final address (https, host, port and path): `pulumi config set recovery:endpoint <address>`",
  ],
  rateLimited: () => [
    "too many requests",
    "Start fewer runs against this panel at the same time, or fewer restores in each: `pulumi config set recovery:maxConcurrent <number>`",
  ],
  /** 5xx, and the 4xx of a server or proxy that gave up waiting (408, 425, 499). */
  serverError: () => [
    "the panel, or a server in front of it, failed",
    "Check the panel's state and its log for this time, then run again",
  ],
  /** An HTML page sent with a success status: a login or maintenance page, another service, a web server's welcome page. */
  notThePanel: () => [
    "the response is an HTML page, so it did not come from the panel's API",
    `${correctEndpoint}; a login, a proxy or a maintenance page may be in front of the panel`,
  ],
  /** A success status with a body that is not the list: cut off, in another format, or in another shape. */
  unreadable: (_exchange, fault: string, itsFormat?: Format) => [
    `the response cannot be read: ${fault}`,
    itsFormat === undefined
      ? `${correctEndpoint}, or the format: \`pulumi config set recovery:format <json or xml>\``
      : `Request the panel's format: \`pulumi config set recovery:format ${itsFormat}\``,
  ],
  /** A list whose rows lack the known fields for the id or the status. A setting can fix that, but a retry cannot. */
  unusable: (_exchange, problem: string, advice: string) => [problem, advice],
  tooLarge: (_exchange, limitBytes: number) => [
    `the response is larger than ${String(limitBytes)} bytes and was not read to the end`,
    "Request fewer rows per page: `pulumi config set recovery:pageSize 20`, or a function's `perPage`",
  ],
  /** A list that continues, or may continue, beyond what this panel lets a client read. A part must not be mistaken for the whole. */
  cutShort: (_exchange, rows: number) => [
    `the list cannot be read beyond its newest ${String(rows)} rows, because the panel offers neither a larger page nor a next page`,
    "Request no more rows than that, or make the panel serve /page/<number> as its API describes",
  ],
  /** A list that may not have been read to its end, so the row in question may be missing. */
  notWhole: (_exchange, evidence: string) => [
    `the list may be incomplete: ${evidence}`,
    "Look at the whole list on the panel itself",
  ],
  certificate: ({ address }, code: string) => [
    `the panel's certificate is not trusted (${code})`,
    certificateAdvice(code, address),
  ],
  nameNotResolved: (_exchange, code: string) => [
    `the panel's host name cannot be resolved (${code})`,
    "Correct the host (`pulumi config set recovery:endpoint <address>`) or this machine's name servers",
  ],
  connection: (_exchange, code: string, isWritten: boolean) => [
    isWritten ? `the connection broke after the request was sent (${code})` : `no connection to the panel (${code})`,
    code === "EPROTO"
      ? `${correctEndpoint}; this looks like https to a port that does not speak TLS`
      : isWritten
        ? "Check whether the panel is up, and whether a proxy or firewall in between drops connections"
        : startOrCorrect,
  ],
  timeout: (_exchange, phase: TimeoutPhase, limitMs: number) => {
    const limit = limitMs < 60_000 ? `${String(limitMs / 1_000)}s` : formatElapsed(limitMs);
    return [
      `${late[phase]} within ${limit}`,
      phase === "connect"
        ? startOrCorrect
        : "Check the panel's load; if the panel is slow, run `pulumi config set recovery:requestTimeout 2m`",
    ];
  },
  aborted: (_exchange, isWritten: boolean) => [
    isWritten ? "gave up waiting for the response" : "gave up before anything was sent",
    "The run was cancelled",
  ],
  /** A request that this client does not build, because the panel's API cannot carry its id or path. */
  unsendable: (_exchange, reason: string) => [`not sent: ${reason}`, "Correct the value and run again"],
} as const satisfies Readonly<Record<string, (exchange: Exchange, ...details: never[]) => Texts>>;

export type PanelErrorKind = keyof typeof textsByKind;

type Details<Kind extends PanelErrorKind> =
  Parameters<(typeof textsByKind)[Kind]> extends readonly [unknown?, ...infer Rest] ? Rest : never;

export type TimeoutPhase = "connect" | "firstByte" | "whole";

const late: Readonly<Record<TimeoutPhase, string>> = {
  connect: "no connection to the panel",
  firstByte: "the panel did not start to respond",
  whole: "no complete response",
};

function certificateAdvice(code: string, address: string): string {
  const trust = "`pulumi config set recovery:caFile ./panel-ca.pem`";
  // The authority's own certificate is in the chain only if the chain has a self-signed certificate.
  if (!/SELF_SIGNED/.test(code))
    return `If the certificate has expired or names another host, correct that, or the endpoint; otherwise, ask whoever runs the panel for the certificate of its authority (a PEM file), and trust it: ${trust}`;
  const { hostname, port } = new URL(address);
  const fetch = `openssl s_client -showcerts -connect ${hostname}:${port === "" ? "443" : port} </dev/null | sed -n '/BEGIN/,/END/p' > panel-ca.pem`;
  return `Fetch the certificate, check that it matches the panel's, and then trust it: \`${fetch}\`, then ${trust}`;
}

const transientKinds: ReadonlySet<PanelErrorKind> = new Set([
  ...(["notThePanel", "unreadable", "serverError", "rateLimited"] as const),
  ...(["nameNotResolved", "connection", "timeout"] as const),
]);

/** Keeps neither the request's headers nor another library's error, so that the error shows no password even when printed with all hidden properties. */
export class PanelError extends MessageError {
  override readonly name = "PanelError";
  readonly status: number | undefined;
  readonly words: readonly string[];

  constructor(
    readonly kind: PanelErrorKind,
    readonly sent: Exchange,
    [problem, usualAdvice]: Texts,
  ) {
    const { method, path, address, status, panelMessages = [], requestId, names } = sent;
    const advice = adviceWhereSet(usualAdvice, sent.setElsewhere);
    const what = status === undefined ? problem : `${problem} (status ${String(status)})`;
    const lines = [
      `${method} ${path} on ${address}`,
      ...panelMessages.map((word) => `the panel's message: "${word}"`),
      ...(names === undefined ? [] : [names]),
      ...(requestId === undefined ? [] : [`request id: ${requestId}`]),
    ];
    super(
      { what, next: advice, lines, help: kind === "unusable" ? "fields" : "connection" },
      `${capitalized(what)}. ${advice}. (${lines.join("; ")})`,
    );
    this.status = status;
    this.words = panelMessages;
  }

  get isTransient(): boolean {
    return transientKinds.has(this.kind);
  }
}

export function panelError<Kind extends PanelErrorKind>(
  kind: Kind,
  exchange: Exchange,
  ...details: Details<Kind>
): PanelError {
  const textsOf = textsByKind[kind] as (exchange: Exchange, ...details: Details<Kind>) => Texts;
  return new PanelError(kind, exchange, textsOf(exchange, ...details));
}

/** True for the only errors that prove that a page does not exist. A server error proves nothing about the list. */
export function meansNoSuchPage({ kind }: PanelError): boolean {
  return kind === "notFound" || kind === "invalid";
}
