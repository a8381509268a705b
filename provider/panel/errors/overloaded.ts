/** The panel, or something in front of it, cannot answer now. */
import { PanelError, type Exchange } from "./panel-error";

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
