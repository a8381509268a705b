import { optional } from "../plain/input";
import type { Format } from "./value";

/** The page that a request asks for, and the form in which it asks. */
export interface PageRequest {
  readonly page?: number;
  readonly perPage?: number;
  readonly form: "path" | "query";
}

export type Route =
  | { readonly kind: "transactions"; readonly format: Format; readonly paging: PageRequest; readonly detailed: boolean }
  | { readonly kind: "logs"; readonly format: Format; readonly paging: PageRequest; readonly machine: string }
  | PointsRoute
  | RestoreRoute
  | { readonly kind: "unknown"; readonly format: Format };

export interface PointsRoute {
  readonly kind: "points";
  readonly format: Format;
  readonly paging: PageRequest;
  readonly machine: string;
  readonly path: "machines" | "servers";
}

export interface RestoreRoute {
  readonly kind: "restoreMachine" | "restoreFiles";
  readonly format: Format;
  readonly machine: string;
  readonly point: string;
  readonly path: "machines" | "servers";
}

const transactions = /^\/transactions\.(json|xml)((?:\/.*)?)$/;
const logs = /^\/virtual_machines\/([^/]+)\/logs\.(json|xml)((?:\/.*)?)$/;
const points = /^\/virtual_(machines|servers)\/([^/]+)\/backups\/recovery_points\.(json|xml)((?:\/.*)?)$/;
const restore =
  /^\/virtual_(machines|servers)\/([^/]+)\/backups\/recovery_points\/([^/]+)\/(restore|file_entries)\.(json|xml)$/;

/** Parses a request line. Anything but exactly one of the panel's paths is unknown. */
export function route(method: string, target: string): Route {
  const [path = "", ...rest] = target.split("?");
  const query = new URLSearchParams(rest.join("?"));
  const unknown: Route = { kind: "unknown", format: /\.xml(\/|$)/.test(path) ? "xml" : "json" };
  return (method === "GET" ? listRoute(path, query) : method === "POST" ? restoreRoute(path) : undefined) ?? unknown;
}

function listRoute(path: string, query: URLSearchParams): Route | undefined {
  const list = transactions.exec(path);
  if (list !== null) {
    const paging = pageRequest(list[2] ?? "", query);
    if (paging === undefined) return undefined;
    return { kind: "transactions", format: formatOf(list[1]), paging, detailed: query.has("detailed") };
  }
  const log = logs.exec(path);
  const point = points.exec(path);
  const machine = decode(log?.[1] ?? point?.[2]);
  const paging = pageRequest(log?.[3] ?? point?.[4] ?? "", query);
  if (machine === undefined || paging === undefined) return undefined;
  if (log !== null) return { kind: "logs", format: formatOf(log[2]), paging, machine };
  return { kind: "points", format: formatOf(point?.[3]), paging, machine, path: pathOf(point?.[1]) };
}

function restoreRoute(path: string): Route | undefined {
  const found = restore.exec(path);
  const machine = decode(found?.[2]);
  const point = decode(found?.[3]);
  if (machine === undefined || point === undefined) return undefined;
  const under = pathOf(found?.[1]);
  const files = found?.[4] === "file_entries";
  // File entries have always been restored under this path only.
  if (under === "servers" && files) return undefined;
  return {
    kind: files ? "restoreFiles" : "restoreMachine",
    format: formatOf(found?.[5]),
    machine,
    point,
    path: under,
  };
}

/** `/page/2`, `/per_page/20` or both in either order; otherwise the query's `page` and `per_page`. */
function pageRequest(suffix: string, query: URLSearchParams): PageRequest | undefined {
  if (suffix === "") {
    const page = wholeNumber(query.get("page") ?? undefined);
    const perPage = wholeNumber(query.get("per_page") ?? undefined);
    return { ...optional("page", page), ...optional("perPage", perPage), form: "query" };
  }
  const found = /^(?:\/(page|per_page)\/([0-9]+))(?:\/(page|per_page)\/([0-9]+))?$/.exec(suffix);
  if (found === null || found[1] === found[3]) return undefined;
  const numbers = new Map([
    [found[1], wholeNumber(found[2])],
    ...(found[3] === undefined ? [] : [[found[3], wholeNumber(found[4])] as const]),
  ]);
  if ([...numbers.values()].includes(undefined)) return undefined;
  return { ...optional("page", numbers.get("page")), ...optional("perPage", numbers.get("per_page")), form: "path" };
}

function wholeNumber(digits: string | undefined): number | undefined {
  if (digits === undefined || !/^[0-9]{1,9}$/.test(digits)) return undefined;
  const value = Number(digits);
  return value > 0 ? value : undefined;
}

function pathOf(word: string | undefined): "machines" | "servers" {
  return word === "servers" ? "servers" : "machines";
}

function formatOf(suffix: string | undefined): Format {
  return suffix === "xml" ? "xml" : "json";
}

function decode(segment: string | undefined): string | undefined {
  if (segment === undefined) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
