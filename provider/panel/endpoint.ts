/** A base address, parsed once. */
export interface Endpoint {
  /** Scheme, host, port and path, without a trailing slash. Request paths are appended to it. */
  readonly address: string;
  readonly secure: boolean;
  readonly loopback: boolean;
}

/** Parses an address that has no `endpointProblem`. */
export function parseEndpoint(text: string): Endpoint {
  const url = new URL(text);
  return {
    address: `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`,
    secure: url.protocol === "https:",
    loopback: isLoopback(url.hostname),
  };
}

/** Why an address cannot be used. The reason does not repeat the address, which may contain a password. */
export function endpointProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "it is not an absolute URL";
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:")
    return "it must begin with https:// (or http:// for a panel on this machine)";
  if (username !== "" || password !== "")
    return "it contains a user name or a password, which would be shown in messages and stored";
  return search !== "" || hash !== "" ? "it must not contain a query or a fragment" : undefined;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
