import { inspect } from "node:util";

/** Removes secrets from text that came from elsewhere. */
export type Redact = (text: string) => string;

/** The value of the `Authorization` header. */
export function basicAuthorization(username: string, password: Secret): string {
  return `Basic ${base64(`${username}:${password.reveal()}`)}`;
}

/** Shorter secrets are part of many words and numbers: masking them everywhere would destroy the text. */
const minLength = 4;
/** Fewer characters of base64 match other text by chance. */
const minBase64Length = 6;

/**
 * Removes the password, and the header made of it, in every spelling: panels and proxies echo requests in error
 * pages, and jobs print their environment. Other secrets in a log are unknown to this process; `mask.ts` guesses them by their form.
 */
export function connectionRedactor(username: string, password: Secret): Redact {
  const plain = password.reveal();
  return redactEverywhere(plain, [`${username}:${plain}`]);
}

/** Removes other secrets: headers and variables that a program gives. */
export function secretsRedactor(secrets: readonly string[]): Redact {
  const each = [...new Set(secrets)].sort((a, b) => b.length - a.length).map((secret) => redactEverywhere(secret, []));
  return (text) => each.reduce((rest, hide) => hide(rest), text);
}

/** A pattern of every spelling of a whole key or script takes seconds and more memory than there is. */
const longestPattern = 200;

/** Hides a string and, in base64, any text that contains it. */
function redactEverywhere(plain: string, containing: readonly string[]): Redact {
  if (plain === "") return (text) => text;
  if (plain.length > longestPattern) return redactLong(plain);
  const encoded = [...containing, plain];
  const within = encoded.flatMap((text) => [...base64Fragments(text)]).filter((text) => text.length >= minBase64Length);
  const wholes = encoded.map((text) => base64(text).replace(/=+$/, ""));
  const padding = "(?:=|%(?:25){0,3}3[dD]|\\\\{1,8}u003[dD]){0,2}";
  const isShort = plain.length < minLength;
  const patterns = [
    isShort ? `(?<!\\w)${anySpelling(plain)}(?!\\w)` : anySpelling(plain),
    ...wholes.map((text) => `(?<![\\w+/-])${anyBase64Spelling(text)}${padding}(?![\\w+/-])`),
    ...within.map((text) => anyBase64Spelling(text) + padding),
  ];
  const each = patterns.map((pattern) => new RegExp(pattern, "g"));
  return (text) => each.reduce((rest, pattern) => rest.replace(pattern, "[secret]"), text);
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

/** A password hidden from every print: `util.inspect` with `showHidden`, JSON, a template string. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }

  [inspect.custom](): string {
    return "[secret]";
  }
}

/**
 * The functions below make patterns for every spelling of a string in a log, a page or an error: as it is; with any
 * character escaped for JSON, HTML, XML, an address or a shell, one escape inside another; and in base64. A log is up
 * to a megabyte of anything, so each alternative begins with a different character, and no run is unbounded.
 */

/** The text, with any of its characters escaped. */
function anySpelling(text: string): string {
  const pieces = [...text.matchAll(/\\+|[^]/gu)].map(([piece]) => piece);
  return pieces
    .map((piece, at) => {
      if (!piece.startsWith("\\")) return characterPattern(piece);
      // At the start of the text, the last backslash of a run is enough: otherwise a log of backslashes would be
      // tried from each of them.
      return backslashPattern(at === 0 && pieces.length > 1 ? "\\" : piece);
    })
    .join("");
}

/**
 * The parts of a text's base64 that are the same at any position of the text in the encoded whole. The text may begin at
 * the first, second or third byte of three, and the characters at its edges hold bits of its neighbours.
 */
function base64Fragments(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
}

/** Base64 in either alphabet, escaped, and over several lines. */
function anyBase64Spelling(base64: string): string {
  return Array.from(base64)
    .map((char) => {
      if (char === "+") return `(?:\\+|-|${percentPattern(["2b"])}|\\\\{1,8}u002[bB])`;
      if (char === "/") return `(?:\\\\{0,8}/|_|${percentPattern(["2f"])}|\\\\{1,8}u002[fF])`;
      return char;
    })
    .join("(?:\\r?\\n[ \\t]{0,8})?");
}

function characterPattern(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(char, "utf8")].map((byte) => byte.toString(16).padStart(2, "0"));
  const units = [...Array(char.length).keys()].map((at) => char.charCodeAt(at).toString(16).padStart(4, "0"));
  const names = [entityNames.get(char)].flatMap((name) => (name === undefined ? [] : [name]));
  const entity = [`#0{0,6}${String(code)}`, `#[xX]0{0,6}${anyCase(code.toString(16))}`, ...names].join("|");
  // A shell or a nested text puts backslashes before punctuation, never before plain letters.
  const before = /[\w\s]/.test(char) ? "" : "\\\\{0,8}";
  return `(?:${[
    before + escapeRegExp(char),
    ...(char === " " ? ["\\+"] : []),
    ...(char === "'" ? ["'\\\\{1,4}''", `'"'"'`] : []),
    ...(shortEscapes.has(char) ? [`\\\\{1,8}${shortEscapes.get(char) ?? ""}`] : []),
    `${before}&(?:amp;){0,3}(?:${entity});?`,
    percentPattern(bytes),
    units.map((unit) => `\\\\{1,8}u${anyCase(unit)}`).join(""),
    `\\\\{1,8}u\\{0{0,6}${anyCase(code.toString(16))}\\}`,
    bytes.map((byte) => `\\\\{1,8}x${anyCase(byte)}`).join(""),
  ].join("|")})`;
}

/** Escaping doubles backslashes. A run is matched as a whole, because single backslashes could be divided in many ways. */
function backslashPattern(run: string): string {
  const one = `\\\\(?:u005[cC]|u\\{0{0,6}5[cC]\\}|x5[cC])|\\\\|&(?:amp;){0,3}(?:#0{0,6}92|#[xX]0{0,6}5[cC]|bsol);?|${percentPattern(["5c"])}`;
  return `(?:${one}){${String(run.length)},${String(run.length * 8)}}`;
}

/** An address within an address escapes the percent sign again. */
function percentPattern(bytes: readonly string[]): string {
  return bytes.map((byte) => `%(?:25){0,3}${anyCase(byte)}`).join("");
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\n", "n"],
  ["\r", "r"],
  ["\t", "t"],
  ["\b", "b"],
  ["\f", "f"],
]);

const punctuation =
  "! excl|\" quot|# num|$ dollar|% percnt|& amp|' apos|( lpar|) rpar|* (?:ast|midast)|+ plus|, comma|. period|/ sol|: colon|; semi|" +
  "< lt|= equals|> gt|? quest|@ commat|[ (?:lsqb|lbrack)|] (?:rsqb|rbrack)|^ Hat|_ (?:lowbar|UnderBar)|` (?:grave|DiacriticalGrave)|" +
  "{ (?:lcub|lbrace)|| (?:vert|verbar|VerticalLine)|} (?:rcub|rbrace)|€ euro|\t Tab|\n NewLine";
/** From U+00A0 on, in order. */
const latin1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot " +
  "cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml " +
  "Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
  "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute " +
  "ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/** The names of characters in pages. */
const entityNames: ReadonlyMap<string, string> = new Map([
  ...[...punctuation.matchAll(/([^]) (\(\?:[\w|]+\)|\w+)(?:\||$)/g)].map(
    ([, char = "", name = ""]) => [char, name] as const,
  ),
  ...latin1.split(" ").map((name, at) => [String.fromCharCode(0xa0 + at), name] as const),
]);

/** Shorter lines of a script or a configuration are part of many texts. */
const minLine = 8;
/** So many characters of base64 match other text only if they encode the same. */
const windowLength = 32;

/**
 * Hides a key, a script or a configuration: each of its lines, in pieces, as it is or escaped once. Base64 of it may be broken at any place, so a text with
 * a part of it in base64 is hidden as a whole.
 */
function redactLong(plain: string): (text: string) => string {
  const lines = plain.split(/[\r\n]+/);
  const pieces = lines.flatMap((line) => line.match(/[^]{1,200}/gu) ?? []).filter(({ length }) => length >= minLine);
  const spelled = [...new Set([plain, ...pieces].flatMap(spellings))].sort((a, b) => b.length - a.length);
  const windows = base64Windows(plain);
  return (text) => {
    if (containsAny(text.replace(/\s+/g, ""), windows)) return "[secret]";
    let rest = text;
    for (const one of spelled) rest = rest.replaceAll(one, "[secret]");
    return rest.replace(/\[secret\](?:\[secret\])+/g, "[secret]");
  };
}

function spellings(piece: string): readonly string[] {
  const inJson = JSON.stringify(piece).slice(1, -1);
  const inPage = piece
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  return [piece, inJson, inPage, encodeURIComponent(piece.replace(/\p{Cs}/gu, "\ufffd"))];
}

/** Parts of a text's base64, in both alphabets, wherever in three bytes the text begins. */
function base64Windows(plain: string): ReadonlySet<string> {
  const windows = new Set<string>();
  for (const offset of [0, 1, 2])
    for (const alphabet of ["base64", "base64url"] as const) {
      const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(plain)]).toString(alphabet);
      for (let at = 4; at + windowLength <= encoded.length - 4; at += windowLength)
        windows.add(encoded.slice(at, at + windowLength));
    }
  return windows;
}

function containsAny(text: string, windows: ReadonlySet<string>): boolean {
  for (let at = 0; at + windowLength <= text.length; at++)
    if (windows.has(text.slice(at, at + windowLength))) return true;
  return false;
}
