const signs =
  /no such host|connection refused|network is unreachable|i\/o timeout|TLS handshake timeout|Temporary failure in name resolution|Name or service not known|NewConnectionError|ConnectTimeoutError|Connection refused/i;

/**
 * Whether a command ended because it did not get through to where it fetches from.
 *
 * @param {string} text what it printed
 */
export function isUnreachable(text) {
  return signs.test(text);
}
