import { failureError, isSuccess, pageError, requestIdOf, statusError, textOf } from "./classify";
import { Undecodable, type Decode, type DecodedPage } from "./decode";
import { UnreadableError, type Exchange, type PanelFailure } from "./errors";
import type { Outcome } from "./exchange";
import type { Redact } from "./redact";
import type { TransportResponse } from "./transport";
import type { Format } from "./types";

/** A page, and the request it answers, for an error that speaks of the two. */
export interface AnsweredPage<Item> extends DecodedPage<Item> {
  readonly asked: Exchange;
}

export type ListAnswer<Item> =
  | { readonly kind: "page"; readonly page: AnsweredPage<Item> }
  | { readonly kind: "error"; readonly error: PanelFailure };

/** What a list request brought: a page, or the error of what it brought instead. */
export function listAnswer<Item>(
  asked: Exchange,
  outcome: Outcome,
  decode: Decode<Item>,
  context: {
    readonly format: Format;
    readonly redact: Redact;
    readonly now: number;
    readonly maxResponseBytes: number;
  },
): ListAnswer<Item> {
  const failed = (error: PanelFailure): ListAnswer<Item> => ({ kind: "error", error });
  if (outcome.kind === "failed") return failed(failureError(asked, outcome.failure, context.maxResponseBytes));
  const { response } = outcome;
  if (!isSuccess(response.status)) return failed(statusError(asked, response, context.redact, context.now));
  if (response.broken !== undefined) {
    return failed(failureError({ ...asked, status: response.status }, response.broken, context.maxResponseBytes));
  }
  const page = pageError(asked, response, context.redact);
  if (page !== undefined) return failed(page);
  const unreadable = (reason: string): ListAnswer<Item> => {
    const requestId = requestIdOf(response, context.redact);
    const exchange = { ...asked, status: response.status, ...(requestId === undefined ? {} : { requestId }) };
    return failed(new UnreadableError(exchange, reason));
  };
  const other = otherFormat(response, context.format);
  if (other !== undefined) return unreadable(other);
  try {
    return { kind: "page", page: { ...decode(textOf(response), context.format), ...panelTime(response), asked } };
  } catch (error) {
    if (error instanceof Undecodable) return unreadable(error.message);
    throw error;
  }
}

/** A content type that names another format is believed; one that names none leaves it to the body. */
function otherFormat(response: TransportResponse, format: Format): string | undefined {
  const type = response.headers["content-type"] ?? "";
  if (format === "json" && /\bxml\b/i.test(type)) return "it is XML, and JSON was asked for";
  if (format === "xml" && /\bjson\b/i.test(type)) return "it is JSON, and XML was asked for";
  return undefined;
}

function panelTime(response: TransportResponse): { panelTime?: number } {
  const at = Date.parse(response.headers["date"] ?? "");
  return Number.isNaN(at) ? {} : { panelTime: at };
}
