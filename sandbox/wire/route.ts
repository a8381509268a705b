import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { WireFormat } from "./answers";

/** A parsed request line. Parameters that are missing from the path are empty strings. */
export interface Route {
  readonly kind: "transactions" | "logs" | "points" | "restoreMachine" | "restoreFiles" | "unknown";
  readonly format: WireFormat;
  readonly paging: AskedPage;
  readonly detailed: boolean;
  readonly machine: string;
  readonly point: string;
  /** The word that the path uses for machines. */
  readonly under: "machines" | "servers";
}

/** The requested page, and whether the path or the query names it. */
export interface AskedPage {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly form: "path" | "query";
}

const points = "^/virtual_(?<under>machines|servers)/(?<machine>[^/]+)/backups/recovery_points";

/** Files are restored under `virtual_machines` only. */
const resources: readonly (readonly [kind: Route["kind"], method: string, path: RegExp])[] = [
  ["transactions", "GET", /^\/transactions$/],
  ["logs", "GET", /^\/virtual_machines\/(?<machine>[^/]+)\/logs$/],
  ["points", "GET", new RegExp(`${points}$`)],
  ["restoreMachine", "POST", new RegExp(`${points}/(?<point>[^/]+)/restore$`)],
  ["restoreFiles", "POST", new RegExp(`${points.replace("|servers", "")}/(?<point>[^/]+)/file_entries$`)],
];

/** Parses a request line. A path that does not exactly match one of the panel's paths is `unknown`. */
export function route(method: string, target: string): Route {
  const [path = "", ...rest] = target.split("?");
  const query = new URLSearchParams(rest.join("?"));
  const [, resource = "", format, suffix = ""] = /^(.*)\.(json|xml)((?:\/.*)?)$/s.exec(path) ?? [];
  const found = resources.find(([, of, pattern]) => method === of && pattern.test(resource));
  const names = found?.[2].exec(resource)?.groups ?? {};
  const [machine, point] = [decode(names["machine"]), decode(names["point"])];
  const paging = method === "GET" || suffix === "" ? pageRequest(suffix, query) : undefined;
  const isKnown = machine !== undefined && point !== undefined && paging !== undefined;
  return {
    kind: found !== undefined && isKnown ? found[0] : "unknown",
    format: format === "xml" ? "xml" : "json",
    paging: paging ?? { form: "path" },
    detailed: query.has("detailed"),
    machine: machine ?? "",
    point: point ?? "",
    under: names["under"] === "servers" ? "servers" : "machines",
  };
}

/** `/page/2`, `/per_page/20` or both in either order; otherwise the query's `page` and `per_page`. */
function pageRequest(suffix: string, query: URLSearchParams): AskedPage | undefined {
  if (suffix === "") {
    return { page: wholeNumber(query.get("page")), perPage: wholeNumber(query.get("per_page")), form: "query" };
  }
  const parts = [...suffix.matchAll(/\/(page|per_page)\/([0-9]+)/g)];
  const numbers = new Map(parts.map(([, name, digits]) => [name, wholeNumber(digits)]));
  const isWhole = parts.map(([part]) => part).join("") === suffix && numbers.size === parts.length;
  if (!isWhole || [...numbers.values()].includes(undefined)) return undefined;
  return { page: numbers.get("page"), perPage: numbers.get("per_page"), form: "path" };
}

function wholeNumber(digits: string | null | undefined): number | undefined {
  return /^0*[1-9][0-9]*$/.test(digits ?? "") && (digits ?? "").length <= 9 ? Number(digits) : undefined;
}

function decode(segment = ""): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Reads the paths from the body of a file restore, or returns a message about what is wrong. */
export function decodePaths(body: string, format: WireFormat): readonly string[] | string {
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

type Paths = { readonly path?: readonly unknown[]; readonly "#text"?: string } & Readonly<Record<string, unknown>>;

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  // oxlint-disable-next-line typescript/no-deprecated -- the decoder that replaces it is another package
  htmlEntities: true,
  isArray: (name) => name === "path",
});

/** Accepts only the document that the API describes: `paths` of type array, with `path` children. */
function fromXml(body: string): string[] | string {
  const isDocument = /^\uFEFF?\s*(?:<\?xml[^<>]*\?>)?\s*<paths\s/.test(body) && XMLValidator.validate(body) === true;
  const { paths } = (isDocument ? parser.parse(body) : {}) as { paths?: Paths | string };
  if (typeof paths !== "object") return "the body is not an XML element named paths";
  const { "@_type": type, path = [], "#text": between = "", ...others } = paths;
  if (type !== "array") return "paths must be an array";
  if (Object.keys(others).length > 0 || between.trim() !== "") {
    return "paths contains something other than path elements";
  }
  return path.map(String);
}
