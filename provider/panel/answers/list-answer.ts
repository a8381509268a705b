import { failureError, isSuccess, pageError, requestIdOf, statusError, textOf } from "./classify";
import { Undecodable, type Decode, type DecodedPage } from "../formats/decode";
import { UnreadableError, type Exchange, type PanelFailure } from "../errors";
import type { Outcome } from "../http/exchange";
import type { Redact } from "../secrets/redact";
import type { TransportResponse } from "../http/transport";
import type { Format } from "../terms/types";

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
  try {
    return { kind: "page", page: { ...decode(textOf(response), context.format), ...panelTime(response), asked } };
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    const requestId = requestIdOf(response, context.redact);
    const exchange = { ...asked, status: response.status, ...(requestId === undefined ? {} : { requestId }) };
    const reason = otherFormat(textOf(response), context.format) ?? error.message;
    return failed(pageError(asked, response, context.redact) ?? new UnreadableError(exchange, reason));
  }
}

/** By the body alone: servers and what stands before them put any content type on a list. */
function otherFormat(body: string, format: Format): string | undefined {
  if (format === "json" && /^\uFEFF?\s*</.test(body)) return "it is XML, and JSON was asked for";
  if (format === "xml" && /^\uFEFF?\s*[[{]/.test(body)) return "it is JSON, and XML was asked for";
  return undefined;
}

function panelTime(response: TransportResponse): { panelTime?: number } {
  const at = Date.parse(response.headers["date"] ?? "");
  return Number.isNaN(at) ? {} : { panelTime: at };
}
