import type { Redact } from "./secrets";

const mask = "[secret]";

/**
 * A log is up to a megabyte of whatever commands print, so no pattern may try a long run of characters from each of its
 * characters anew: each begins where a word begins, or at a few fixed characters.
 */
const wordStart = "(?<![\\w.-])";
const secretName = "(?=[\\w.-]*(?:pass|pwd|secret|token|credential|auth|cookie|[_-]key|key(?![\\w.-])))[\\w.-]+";
/** In quotes, in the quotes of a text within a text, or cut off before the closing quote; else one word. */
const value = [
  `"(?:[^"\\\\\\n]|\\\\.)*"`,
  `'(?:[^'\\\\\\n]|\\\\.)*'`,
  `\\\\+"[^"\\n]*"`,
  `\\\\+'[^'\\n]*'`,
  `\\\\*["'][^\\n]*`,
  `\\S+`,
].join("|");
const assignment = new RegExp(
  `(\\\\{0,4}["']?)${wordStart}(${secretName})\\1(\\s{0,20}(?:=>|[=:])\\s{0,20})(?:${value})`,
  "gi",
);
const commandOption = new RegExp(`${wordStart}(--?${secretName}["']?,?)[ \\t]{1,20}(?!--)(?:${value})`, "gi");

const keyBegins = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g;
const keyEnds = /-----END [A-Z ]{0,40}PRIVATE KEY-----/g;

/**
 * A transaction's log is raw output of commands. What is shown of it has the connection's own secrets taken out, and what looks
 * like one: values of telling keys and options, credentials in an address, an authorization header, a private key.
 */
export function maskSecrets(text: string, redact: Redact): string {
  return maskLikelySecrets(redact(text));
}

/** The same of a text in the program, where no secret is known: what looks like one is taken out. */
export function maskLikelySecrets(text: string): string {
  return maskPrivateKeys(text)
    .replace(/\b(authorization\s{0,20}[:=]\s{0,20})[^\r\n]*/gi, `$1${mask}`)
    .replace(/\b(basic|bearer)\s{1,20}[A-Za-z0-9+/_.=~-]{8,}/gi, `$1 ${mask}`)
    .replace(/(:\/\/)[^\s/]*@/g, `$1${mask}@`)
    .replace(
      assignment,
      (_whole, quote: string, key: string, separator: string) => `${quote}${key}${quote}${separator}${mask}`,
    )
    .replace(commandOption, `$1 ${mask}`);
}

/** Also a key whose first or last lines were cut off with the rest of the log. */
function maskPrivateKeys(text: string): string {
  const kept: string[] = [];
  for (const [index, part] of text.split(keyBegins).entries()) {
    const pieces = part.split(keyEnds);
    const after = pieces.pop() ?? "";
    // Behind a begin, all up to the last end is key; with no end, all there is.
    if (index > 0) kept.push(mask, pieces.length > 0 ? after : "");
    else kept.push(...pieces.flatMap((piece) => [withoutKeyLines(piece), mask]), after);
  }
  return kept.join("");
}

/** Takes off the lines at the end that look like the inside of a key. */
function withoutKeyLines(text: string): string {
  const lines = text.split("\n");
  let end = lines.length;
  while (end > 0 && /^[A-Za-z0-9+/=]*\r?$/.test(lines[end - 1] ?? "")) end--;
  return end === 0 ? "" : `${lines.slice(0, end).join("\n")}\n`;
}

/** The last lines of a log, short enough to be read in a terminal. Masked before it is cut, so that no cut leaves half a secret. */
export function logTail(log: string, redact: Redact, lines = 15): readonly string[] {
  return maskSecrets(withoutControlCharacters(log), redact)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-lines)
    .map((line) => (line.length > longestLine ? `${wellFormed(line.slice(0, longestLine))} …` : line));
}

const longestLine = 300;

/**
 * Control sequences of a log must not steer the reader's terminal, and taken out first they hide no secret either: a coloured
 * `password` is followed by the end of its colour, and only then by its value.
 */
function withoutControlCharacters(text: string): string {
  return wellFormed(
    text
      .replace(/\r\n?/g, "\n")
      // eslint-disable-next-line no-control-regex
      .replace(/\u001b\[[0-9;?]{0,40}[A-Za-z]/g, "")
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, ""),
  );
}

/** Half a character cannot be sent to the engine. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}
