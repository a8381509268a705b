import { entriesOf, isObject, omitUndefined } from "../plain/plain";
import {
  answeredExchange,
  bodyText,
  isRefusal,
  isSuccess,
  pageError,
  requestIdOf,
  statusError,
  transportError,
} from "./classify";
import { bareName, knownStatus, names, wordSet } from "./conventions";
import type { Decode, DecodedPage } from "./decode";
import { type Exchange, type PanelError, panelError } from "./errors";
import { saysNothing } from "./facts";
import { UnusableRows } from "./fields";
import { UndecodableError } from "./find-rows";
import { parseJson } from "./json";
import { hasLoginForm, panelMessagesIn } from "./panel-messages";
import { idOf, textOf, valueAt } from "./row-reader";
import { masked, maskedRow, type Redact } from "./secrets";
import { TransportFailure, type TransportResponse } from "./transport";
import type { Format, ListedRow, PostAnswer } from "./types";
import { parseXml } from "./xml";

export interface AnsweredPage<Item> extends DecodedPage<Item> {
  readonly sent: Exchange;
  /** The number of rows in the whole list, which some panels send with each page. */
  readonly total?: number;
}

interface AnswerContext {
  readonly format: Format;
  readonly redact: Redact;
  readonly now: number;
  readonly maxResponseBytes: number;
}

/** Matches the paths of pages after the first, where a 204 means the end of the list. On the first page, a 204 may only mean that the panel is starting up. */
const isFurther = /\/page\/(?!1\b)\d/;

export function listAnswer<Item extends ListedRow>(
  sent: Exchange,
  response: TransportResponse | TransportFailure,
  decode: Decode<Item>,
  context: AnswerContext,
): AnsweredPage<Item> | PanelError {
  const { format, redact, now, maxResponseBytes } = context;
  if (response instanceof TransportFailure) return transportError(sent, response, maxResponseBytes);
  const { status, broken } = response;
  if (!isSuccess(status)) return statusError(sent, response, redact);
  if (broken !== undefined) return transportError({ ...sent, status }, broken, maxResponseBytes);
  const time = panelTime(response);
  const told = omitUndefined({ panelTime: time, total: toldTotal(response) });
  try {
    const isPastEnd = status === 204 && isFurther.test(sent.path);
    const page = decode(isPastEnd ? "[]" : bodyText(response), isPastEnd ? "json" : format, time ?? now);
    const items = page.items.map((item) => maskedRow(item, redact));
    return { ...page, items, ...told, sent };
  } catch (error) {
    if (!(error instanceof UndecodableError || error instanceof UnusableRows)) throw error;
    return pageError(sent, response, redact) ?? undecodedError(sent, response, error, context);
  }
}

function undecodedError(
  sent: Exchange,
  response: TransportResponse,
  error: UndecodableError | UnusableRows,
  { format, redact }: AnswerContext,
): PanelError {
  const top = entriesOf(parsedBody(response));
  // Some panels answer with status 200 and say in the body what is wrong.
  const isTold = refuses(top) || saysFailed(top);
  const exchange = {
    ...answeredExchange(sent, response, redact),
    ...(isTold && { panelMessages: panelMessagesIn(bodyText(response), redact) }),
  };
  if (error instanceof UnusableRows) {
    const named = error.fieldNames === undefined ? exchange : { ...exchange, names: redact(error.fieldNames) };
    return panelError("unusable", named, redact(error.message), redact(error.advice));
  }
  // Only the body is considered, because servers and proxies send lists with any content type.
  const [other, start] = format === "json" ? (["xml", /^\s*</] as const) : (["json", /^\s*[[{]/] as const);
  if (!start.test(bodyText(response))) return panelError("unreadable", exchange, error.message);
  const fault = `it is ${other.toUpperCase()}, but ${format.toUpperCase()} was requested`;
  return panelError("unreadable", exchange, fault, other);
}

function panelTime({ headers }: TransportResponse): number | undefined {
  const at = Date.parse(headers["date"] ?? "");
  return Number.isNaN(at) ? undefined : at;
}

function toldTotal({ headers }: TransportResponse): number | undefined {
  const total = headers["x-total"]?.trim() ?? "";
  return /^\d{1,9}$/.test(total) ? Number(total) : undefined;
}

/** What a POST's outcome proves about the restore. After a refusal, the restore is certainly not running. A lost or contradictory answer proves nothing. */
export function postAnswer(
  sent: Exchange,
  response: TransportResponse | TransportFailure,
  context: Omit<AnswerContext, "format">,
): PostAnswer {
  if (response instanceof TransportFailure) {
    const error = transportError(sent, response, context.maxResponseBytes);
    return { kind: response.written ? "unknown" : "refused", error };
  }
  const body = parsedBody(response);
  const transactionIds = masked(namedTransactions(body, response.headers["location"]), context.redact);
  // A panel may answer with the transaction, the machine, a notice, or nothing, or redirect to the transaction.
  if (isSuccess(response.status) || ([302, 303].includes(response.status) && transactionIds.length > 0)) {
    const top = entriesOf(body);
    const page = hasLoginForm(bodyText(response)) ? pageError(sent, response, context.redact) : undefined;
    if (page !== undefined) return { kind: "unknown", error: page };
    if (refuses(top) || (transactionIds.length === 0 && saysFailed(top))) {
      const panelMessages = panelMessagesIn(bodyText(response), context.redact);
      const error = panelError("invalid", { ...sent, status: response.status, panelMessages });
      return { kind: "denied", error, mayRun: transactionIds.length > 0 };
    }
    return omitUndefined<PostAnswer>({
      kind: "accepted",
      status: response.status,
      requestId: requestIdOf(response, context.redact),
      transactionIds: transactionIds.length === 0 ? undefined : transactionIds,
    });
  }
  const error = statusError(sent, response, context.redact);
  return { kind: isRefusal(response.status) ? "refused" : "unknown", error };
}

/** The top level of an answer and two levels below it. */
const mostLevels = 3;

/** The parsed body; for XML, the root and its members. Undefined for a web page or an empty body. */
function parsedBody(response: TransportResponse): unknown {
  const body = response.broken === undefined ? bodyText(response).trim() : "";
  try {
    if (!body.startsWith("<")) return parseJson(body);
    const { root, value } = parseXml(body);
    return { [root]: value, ...Object.fromEntries(entriesOf(value)) };
  } catch {
    return undefined;
  }
}

type Members = readonly (readonly [name: string, value: unknown])[];

const [isState, isCode, isText, isId] = [
  wordSet(...names.status, ...names.result),
  wordSet("code", ...names.status),
  wordSet("message", "msg", "reason", "detail", "details", "description"),
  wordSet(...names.id),
];

/** True if the top level of a body is not a row, and contains both a message and an error: a failed status, a false `ok` or an HTTP error code. */
function saysFailed(members: Members): boolean {
  const top = members.map(([name, value]) => [bareName(name), textOf(value)?.trim() ?? ""] as const);
  const has = (isName: (name: string) => boolean): boolean => top.some(([name, text]) => isName(name) && text !== "");
  if (!has(isText) || has(isId) || has((name) => name === "success")) return false;
  return top.some(
    ([name, text]) =>
      (isState(name) && knownStatus(text) === "failed") ||
      (name === "ok" && text === "false") ||
      (isCode(name) && /^[45]\d\d$/.test(text)),
  );
}

/** True for a refusal by a panel that always answers with status 200: the top level has a `success` that is false, or an `error` with a value. */
function refuses(top: Members): boolean {
  const success = textOf(top.find(([name]) => bareName(name) === "success")?.[1]);
  if (success !== undefined) return success.trim().toLowerCase() === "false";
  return top.some(([name, value]) => /^errors?$/.test(bareName(name)) && !saysNothing(value));
}

/** The transactions that a POST's answer names, in a `Location` header or in its body. */
function namedTransactions(body: unknown, location: string | undefined): readonly string[] {
  const path = location?.split(/[?#]/)[0] ?? "";
  const inLocation = /\/transactions\/([^/]+?)(?:\.(?:json|xml))?\/?$/i.exec(path)?.[1];
  return [...new Set([...idsOf(inLocation), ...namedIn(body, mostLevels)])];
}

function namedIn(value: unknown, levels: number): readonly string[] {
  if (levels === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => namedIn(item, levels - 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const isName = /^transactions?(?:ids?)?$/.test(bareName(name));
    return isName ? idsOf(member) : namedIn(member, levels - 1);
  });
}

/** The id or ids in a value: `5`, `{ id: 5 }`, `{ transaction: { id: 5 } }`, and lists of these. */
function idsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(idsOf);
  const names = ["id", "transaction_id", "uuid", "transaction"];
  const inner = isObject(value) ? names.map((name) => valueAt(value, name)).find((id) => id !== undefined) : undefined;
  if (inner !== undefined) return idsOf(inner);
  const id = idOf(value);
  return id === undefined ? [] : [id];
}
