/** A good status with something else than the list that was asked for. */
import { PanelError, type Exchange } from "./panel-error";

/** A page that asks for a login, with a status of success. */
export class LoginPageError extends PanelError {
  readonly kind = "loginPage";
  readonly transient = true;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the answer is a login page for browsers, not the panel's interface",
      "Check the endpoint's path, and whether a single sign-on or a proxy stands in front of the panel.",
    );
  }
}

/** Another HTML page with a status of success: maintenance, another service, a web server's welcome. */
export class NotThePanelError extends PanelError {
  readonly kind = "notThePanel";
  readonly transient = true;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the answer is an HTML page, not the panel's interface",
      "Check the endpoint (host, port and path), and whether the panel is under maintenance.",
    );
  }
}

/** A good status with a body that is not the list that was asked for: cut off, another format, another shape. */
export class UnreadableError extends PanelError {
  readonly kind = "unreadable";
  readonly transient = true;
  constructor(
    exchange: Exchange,
    /** What is wrong with the body, in a few words. */
    readonly reason: string,
  ) {
    super(
      exchange,
      `the answer cannot be read: ${reason}`,
      "Check the endpoint, or try the other format (json or xml).",
    );
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
      "Ask for fewer rows per page.",
    );
  }
}

/** A list that goes on, or may, where this panel gives no way to read on: what was read must not pass for the whole. */
export class CutShortError extends PanelError {
  readonly kind = "cutShort";
  readonly transient = false;
  constructor(
    exchange: Exchange,
    /** How many of the newest rows can be had. */
    readonly rows: number,
  ) {
    super(
      exchange,
      `the list cannot be read beyond its newest ${String(rows)} rows, because the panel gives no larger page and no further one`,
      "Ask for no more rows than that, or let the panel answer /page/<number> as its interface describes.",
    );
  }
}
