/** Nothing was sent, because it could not be put together. */
import { PanelError, type Exchange } from "./panel-error";

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
