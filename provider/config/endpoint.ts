export type ParsedEndpoint = { readonly value: string } | { readonly problem: string };

/**
 * The base address in one spelling, so that the same panel written twice is one panel: lower-case scheme and
 * host, no default port, no trailing slash, a path prefix kept. The text itself is never repeated in a problem:
 * it may hold a password.
 */
export function parseEndpoint(text: string): ParsedEndpoint {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || !/^https?:\/\//i.test(text)) {
    return { problem: "is no address: write it with its scheme, like https://panel.example.com" };
  }
  if (url.username !== "" || url.password !== "") {
    return { problem: "carries a user name or password: give them as username and password, not in the address" };
  }
  if (/[?#]/.test(text)) return { problem: "carries a query or fragment (? or #): write the base address alone" };
  return { value: `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}` };
}

/** Whether requests to this address stay on this machine. */
export function isLoopback(endpoint: string): boolean {
  const host = new URL(endpoint).hostname;
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host);
}
