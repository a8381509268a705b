import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { isAbsolute } from "node:path";
import { textProblem } from "../../provider/inputs/problems";
import { omitUndefined } from "../../provider/plain/plain";
import { showValue } from "../../provider/plain/text";
import { type AttemptResult, type CheckKind, codeOf, leaf, maxOutputBytes, namedTexts } from "./kind";

export interface HttpProbe {
  readonly http: string;
  /** By default, any status from 200 to 299 passes. */
  readonly status?: number | readonly number[];
  readonly contains?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly caFile?: string;
}

export const httpCheck: CheckKind<HttpProbe> = {
  properties: {
    http: leaf(urlProblem),
    status(value, path, { isUnknown, problems }) {
      const given: readonly unknown[] = Array.isArray(value) ? value : [value];
      const wrong = given.find((status) => !isUnknown(status) && !isFinalStatus(status));
      const shown = given.length === 0 ? "empty" : wrong === undefined ? undefined : showValue(wrong);
      if (shown !== undefined)
        problems.add(path, ` is ${shown}: use a status like 200, or a list of statuses, from 200 to 599`);
    },
    contains: leaf(containsProblem),
    headers: namedTexts(headerProblem),
    caFile: leaf(fileProblem),
  },
  attempt: (probe) => (limitMs) => sendRequest(probe, Math.min(limitMs, longestAttemptMs)),
  host: (given) => (typeof given === "string" && URL.canParse(given) ? new URL(given).hostname : undefined),
  secrets: ({ http: url, headers = {} }) => {
    const { pathname, search } = new URL(url);
    const path = `${pathname}${search}`;
    return [...(path === "/" ? [] : [url, path]), ...Object.values(headers)];
  },
};

/** A request ends after this time, even if the check has more time left, so that a new attempt can replace a hung connection. */
const longestAttemptMs = 15_000;

/** How long to keep reading the body after the status has failed the check, because users may want to see the body. */
const shownBodyMs = 1_000;

/** Sends one request per attempt, on a new connection, without redirects or a proxy, because the restored machine itself must answer. */
async function sendRequest(probe: HttpProbe, limitMs: number): Promise<AttemptResult> {
  let ca: Buffer | undefined;
  try {
    ca = probe.caFile === undefined ? undefined : readFileSync(probe.caFile);
  } catch (error) {
    return { problem: `caFile cannot be read: ${codeOf(error)}` };
  }
  const { request } = probe.http.toLowerCase().startsWith("https:") ? https : http;
  const headers = { "accept-encoding": "identity", ...probe.headers };
  const limit = AbortSignal.timeout(limitMs);
  const limitText = `within ${String(Math.round(limitMs / 1_000))}s`;
  let sent: http.ClientRequest | undefined;
  try {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      sent = request(probe.http, { agent: false, headers, signal: limit, ...(ca && { ca }) });
      sent.once("response", resolve).on("error", reject).end();
      // Enforces the limit even if the request emits neither event.
      limit.addEventListener("abort", reject);
    });
    const wrongStatus = statusProblem(probe, Number(response.statusCode));
    // If the body cannot fail the check, reading it would only add to the measured time.
    if (wrongStatus === undefined && probe.contains === undefined) return {};
    if (wrongStatus !== undefined) setTimeout(() => response.destroy(new Error("enough")), shownBodyMs).unref();
    const { text, trouble } = await readBody(response);
    const wrongBody = bodyProblem(probe, text, limit.aborted ? `did not end ${limitText}` : trouble);
    const problem = wrongStatus ?? (wrongBody && `the response was ${String(response.statusCode)}, but ${wrongBody}`);
    return omitUndefined<AttemptResult>({ problem, output: text });
  } catch (error) {
    return { problem: limit.aborted ? `no response ${limitText}` : `no response: ${codeOf(error)}` };
  } finally {
    sent?.destroy();
  }
}

function statusProblem({ status: wantedStatus = [] }: HttpProbe, status: number): string | undefined {
  const statuses = [wantedStatus].flat();
  const isWanted = statuses.length === 0 ? status >= 200 && status <= 299 : statuses.includes(status);
  const wanted = statuses.length === 0 ? "200 to 299" : statuses.join(" or ");
  return isWanted ? undefined : `the response was ${String(status)}, not ${wanted}`;
}

function bodyProblem({ contains }: HttpProbe, text: string, trouble: string | undefined): string | undefined {
  if (trouble !== undefined) return `its body ${trouble}`;
  return contains === undefined || text.includes(contains) ? undefined : "does not contain the expected text";
}

/** Reads the body as text, up to a limit. If the body is incomplete, returns the part that was received, and the reason. */
async function readBody(response: http.IncomingMessage): Promise<{ readonly text: string; readonly trouble?: string }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() || "identity";
  if (encoding !== "identity") return { text: "", trouble: "is compressed, which was not requested" };
  const body = (): string => Buffer.concat(chunks).subarray(0, maxOutputBytes).toString("utf8");
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxOutputBytes) break;
    }
    return { text: body() };
  } catch {
    return { text: body(), trouble: "was cut off" };
  }
}

/** A status below 200 marks an interim response. */
function isFinalStatus(status: unknown): boolean {
  return Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
}

function urlProblem(value: unknown): string | undefined {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return ' is not an http or https address: use one like "https://shop.example.com/health"';
  return url.username !== "" || url.password !== ""
    ? " contains a user name or a password: pass them in headers ({ authorization: … }), which are kept secret"
    : undefined;
}

function containsProblem(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? undefined : ` is ${showValue(value)}: use a string`;
}

function fileProblem(value: unknown): string | undefined {
  // The provider process and the program may have different working directories.
  return typeof value === "string" && (isAbsolute(value) || value.startsWith("./"))
    ? textProblem(value, 4_096)
    : ` is ${showValue(value)}: use an absolute path, or a path relative to the project's folder, starting with "./"`;
}

/** The values are secrets, so no message quotes them. */
function headerProblem(name: string, text: unknown): string | undefined {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}$/.test(name)) return " is not a valid header name";
  if (typeof text !== "string") return " is not a string";
  return /[^\t\u0020-\u007e\u0080-\u00ff]/.test(text) ? " contains a character not allowed in headers" : undefined;
}
