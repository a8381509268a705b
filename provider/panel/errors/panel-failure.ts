import type {
  CredentialsError,
  ForbiddenError,
  NotFoundError,
  InvalidRequestError,
  RefusedRequestError,
  RedirectError,
} from "./refusals";
import type { ServerError, RateLimitedError } from "./overloaded";
import type { CertificateError, NameNotResolvedError, ConnectionError, TimeoutError, AbortedError } from "./no-answer";
import type { LoginPageError, NotThePanelError, UnreadableError, TooLargeError, CutShortError } from "./not-a-list";
import type { UnsendableError, EndpointError } from "./unsendable";

/** Every error this client throws or hands back; `kind` tells them apart. */
export type PanelFailure =
  | CredentialsError
  | ForbiddenError
  | NotFoundError
  | InvalidRequestError
  | RefusedRequestError
  | RedirectError
  | LoginPageError
  | NotThePanelError
  | CertificateError
  | NameNotResolvedError
  | ConnectionError
  | TimeoutError
  | ServerError
  | RateLimitedError
  | UnreadableError
  | TooLargeError
  | CutShortError
  | AbortedError
  | UnsendableError
  | EndpointError;
