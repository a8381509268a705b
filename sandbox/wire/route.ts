import type { Format } from "./encode";

/** A request line, taken apart. Names that are not in the path are empty. */
export interface Route {
  readonly kind: "transactions" | "logs" | "points" | "restoreMachine" | "restoreFiles" | "unknown";
  readonly format: Format;
  readonly paging: PageRequest;
  readonly detailed: boolean;
  readonly machine: string;
  readonly point: string;
  /** The word for machines in the path. */
  readonly under: "machines" | "servers";
}

/** The page that a request asks for, and the form in which it asks. */
export interface PageRequest {
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

/** Parses a request line. Anything but exactly one of the panel's paths is unknown. */
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
function pageRequest(suffix: string, query: URLSearchParams): PageRequest | undefined {
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
