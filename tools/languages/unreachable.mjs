const signs =
  /no such host|connection refused|network is unreachable|i\/o timeout|TLS handshake timeout|Temporary failure in name resolution|Name or service not known|NewConnectionError|ConnectTimeoutError|Connection refused/i;

/**
 * True if a command's output shows that it could not reach its source on the network.
 *
 * @param {string} text what it printed
 */
export function isUnreachable(text) {
  return signs.test(text);
}
