import { toUSVString } from "node:util";
import { mask, type Redact } from "./secrets";

/** Each pattern begins at the start of a word or with a few fixed characters. A log may be a megabyte long, so no pattern must rescan long runs of text. */
const wordStart = "(?<![\\w.-])";
const secretName = "(?=[\\w.-]*(?:pass|pwd|secret|token|credential|auth|cookie|[_-]key|key(?![\\w.-])))[\\w.-]+";
/** A value in quotes, in the escaped quotes of nested text, or cut off before the closing quote; otherwise one word. */
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

/** A private key up to its end, or to the end of the text if the key was cut off. */
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^]*?-----END [A-Z ]{0,40}PRIVATE KEY-----|[^]*)/g;
/** The end of a key whose beginning was cut off. */
const endOfKey = /(?:^[A-Za-z0-9+/=]{0,100}\r?\n){0,100}-----END [A-Z ]{0,40}PRIVATE KEY-----/gm;

/** Removes the connection's secrets, and anything that looks like a secret, from a log, because a log is raw command output. */
export function maskSecrets(text: string, redact: Redact): string {
  return maskLikelySecrets(redact(text));
}

/** Removes anything that looks like a secret, for text that may contain unknown secrets. */
export function maskLikelySecrets(text: string): string {
  return text
    .replace(privateKey, mask)
    .replace(endOfKey, mask)
    .replace(/\b(authorization\s{0,20}[:=]\s{0,20})[^\r\n]*/gi, `$1${mask}`)
    .replace(/\b(basic|bearer)\s{1,20}[A-Za-z0-9+/_.=~-]{8,}/gi, `$1 ${mask}`)
    .replace(/(:\/\/)[^\s/]*@/g, `$1${mask}@`)
    .replace(
      assignment,
      (_whole, quote: string, key: string, separator: string) => `${quote}${key}${quote}${separator}${mask}`,
    )
    .replace(commandOption, `$1 ${mask}`);
}

/** The last lines of a log. The log is masked before it is cut, so that no cut leaves half a secret. */
export function logTail(log: string, redact: Redact, lines = 15): readonly string[] {
  return maskSecrets(withoutControlCharacters(log), redact)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-lines)
    .map((line) => (line.length > longestLine ? `${toUSVString(line.slice(0, longestLine))} …` : line));
}

const longestLine = 300;

/* oxlint-disable no-control-regex -- control characters are what is removed */
/** Removes control sequences, which must not reach the terminal. Called before masking, because a sequence may be between `password` and its value. */
function withoutControlCharacters(text: string): string {
  return toUSVString(
    text
      .replace(/\r\n?/g, "\n")
      .replace(/\u001b\[[0-9;?]{0,40}[A-Za-z]/g, "")
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, ""),
  );
}
