import { failureError, isRefusal, isSuccess, requestIdOf, statusError } from "./classify";
import type { Exchange } from "../errors";
import type { Outcome } from "../http/exchange";
import type { Redact } from "../secrets/redact";
import type { PostAnswer } from "../terms/types";

/**
 * What became of a restore that was posted. Only what certainly was not carried out is called refused: a status
 * that says so, or a connection that never stood. A server's failure, a lost answer, a time-out after the request
 * was written leave open whether the restore is under way.
 */
export function postAnswer(
  asked: Exchange,
  outcome: Outcome,
  context: { readonly redact: Redact; readonly now: number; readonly maxResponseBytes: number },
): PostAnswer {
  if (outcome.kind === "failed") {
    const error = failureError(asked, outcome.failure, context.maxResponseBytes);
    return { kind: outcome.failure.written ? "unknown" : "refused", error };
  }
  const { response } = outcome;
  // The status alone decides. The body of a good answer is not looked at: panels send the machine, a notice,
  // a page, or nothing, and none of it names the transaction.
  if (isSuccess(response.status)) {
    const requestId = requestIdOf(response, context.redact);
    return { kind: "accepted", status: response.status, ...(requestId === undefined ? {} : { requestId }) };
  }
  const error = statusError(asked, response, context.redact, context.now);
  return { kind: isRefusal(response.status) ? "refused" : "unknown", error };
}
