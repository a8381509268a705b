/** The panel, or something in front of it, says no. */
import { PanelError, type Exchange } from "./panel-error";

/** 401 */
export class CredentialsError extends PanelError {
  readonly kind = "credentials";
  readonly transient = false;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the panel did not accept the user name and password",
      "Check both for this panel; where it wants an API key, the e-mail address is the user name and the key the password.",
    );
  }
}

/** 403 */
export class ForbiddenError extends PanelError {
  readonly kind = "forbidden";
  readonly transient = false;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the panel knows this user but does not let it do this",
      "Check the permissions of the user's role, and whether the machine is in a state that allows it.",
    );
  }
}

/** 404, 410 */
export class NotFoundError extends PanelError {
  readonly kind = "notFound";
  readonly transient = false;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the panel has nothing under this path",
      "Check the ids of the machine and of the recovery point, the endpoint's path, and the API version: panels before 5.9 restore under virtual_servers.",
    );
  }
}

/** 422 */
export class InvalidRequestError extends PanelError {
  readonly kind = "invalid";
  readonly transient = false;
  constructor(exchange: Exchange) {
    super(
      exchange,
      "the panel does not take this request, or cannot carry it out now",
      "Check the recovery point and the paths, and whether the machine is busy or locked.",
    );
  }
}

/** Any other 4xx */
export class RefusedRequestError extends PanelError {
  readonly kind = "refusedRequest";
  readonly transient = false;
  constructor(exchange: Exchange) {
    super(exchange, "the panel refused the request", "Check the endpoint and what stands between here and the panel.");
  }
}

/** 3xx: never followed, because the next address would be given the password. */
export class RedirectError extends PanelError {
  readonly kind = "redirect";
  readonly transient = false;
  /** Where it pointed, without query and userinfo. */
  readonly location?: string;
  constructor(exchange: Exchange, location?: string) {
    super(
      exchange,
      location === undefined ? "the answer is a redirect" : `the answer is a redirect to ${location}`,
      "Redirects are not followed, so that the password goes nowhere else. Set the endpoint to the panel's final address (https, host, port and path).",
    );
    if (location !== undefined) this.location = location;
  }
}
