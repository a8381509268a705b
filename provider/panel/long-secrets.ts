/** Shorter lines of a script or a configuration are part of many texts. */
const minLine = 8;
/** So many characters of base64 match other text only if they encode the same. */
const windowLength = 32;

/**
 * Hides a key, a script or a configuration: each of its lines, in pieces, as it is or escaped once. Base64 of it may be broken at any place, so a text with
 * a part of it in base64 is hidden as a whole.
 */
export function redactLong(plain: string): (text: string) => string {
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
