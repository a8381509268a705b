import { EndpointError } from "./errors";

/** A base address, parsed once: no request is ever resolved against anything else. */
export interface Endpoint {
  /** Scheme, host, port and path, without a trailing slash. Request paths are appended to it. */
  readonly address: string;
  readonly secure: boolean;
  readonly loopback: boolean;
}

export function parseEndpoint(text: string): Endpoint {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new EndpointError("it is not an absolute URL");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new EndpointError("it must begin with https:// (or http:// for a panel on this machine)");
  }
  if (url.username !== "" || url.password !== "") {
    throw new EndpointError("it contains a user name or a password, which would be shown in messages and stored");
  }
  if (url.search !== "" || url.hash !== "") throw new EndpointError("it must not contain a query or a fragment");
  return {
    address: `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`,
    secure: url.protocol === "https:",
    loopback: isLoopback(url.hostname),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
