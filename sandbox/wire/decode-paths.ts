import type { Format } from "./encode";

/** Reads the paths from the body of a file restore, or says what is wrong. */
export function decodePaths(body: string, format: Format): readonly string[] | string {
  const paths = format === "json" ? fromJson(body) : fromXml(body);
  if (typeof paths === "string") return paths;
  if (paths.length === 0) return "paths can't be blank";
  const wrong = paths.find((path) => !path.startsWith("/"));
  return wrong === undefined ? paths : `paths must start with a slash: ${wrong.slice(0, 100)}`;
}

function fromJson(body: string): string[] | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return "the body is not JSON";
  }
  const paths: unknown = typeof parsed === "object" && parsed !== null && "paths" in parsed ? parsed.paths : undefined;
  if (!Array.isArray(paths)) return "paths must be an array";
  const strings = paths.filter((path): path is string => typeof path === "string");
  return strings.length === paths.length ? strings : "every path must be a string";
}

/** Accepts only the document that the interface describes: `paths` of type array, with `path` children. */
function fromXml(body: string): string[] | string {
  const document = /^\uFEFF?\s*(?:<\?xml[^<>]*\?>)?\s*<paths\s+([^<>]*?)\s*(?:\/>|>([\s\S]*)<\/paths\s*>)\s*$/.exec(
    body,
  );
  if (document === null) return "the body is not an XML element named paths";
  if (!/^type\s*=\s*(?:"array"|'array')$/.test(document[1] ?? "")) return "paths must be an array";
  const child = /<path\s*>([^<>]*)<\/path\s*>/g;
  const content = document[2] ?? "";
  if (content.replace(child, "").trim() !== "") return "paths holds something other than path elements";
  const paths = [...content.matchAll(child)].map(([, text = ""]) => unescape(text));
  const known = paths.filter((path) => path !== undefined);
  return known.length === paths.length ? known : "a path holds an entity that is not known";
}

const named = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));
const entity = /&(?:(amp|lt|gt|quot|apos)|#x([0-9a-fA-F]{1,6})|#([0-9]{1,7}));/g;

/** Undefined if an ampersand does not begin a known entity. */
function unescape(text: string): string | undefined {
  if (text.replace(entity, "").includes("&")) return undefined;
  return text.replace(entity, (_, name: string | undefined, hex: string | undefined, decimal: string) => {
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return named.get(name ?? "") ?? (point <= 0x10ffff ? String.fromCodePoint(point) : "\uFFFD");
  });
}
