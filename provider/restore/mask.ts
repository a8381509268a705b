const mask = "[secret]";

const telling = "[\\w.-]*(?:pass|pwd|secret|token|credential|auth|cookie|[_-]key|apikey)[\\w.-]*|key";
const quoted = `"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'`;
const assignment = new RegExp(`(["']?)\\b(${telling})\\1(\\s*(?:=>|[=:])\\s*)(${quoted}|[^\\s,;&)}\\]]+)`, "gi");
const option = new RegExp(`(^|\\s)(--?(?:${telling}))\\s+(${quoted}|[^\\s-]\\S*)`, "gi");

/**
 * A transaction's log is raw output of commands. What is shown of it has the known secrets taken out, and what looks like
 * one: values of telling keys and options, credentials in an address, an authorization header, a private key.
 */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let masked = text;
  for (const secret of [...known].sort((a, b) => b.length - a.length)) {
    if (secret !== "") masked = masked.split(secret).join(mask);
  }
  return masked
    .replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, mask)
    .replace(/\b(authorization\s*[:=]\s*)[^\r\n]*/gi, `$1${mask}`)
    .replace(/\b(basic|bearer)\s+[A-Za-z0-9+/_.=~-]{8,}/gi, `$1 ${mask}`)
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@:]*:[^\s/@]*@/gi, `$1${mask}@`)
    .replace(assignment, (_whole, quote: string, key: string, separator: string) => `${quote}${key}${quote}${separator}${mask}`)
    .replace(option, `$1$2 ${mask}`);
}

/** The last lines of a log, short enough to be read in a terminal. Masked before it is cut, so that no cut leaves half a secret. */
export function logTail(log: string, known: readonly string[] = [], lines = 15): readonly string[] {
  return maskSecrets(log, known)
    .split(/\r\n|\r|\n/)
    // Terminal control sequences of a log must not steer the reader's terminal.
    // eslint-disable-next-line no-control-regex
    .map((line) => line.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ""))
    .filter((line) => line.trim() !== "")
    .slice(-lines)
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)} …` : line));
}

const longestLine = 300;
